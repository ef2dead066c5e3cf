import { Ajv } from 'ajv';
import Type from 'typebox';

/**
 * What Asaas's OpenAPI document says of the requests and answers that the double has a part in
 * (docs.asaas.com: "Criar nova cobrança", "Criar cobrança com cartão de crédito", "Capturar cobrança
 * com Pré-Autorização", "Estornar cobrança", "Estornar boleto"). Answers may have null or no value where the document names one, as
 * captures of the test environment show.
 */
const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const money = Type.Number({ exclusiveMinimum: 0 });
const maybe = (schema: Type.TSchema) => Type.Optional(Type.Union([schema, Type.Null()]));
const closed = <Fields extends Type.TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

const REFUND_STATUSES = [
  ...['PENDING', 'AWAITING_CRITICAL_ACTION_AUTHORIZATION', 'CANCELLED', 'DONE'],
  'AWAITING_CUSTOMER_EXTERNAL_AUTHORIZATION',
];

const chargeback = Type.Object({
  id: maybe(Type.String()),
  payment: maybe(Type.String()),
  installment: maybe(Type.String()),
  status: Type.Enum(['REQUESTED', 'IN_DISPUTE', 'DISPUTE_LOST', 'REVERSED', 'DONE']),
  value: maybe(money),
  disputeStatus: maybe(Type.Enum(['REQUESTED', 'ACCEPTED', 'REJECTED'])),
  deadlineToSendDisputeDocuments: maybe(day),
});

const payment = Type.Object({
  object: Type.Literal('payment'),
  id: Type.String({ pattern: '^pay_' }),
  customer: Type.String({ pattern: '^cus_' }),
  dateCreated: day,
  dueDate: day,
  value: money,
  originalValue: maybe(money),
  billingType: Type.Enum([
    ...['UNDEFINED', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD', 'TRANSFER', 'DEPOSIT', 'PIX'],
  ]),
  status: Type.Enum([
    ...['PENDING', 'RECEIVED', 'CONFIRMED', 'OVERDUE', 'REFUNDED', 'RECEIVED_IN_CASH'],
    ...['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE'],
    ...['AWAITING_CHARGEBACK_REVERSAL', 'DUNNING_REQUESTED', 'DUNNING_RECEIVED'],
    ...['AWAITING_RISK_ANALYSIS', 'AUTHORIZED'],
  ]),
  paymentDate: maybe(day),
  clientPaymentDate: maybe(day),
  installment: maybe(Type.String()),
  installmentNumber: maybe(Type.Integer()),
  invoiceUrl: Type.String({ pattern: '^https:' }),
  bankSlipUrl: maybe(Type.String({ pattern: '^https:' })),
  externalReference: maybe(Type.String()),
  deleted: Type.Boolean(),
  refunds: maybe(Type.Array(Type.Object({ status: Type.Enum(REFUND_STATUSES), value: money }))),
  chargeback: maybe(chargeback),
});

const charge = closed({
  customer: Type.String(),
  billingType: Type.Enum(['UNDEFINED', 'BOLETO', 'CREDIT_CARD', 'PIX']),
  // One of both: `value` alone for a single payment, `totalValue` with a count for installments.
  value: Type.Optional(money),
  totalValue: Type.Optional(money),
  installmentCount: Type.Optional(Type.Integer({ minimum: 2 })),
  dueDate: day,
  description: Type.Optional(Type.String({ maxLength: 500 })),
  daysAfterDueDateToRegistrationCancellation: Type.Optional(Type.Integer({ minimum: 0 })),
  externalReference: Type.Optional(Type.String()),
  callback: Type.Optional(closed({ successUrl: Type.String(), autoRedirect: Type.Boolean() })),
  creditCard: Type.Optional(
    closed({
      holderName: Type.String(),
      number: Type.String(),
      expiryMonth: Type.String(),
      expiryYear: Type.String(),
      ccv: Type.String(),
    }),
  ),
  creditCardHolderInfo: Type.Optional(
    closed({
      name: Type.String(),
      email: Type.String(),
      cpfCnpj: Type.String(),
      postalCode: Type.String(),
      addressNumber: Type.String(),
      phone: Type.String(),
    }),
  ),
  remoteIp: Type.Optional(Type.String()),
  authorizeOnly: Type.Optional(Type.Boolean()),
});

const refund = closed({ value: Type.Optional(money), description: Type.Optional(Type.String()) });

const ajv = new Ajv({ allErrors: true, strict: false });
const REQUESTS: readonly (readonly [RegExp, ReturnType<Ajv['compile']> | 'none'])[] = [
  [/^POST \/v3\/payments$/, ajv.compile(charge)],
  [/^POST \/v3\/payments\/[^/]+\/refund$/, ajv.compile(refund)],
  [/^POST \/v3\/installments\/[^/]+\/refund$/, ajv.compile(closed({ value: money }))],
  [/^POST \/v3\/payments\/[^/]+\/captureAuthorizedPayment$/, 'none'],
  [/^POST \/v3\/payments\/[^/]+\/bankSlip\/refund$/, 'none'],
];
const isPayment = ajv.compile(payment);

/** The faults of a request by the document; empty: it has none, or the document is not kept here. */
export const faultsOfRequest = (method: string, path: string, body: unknown): readonly string[] => {
  const named = `${method} ${path}`;
  const [, check] = REQUESTS.find(([pattern]) => pattern.test(named)) ?? [];
  if (check === undefined) return [];
  if (check === 'none')
    return Object.keys(body ?? {}).length === 0 ? [] : [`${named} takes no body`];
  return check(body) ? [] : [`${named}: ${ajv.errorsText(check.errors)}`];
};

/** The faults of a payment in an answer or a notice. */
export const faultsOfPayment = (shown: unknown): readonly string[] =>
  isPayment(shown) ? [] : [`payment: ${ajv.errorsText(isPayment.errors)}`];
