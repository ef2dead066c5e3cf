import Type from 'typebox';
import type { GroupView } from '../../../application/all-groups/group-view.ts';
import type { SearchAllSales } from '../../../application/all-groups/list-all-sales.ts';
import type { Clock } from '../../../application/clock.ts';
import { askGroups, type InGroups } from '../../../application/groups/in-groups.ts';
import { readPlaces, writePlaces } from '../../../application/groups/merge-lists.ts';
import { findLostMail } from '../../../application/mail/mailings.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { incompleteShape } from '../../kit/contract/answer-shapes.ts';
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
  MAX_CURSOR,
} from '../../kit/web/pipeline/list-answers.ts';
import type { SeenSale } from '../generic/generic-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import { transaction } from './transaction-shapes.ts';

export interface SearchRouteParts {
  readonly searchAllSales: SearchAllSales;
  readonly groupViews: InGroups<Pick<GroupView, 'mailings'>>;
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
      maxLength: MAX_CURSOR,
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

/** Where a page goes on in each group. @throws AnswerError 422 */
const placesIn = (cursor: string | undefined) => {
  if (cursor === undefined) return new Map<number, string>();
  const places = readPlaces(decodeCursor(cursor), isSerialNumber);
  if (places === undefined) throw invalidFields({ cursor: [complainOfFormat('cursor', 'cursor')] });
  return places;
};

/** Finding a sale by what its customer says. By POST: names and numbers of people stand in no address. */
export const createSearchRoute = ({
  searchAllSales,
  groupViews,
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
            incomplete: incompleteShape,
          }),
        }),
      },
    },
    async handle(ctx: Context) {
      const { q, limit = DEFAULT_PAGE_SIZE, cursor } = readSearch(ctx.request.body as object);
      const places = placesIn(cursor);
      const { sales, next, incomplete, isPartial } = await searchAllSales(q, { places, limit });
      const lost = await askGroups(groupViews(), ({ mailings }) => findLostMail(mailings, sales));
      const isMailLost = (id: number) => [...lost.found.values()].some((ids) => ids.has(id));
      const now = clock.now();
      ctx.body = {
        success: true,
        response: {
          data: sales.map((sale) =>
            foundTransaction.present({ sale, isMailLost: isMailLost(sale.id), now }),
          ),
          partial: isPartial,
          next_cursor: next === undefined ? null : encodeCursor(writePlaces(next)),
          ...(incomplete.length > 0 && { incomplete }),
        },
      };
    },
  },
];
