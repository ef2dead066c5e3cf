import Type from 'typebox';
import type { Clock } from '../../../application/clock.ts';
import { findLostMail, type Mailings } from '../../../application/mail/mailings.ts';
import type { SearchSales } from '../../../application/search/search-sales.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { complainOfFormat } from '../../kit/contract/complaints.ts';
import { described } from '../../kit/contract/described.ts';
import { nullableText, text } from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import type { Context } from '../../kit/web/pipeline/context.ts';
import {
  DEFAULT_PAGE_SIZE,
  decodeCursor,
  encodeCursor,
  isSerialNumber,
} from '../../kit/web/pipeline/list-answers.ts';
import type { SeenSale } from '../generic/generic-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import { transaction } from './transaction-shapes.ts';

export interface SearchRouteParts {
  readonly searchSales: SearchSales;
  readonly mailings: Mailings;
  readonly clock: Clock;
}

const searchBody = closedNamedObject('TransactionSearch', {
  q: text(200, {
    description:
      'transaction_id, ticket, externalSaleId, número de bilhete, apólice ou proposta, CPF ou CNPJ, e-mail, telefone ou nome: palavras em qualquer ordem, sem acentos, ou o começo delas, com três letras ou mais',
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: `Padrão: ${DEFAULT_PAGE_SIZE}` }),
  ),
  cursor: Type.Optional(
    Type.String({
      format: 'cursor',
      maxLength: 300,
      description: 'next_cursor da página anterior',
    }),
  ),
});

const foundTransaction = described<SeenSale>('FoundTransaction')({
  ...transaction.fields,
  insured: [
    Type.Object({ name: Type.String() }),
    ({ sale }) => ({ name: sale.terms.insured.socialName ?? sale.terms.insured.name }),
  ],
});

const readSearch = compileReader(searchBody);

/** The number after which a page goes on. @throws AnswerError 422 */
const placeIn = (cursor: string | undefined): number | undefined => {
  if (cursor === undefined) return undefined;
  const place = decodeCursor(cursor);
  if (!isSerialNumber(place))
    throw invalidFields({ cursor: [complainOfFormat('cursor', 'cursor')] });
  return Number(place);
};

/** Finding a sale by what its customer says. By POST: names and numbers of people stand in no address. */
export const createSearchRoute = ({
  searchSales,
  mailings,
  clock,
}: SearchRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'post',
    path: '/admin/transactions/search',
    operationId: 'searchTransactions',
    summary:
      'Procura vendas de todos os canais pelo que o cliente diz: nome, CPF, e-mail, telefone',
    description:
      'As mais novas primeiro, sem total. Uma venda é encontrada segundos depois do registro. Com partial true há vendas demais com essas palavras para olhar todas: escreva mais. Siga next_cursor até que seja nulo.',
    body: searchBody,
    answers: {
      200: {
        description: 'Uma página',
        schema: Type.Object({
          success: Type.Literal(true),
          response: Type.Object({
            data: Type.Array(foundTransaction.schema),
            partial: Type.Boolean({ description: 'Escreva mais: pode haver outras' }),
            next_cursor: nullableText('Nulo na última página'),
          }),
        }),
      },
    },
    async handle(ctx: Context) {
      const { q, limit = DEFAULT_PAGE_SIZE, cursor } = readSearch(ctx.request.body as object);
      const page = { before: placeIn(cursor), limit: limit + 1 };
      const { sales, isPartial } = await searchSales(q, page);
      const shown = sales.slice(0, limit);
      const lost = await findLostMail(mailings, shown);
      const now = clock.now();
      const last = sales.length > limit ? shown.at(-1) : undefined;
      ctx.body = {
        success: true,
        response: {
          data: shown.map((sale) =>
            foundTransaction.present({ sale, isMailLost: lost.has(sale.id), now }),
          ),
          partial: isPartial,
          next_cursor: last === undefined ? null : encodeCursor(String(last.id)),
        },
      };
    },
  },
];
