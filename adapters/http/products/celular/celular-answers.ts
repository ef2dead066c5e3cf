import Type, { type Static } from 'typebox';
import { isChargedToCard, refuse, type Sale } from '#domain';
import { type AnswerError, answerError } from '../../../kit/contract/answer-error.ts';
import { fieldFaultsSchema } from '../../../kit/contract/answer-shapes.ts';
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
  amountsShape,
  explainRefused,
  PAYMENT_STATUSES,
  paymentStatusOf,
  paymentUrlOf,
  periodShape,
  policyNumberOf,
  presentAmounts,
  presentPeriod,
  presentProtocol,
  presentSaleNames,
  protocolShape,
  saleNamesShape,
  statusIdOf,
} from '../../sales/sale-answer-parts.ts';

const policyShape = {
  policy_no: nullableText('Nulo até a emissão'),
  amounts: amountsShape,
};

const presentPolicy = (sale: Sale) => ({
  policy_no: policyNumberOf(sale),
  amounts: presentAmounts(sale.terms.quote.premium),
});

export const createdCelularSale = namedObject('CreatedCelularSale', {
  message: Type.String(),
  link: nullableText('Página de pagamento; nulo quando um cartão foi enviado'),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    status: Type.String(),
    ...policyShape,
  }),
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
  const { id, ticket, status } = sale;
  if (sale.status === 'refused') {
    const { code, text } = explainRefused(sale);
    const error = `Pagamento não realizado: ${text}.`;
    const faults = faultAt(paymentField(sale, body), 'refused', error);
    const answer = { error, errors: messagesOf(faults), transaction_id: id, ticket };
    throw answerError(422, code, answer, faultHeaders(faults));
  }
  return {
    message: MESSAGES[status] ?? 'Venda registrada.',
    link: paymentUrlOf(sale),
    data: { transaction_id: id, ticket, status, ...presentPolicy(sale) },
  };
};

export const celularStatus = namedObject('CelularStatus', {
  success: Type.Literal(true),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    status_id: Type.Integer({ minimum: 1, maximum: 8 }),
    status: Type.String(),
    payment_status: Type.Enum(PAYMENT_STATUSES),
    payment_url: nullableText(),
    document_url: nullableText(
      'A apólice em PDF, por um tempo; nulo enquanto não há apólice em vigor',
    ),
    vigencia: periodShape,
    ...policyShape,
    ...saleNamesShape,
    ...protocolShape,
  }),
});

export const presentCelularStatus = (
  sale: Sale,
  documentUrl: string | null,
): Static<typeof celularStatus> => ({
  success: true,
  data: {
    transaction_id: sale.id,
    ticket: sale.ticket,
    status_id: statusIdOf(sale),
    status: sale.status,
    payment_status: paymentStatusOf(sale),
    payment_url: paymentUrlOf(sale),
    document_url: documentUrl,
    vigencia: presentPeriod(sale),
    ...presentPolicy(sale),
    ...presentSaleNames(sale),
    ...presentProtocol(sale),
  },
});
