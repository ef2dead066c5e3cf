import type { FindCardNeeds } from '../../../../application/selling/find-card-needs.ts';
import { notFoundAnswer } from '../../../kit/contract/answer-shapes.ts';
import type { Route } from '../../routes/route.ts';
import { type CreateParts, createSale, SELLING_REFUSALS } from '../../sales/create-sale.ts';
import { nameByHeaderOrBody } from '../../sales/idempotency.ts';
import type { SaleEndpoint } from '../../sales/sale-dialect.ts';
import { type StatusParts, showStatusByTicket } from '../../sales/status-by-ticket.ts';
import {
  answerCelularFaults,
  celularErrorSchema,
  celularStatus,
  createdCelularSale,
  presentCelularSale,
  presentCelularStatus,
} from './celular-answers.ts';
import { celularBody, celularDialect } from './celular-body.ts';

const CELULAR = { tag: 'Seguro Celular', scope: 'sales' } as const;

const LINE = 'mobile_phone';

const ENDPOINT: SaleEndpoint = {
  line: LINE,
  naming: nameByHeaderOrBody,
  dialects: [celularDialect],
  faulty: answerCelularFaults,
  present: presentCelularSale,
};

export interface CelularRouteParts extends CreateParts, StatusParts {
  readonly findCardNeeds: FindCardNeeds;
}

export const createCelularRoutes = (parts: CelularRouteParts): readonly Route[] => [
  {
    ...CELULAR,
    method: 'post',
    path: '/seguros/seguro-celular/create',
    operationId: 'createCelularSale',
    summary: 'Vende o seguro de um celular, com cartão ou com link de pagamento',
    description:
      'Sem cartão, link é a página em que o segurado paga com cartão, Pix ou boleto, enquanto ela está aberta; com creditCard, o cartão é cobrado na hora e link é nulo. Sem plan, vale o primeiro plano do produto. Dê um nome à venda (externalSaleId ou Idempotency-Key) e, sem resposta em 60 s, repita igual, com o cartão: não se cobra duas vezes. Um cartão recusado deixa a venda como refused e gasta o nome: para outro cartão, outro nome.',
    body: celularBody,
    idempotent: true,
    answers: {
      200: { description: 'Venda registrada', schema: createdCelularSale },
      ...SELLING_REFUSALS,
      422: { description: 'Campos com erro, ou cartão recusado', schema: celularErrorSchema },
    },
    handle: createSale(parts, ENDPOINT, parts.findCardNeeds),
  },
  {
    ...CELULAR,
    method: 'get',
    path: '/seguros/seguro-celular/status/{ticket}',
    operationId: 'getCelularStatus',
    summary: 'Consulta a venda pelo ticket',
    description:
      'ticket: qualquer nome da venda (ticket, externalSaleId, transaction_id, policy_no). Depois de um pagamento, pergunte a cada poucos segundos; de resto, a cada poucos minutos, ou receba os eventos. document_url é nulo antes da emissão, e vale por uma semana, se o operador não decidiu outra coisa.',
    answers: {
      200: { description: 'Status da venda', schema: celularStatus },
      ...notFoundAnswer('Sale', 'Venda não encontrada'),
    },
    handle: showStatusByTicket(parts, LINE, 'ticket', presentCelularStatus),
  },
];
