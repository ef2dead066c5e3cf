import { jsonBody } from '../../pipeline/request-body.ts';
import { houseErrorSchema } from '../../contract/answer-shapes.ts';
import type { Route } from '../../pipeline/route.ts';
import { type CreateParts, createSale, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { BY_HEADER } from '../../sales/idempotency.ts';
import { type StatusParts, statusByTicket } from '../../sales/status-by-ticket.ts';
import { phoneBody, phoneDialect } from './celular-body.ts';
import {
  createdPhoneSale,
  phoneErrorSchema,
  phoneFaults,
  phoneStatus,
  presentPhoneSale,
  presentPhoneStatus,
} from './celular-answers.ts';

const tag = 'Seguro Celular';

const LINE = 'mobile_phone';

const endpointFor = (cardNeedsAddress: boolean): SaleEndpoint => {
  const dialect = phoneDialect(cardNeedsAddress);
  return {
    line: LINE,
    naming: BY_HEADER,
    dialects: [dialect],
    dialectOf: () => dialect,
    faulty: phoneFaults,
    present: presentPhoneSale,
  };
};

export interface PhoneRouteParts extends CreateParts, StatusParts {
  /** Whether the gateway charges no card whose holder has no address. */
  readonly cardNeedsAddress: boolean;
}

export const phoneRoutes = (parts: PhoneRouteParts): readonly Route[] => [
  {
    method: 'post',
    path: '/seguros/seguro-celular/create',
    summary: 'Vende o seguro de um celular, com cartão ou com link de pagamento',
    tag,
    scope: 'sales',
    body: phoneBody,
    idempotent: true,
    answers: {
      200: { description: 'Venda registrada', schema: createdPhoneSale },
      ...SELLING_REFUSALS,
      422: { description: 'Campos com erro, ou cartão recusado', schema: phoneErrorSchema },
    },
    steps: [jsonBody, createSale(parts, endpointFor(parts.cardNeedsAddress))],
  },
  {
    method: 'get',
    path: '/seguros/seguro-celular/status/{ticket}',
    summary: 'Consulta a venda pelo ticket',
    tag,
    scope: 'sales',
    answers: {
      200: { description: 'Status da venda', schema: phoneStatus },
      404: { description: 'Venda não encontrada', schema: houseErrorSchema },
    },
    steps: [statusByTicket(parts, LINE, 'ticket', presentPhoneStatus)],
  },
];
