import Type from 'typebox';
import type { Sales } from '../../../../application/sales/sales.ts';
import { Refused, refused } from '../../contract/answer-error.ts';
import { jsonBody } from '../../pipeline/request-body.ts';
import { callerOf, parameter, type Step } from '../../pipeline/context.ts';
import { conflictSchema, fieldFaultsSchema, houseErrorSchema } from '../../contract/answer-shapes.ts';
import { isSerialNumber } from '../../pipeline/request-query.ts';
import type { Route } from '../../pipeline/route.ts';
import { type CreateParts, createSale } from '../../sales/create-sale.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { BY_HEADER } from '../../sales/idempotency.ts';
import { mainBody, mainDialect } from './ingresso-create-body.ts';
import { createdSale, presentCreated, presentStatus, saleStatus } from './ingresso-answers.ts';
import { quickStartBody, quickStartDialect } from './ingresso-quick-start-body.ts';
import { type SecondCopyParts, secondCopyRoute } from './ingresso-second-copy.ts';

const tag = 'Ingresso Protegido';

const endpoint = {
  naming: BY_HEADER,
  line: 'event_ticket',
  dialects: [mainDialect, quickStartDialect],
  dialectOf: ({ nomeCompleto, nameOrRazao }) =>
    (nomeCompleto ?? null) === null && (nameOrRazao ?? null) !== null
      ? quickStartDialect
      : mainDialect,
  faulty: (faults) => new Refused(422, faults),
  present: presentCreated,
} satisfies SaleEndpoint;

export interface TicketRouteParts extends CreateParts, SecondCopyParts {
  readonly sales: Sales;
}

export const ticketRoutes = ({
  sales,
  requestSecondCopy,
  ...parts
}: TicketRouteParts): readonly Route[] => [
  {
    method: 'post',
    path: '/seguros/ingresso-protegido/create',
    summary: 'Registra a venda, já paga ao parceiro, da proteção de um ingresso',
    description:
      'Dois corpos: o do início rápido é escolhido quando nomeCompleto está ausente e nameOrRazao presente.',
    tag,
    scope: 'sales',
    body: Type.Union([mainBody, quickStartBody]),
    idempotent: true,
    answers: {
      200: { description: 'Venda registrada', schema: createdSale },
      403: { description: 'Canal ou produto não permitido ao cliente', schema: houseErrorSchema },
      409: { description: 'Idempotency-Key já usada com outro conteúdo', schema: conflictSchema },
      422: { description: 'Campos com erro', schema: fieldFaultsSchema },
    },
    steps: [jsonBody, createSale(parts, endpoint)],
  },
  {
    method: 'get',
    path: '/seguros/ingresso-protegido/status/{id}',
    summary: 'Consulta o status de uma venda',
    tag,
    scope: 'sales',
    answers: {
      200: { description: 'Status da venda', schema: saleStatus },
      404: { description: 'Transação não encontrada', schema: houseErrorSchema },
    },
    steps: [ticketSaleStatus(sales)],
  },
  secondCopyRoute({ sales, requestSecondCopy }, endpoint.line, tag),
];

function ticketSaleStatus(sales: Sales): Step {
  return async (ctx) => {
    const { channelLink } = callerOf(ctx);
    const id = parameter(ctx, 'id');
    const sale =
      isSerialNumber(id) && channelLink !== null
        ? await sales.find(channelLink, Number(id))
        : undefined;
    if (sale?.terms.product.line !== endpoint.line) throw refused(404, 'Transação não encontrada.');
    ctx.body = presentStatus(sale);
  };
}
