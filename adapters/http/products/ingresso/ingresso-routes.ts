import Type from 'typebox';
import { type SaleStatus, type Sales, saleStatusOf } from '../../../../application/sales/sales.ts';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../../application/servicing/request-second-copy.ts';
import { answerError, notFound } from '../../../kit/contract/answer-error.ts';
import {
  conflictSchema,
  fieldFaultsSchema,
  TRANSACTION_NOT_FOUND,
} from '../../../kit/contract/answer-shapes.ts';
import { faultHeaders, messagesOf } from '../../../kit/contract/field-faults.ts';
import { namedObject } from '../../../kit/contract/named-object.ts';
import { callerOf, type Exchange, pathParameter } from '../../../kit/web/pipeline/context.ts';
import { isSerialNumber } from '../../../kit/web/pipeline/list-answers.ts';
import type { Route } from '../../routes/route.ts';
import { type CreateParts, createSale, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import { findSaleOfStatus } from '../../sales/find-named-sale.ts';
import { nameByHeaderOrBody } from '../../sales/idempotency.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { SECOND_COPY_ANSWERS, sendSecondCopy } from '../../sales/second-copy.ts';
import { createdSale, presentCreated, presentStatus, saleStatus } from './ingresso-answers.ts';
import {
  ingressoBody,
  ingressoDialect,
  ingressoQuickStartBody,
  ingressoQuickStartDialect,
} from './ingresso-bodies.ts';

const INGRESSO = { tag: 'Ingresso Protegido', scope: 'sales' } as const;

/** The fields that only the quick-start body has. */
const QUICK_START_FIELDS = Object.keys(ingressoQuickStartBody.properties).filter(
  (name) => !(name in ingressoBody.properties),
);

const endpoint = {
  naming: nameByHeaderOrBody,
  line: 'event_ticket',
  dialects: [ingressoDialect, ingressoQuickStartDialect],
  dialectOf: (body) =>
    String(body.nomeCompleto ?? '').trim() === '' &&
    QUICK_START_FIELDS.some((name) => (body[name] ?? null) !== null)
      ? ingressoQuickStartDialect
      : ingressoDialect,
  faulty: (faults, code) => answerError(422, code, messagesOf(faults), faultHeaders(faults)),
  present: presentCreated,
} satisfies SaleEndpoint;

const secondCopyBody = namedObject('IngressoSecondCopy', {
  transaction_id: Type.Integer({
    minimum: 1,
    maximum: 999_999_999_999_999,
    description: 'A transação da venda',
  }),
});

export interface IngressoRouteParts extends CreateParts {
  readonly sales: Sales;
  readonly requestSecondCopy: RequestSecondCopy;
}

/**
 * By transaction id, else by `externalSaleId` or ticket. A name of digits alone is looked up as an
 * id first, because the path has always taken one.
 */
const findStatus = async (sales: Sales, exchange: Exchange): Promise<SaleStatus | undefined> => {
  const { channelLink } = callerOf(exchange);
  const id = pathParameter(exchange, 'id');
  if (channelLink !== null && isSerialNumber(id)) {
    const found = await sales.findStatus(channelLink, Number(id));
    if (found?.line === endpoint.line) return found;
  }
  const sale = await findSaleOfStatus(sales, exchange, 'id', endpoint.line);
  return sale && saleStatusOf(sale);
};

export const createIngressoRoutes = (parts: IngressoRouteParts): readonly Route[] => [
  {
    ...INGRESSO,
    method: 'post',
    path: '/seguros/ingresso-protegido/create',
    operationId: 'createIngressoSale',
    summary: 'Registra a venda, já paga ao parceiro, da proteção de um ingresso',
    description:
      'Use quando o canal já recebeu o pagamento: a venda nasce paga, e o bilhete vai por e-mail ao segurado. Há dois corpos; o do início rápido é escolhido quando nomeCompleto está ausente e há um campo que só ele tem. Dê um nome à venda (externalSaleId ou Idempotency-Key) e, sem resposta, repita igual: o mesmo nome com o mesmo conteúdo dá a primeira resposta e não vende de novo; com outro conteúdo, 409. Sem nome, repetir vende duas vezes.',
    body: Type.Union([ingressoBody, ingressoQuickStartBody]),
    idempotent: true,
    answers: {
      200: { description: 'Venda registrada', schema: createdSale },
      403: SELLING_REFUSALS[403],
      409: {
        description: 'Idempotency-Key ou externalSaleId já usado com outro conteúdo',
        schema: conflictSchema,
      },
      422: { description: 'Campos com erro', schema: fieldFaultsSchema },
    },
    handle: createSale(parts, endpoint),
  },
  {
    ...INGRESSO,
    method: 'get',
    path: '/seguros/ingresso-protegido/status/{id}',
    operationId: 'getIngressoStatus',
    summary: 'Consulta o status de uma venda',
    description:
      'id: o transaction_id ou, se não há transação com ele, outro nome da venda (externalSaleId, ticket). Uma venda devolvida também aparece como cancelled. Consultar não muda nada.',
    answers: {
      200: { description: 'Status da venda', schema: saleStatus },
      ...TRANSACTION_NOT_FOUND,
    },
    handle: async function showIngressoStatus(exchange) {
      const status = await findStatus(parts.sales, exchange);
      if (status === undefined) throw notFound('Transação não encontrada.');
      exchange.body = presentStatus(status);
    },
  },
  {
    ...INGRESSO,
    method: 'post',
    path: '/seguros/ingresso-protegido/segunda-via',
    operationId: 'sendIngressoSecondCopy',
    summary: 'Envia a segunda via do bilhete ao e-mail cadastrado na transação',
    description: `No máximo ${MOST_COPIES} por transação e hora. A resposta vem quando o envio está garantido. Com Idempotency-Key, repetir não envia outra.`,
    body: secondCopyBody,
    idempotent: true,
    answers: SECOND_COPY_ANSWERS,
    handle: sendSecondCopy(secondCopyBody, parts.requestSecondCopy, async (ctx, sent) => {
      const { channelLink } = callerOf(ctx);
      const id = sent.transaction_id;
      const sale = channelLink === null ? undefined : await parts.sales.find(channelLink, id);
      return sale?.terms.product.line === endpoint.line ? sale : undefined;
    }),
  },
];
