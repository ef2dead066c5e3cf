import Type, { type Static } from 'typebox';
import { coverOf, isChargedToCard, refuse, type Sale } from '#domain';
import { type AnswerError, answerError } from '../../../kit/contract/answer-error.ts';
import { fieldFaultsSchema } from '../../../kit/contract/answer-shapes.ts';
import { described } from '../../../kit/contract/described.ts';
import type { ErrorCode } from '../../../kit/contract/error-codes.ts';
import {
  type FieldFaults,
  faultAt,
  faultHeaders,
  firstMessage,
  messagesOf,
} from '../../../kit/contract/field-faults.ts';
import { nullableText } from '../../../kit/contract/formats.ts';
import { namedObject } from '../../../kit/contract/named-object.ts';
import { sentenceOf } from '../../../kit/contract/refusal-answers.ts';
import {
  amounts,
  explainRefused,
  givenNames,
  PAYMENT_STATUSES,
  paymentStatusOf,
  paymentUrlOf,
  period,
  policyNumberOf,
  protocol,
  type SaleSource,
  statusIdOf,
} from '../../sales/sale-answer-parts.ts';
import type { StatusSource } from '../../sales/status-by-ticket.ts';

const policy = described<SaleSource>()({
  policy_no: [nullableText('Nulo até a emissão'), ({ sale }) => policyNumberOf(sale)],
  amounts: [amounts.schema, ({ sale }) => amounts.present(sale.terms.quote.premium)],
}).fields;

const created = described<SaleSource>()({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  status: [Type.String(), ({ sale }) => sale.status],
  ...policy,
});

export const createdCelularSale = namedObject('CreatedCelularSale', {
  message: Type.String(),
  link: nullableText('Página de pagamento; nulo quando um cartão foi enviado'),
  data: created.schema,
});

export const celularErrorSchema = namedObject('CelularError', {
  error: Type.String(),
  errors: Type.Optional(fieldFaultsSchema),
  transaction_id: Type.Optional(Type.Integer()),
  ticket: Type.Optional(Type.String()),
});

/** A sale date in the future is the only fault of its answer, as specified. */
export const answerCelularFaults = (faults: FieldFaults, code: ErrorCode): AnswerError => {
  const inFuture = sentenceOf(refuse('sold_in_future'));
  if (faults['saleDate']?.some((each) => each.message === inFuture))
    return answerError(422, code, { error: inFuture }, faultHeaders(faults));
  const error = firstMessage(faults) ?? 'Requisição inválida.';
  const body = { error, errors: messagesOf(faults) };
  return answerError(422, code, body, faultHeaders(faults));
};

const MESSAGES: Partial<Record<Sale['status'], string>> = {
  pending: 'Venda registrada; o pagamento está em processamento.',
  awaiting_payment: 'Venda registrada; aguardando o pagamento no link.',
  paid: 'Venda registrada e paga; a apólice está em emissão.',
  issued: 'Venda registrada, paga e apólice emitida.',
};

/** The field with the payment that was refused. */
const paymentField = (sale: Sale, body: Readonly<Record<string, unknown>>): string => {
  if (!isChargedToCard(sale)) return 'payment';
  const own = Object.values(body['creditCard'] ?? {}).some((each) => (each ?? '') !== '');
  return own ? 'creditCard' : 'payment.creditCard';
};

/** @throws AnswerError if the payment was refused. The sale stays stored as refused. */
export const presentCelularSale = (
  sale: Sale,
  body: Readonly<Record<string, unknown>>,
): Static<typeof createdCelularSale> => {
  const { id, ticket } = sale;
  if (sale.status === 'refused') {
    const { code, text } = explainRefused(sale);
    const error = `Pagamento não realizado: ${text}.`;
    const faults = faultAt(paymentField(sale, body), 'refused', error);
    const answer = { error, errors: messagesOf(faults), transaction_id: id, ticket };
    throw answerError(422, code, answer, faultHeaders(faults));
  }
  return {
    message: MESSAGES[sale.status] ?? 'Venda registrada.',
    link: paymentUrlOf(sale),
    data: created.present({ sale }),
  };
};

const status = described<StatusSource>()({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  status_id: [Type.Integer({ minimum: 1, maximum: 8 }), ({ sale }) => statusIdOf(sale)],
  status: [Type.String(), ({ sale }) => sale.status],
  payment_status: [Type.Enum(PAYMENT_STATUSES), ({ sale }) => paymentStatusOf(sale)],
  payment_url: [nullableText(), ({ sale }) => paymentUrlOf(sale)],
  document_url: [
    nullableText('A apólice em PDF, por um tempo; nulo enquanto não há apólice em vigor'),
    ({ documentUrl }) => documentUrl,
  ],
  vigencia: [period.schema, ({ sale }) => period.present(coverOf(sale))],
  ...policy,
  ...givenNames,
  ...protocol,
});

export const celularStatus = namedObject('CelularStatus', {
  success: Type.Literal(true),
  data: status.schema,
});

export const presentCelularStatus = (source: StatusSource): Static<typeof celularStatus> => ({
  success: true,
  data: status.present(source),
});
