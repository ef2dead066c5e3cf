import { Ajv } from 'ajv';
import Type, { type Static, type TSchema } from 'typebox';
import {
  addDays,
  type CalendarDate,
  type Cents,
  calendarDate,
  cents,
  type Instant,
  type PaymentMethod,
  type PaymentReport,
} from '#domain';

const optional = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** A payment as Asaas writes it; whatever is optional may be null or missing, and more may be in it. */
const payment = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }),
  status: Type.String(),
  value: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
  billingType: optional(Type.String()),
  externalReference: optional(Type.String()),
  installment: optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })),
  deleted: optional(Type.Boolean()),
  dueDate: optional(Type.String()),
  dateCreated: optional(Type.String()),
  clientPaymentDate: optional(Type.String()),
  confirmedDate: optional(Type.String()),
  paymentDate: optional(Type.String()),
  invoiceUrl: optional(Type.String()),
  bankSlipUrl: optional(Type.String()),
  refunds: optional(
    Type.Array(
      Type.Object({
        status: optional(Type.String()),
        value: Type.Number({ minimum: 0, maximum: 1e9 }),
      }),
    ),
  ),
});

export type AsaasPayment = Static<typeof payment>;

/** Whether it can be read, the whole of it: what cannot is no ground for moving money. */
export const isPayment = (() => {
  const isOne = new Ajv().compile<AsaasPayment>(payment);
  return (value: unknown): value is AsaasPayment =>
    isOne(value) &&
    [value.value, ...(value.refunds ?? []).map((each) => each.value)].every(isAmount);
})();

/** Decimals come with floating dust at times; half a cent is no dust. */
const isAmount = (value: number): boolean =>
  Math.abs(value * 100 - Math.round(value * 100)) < 1e-6 * Math.max(1, value);

const inCents = (value: number): Cents => cents(Math.round(value * 100));

/** The payer has paid, whatever became of the money since: a contested payment counts as paid until it has gone back. */
const PAID =
  /^(RECEIVED|CONFIRMED|RECEIVED_IN_CASH|DUNNING_RECEIVED|REFUNDED|REFUND_REQUESTED|REFUND_IN_PROGRESS|CHARGEBACK_REQUESTED|CHARGEBACK_DISPUTE|AWAITING_CHARGEBACK_REVERSAL)$/;

/** It is for the payer to pay; a boleto that is overdue may be paid still, for some days. */
const OPEN = /^(PENDING|OVERDUE)$/;

const METHODS: Readonly<Record<string, PaymentMethod>> = {
  CREDIT_CARD: 'credit',
  DEBIT_CARD: 'debit',
  PIX: 'pix',
  BOLETO: 'boleto',
};

/** Days after its due date on which a boleto may still be paid, or its payment become known. */
const GRACE_DAYS = 3;

const sum = (values: readonly number[]): Cents =>
  values.reduce((before, each) => before + each, 0) as Cents;
const day = (text: string | null | undefined): CalendarDate | undefined =>
  calendarDate((text ?? '').slice(0, 10));

/** What has gone back of one payment; what is under way counts, and where nobody says how much, it is all. */
const returnedOf = ({ status, value, refunds }: AsaasPayment): Cents => {
  const valid = (refunds ?? []).filter((each) => each.status !== 'CANCELLED');
  const isUnderWay = /^(REFUNDED|REFUND_REQUESTED|REFUND_IN_PROGRESS)$/.test(status);
  return isUnderWay && valid.length === 0
    ? inCents(value)
    : sum(valid.map((each) => inCents(each.value)));
};

/** What has gone back of a purchase. */
export const returnedOfAll = (payments: readonly AsaasPayment[]): Cents =>
  sum(payments.map(returnedOf));

/** By what the whole is known: a purchase in installments is as many payments under one number. */
export const chargeIdOf = ({ installment, id }: AsaasPayment): string => installment ?? id;

/** What a purchase, of one payment or of many, says of the sale. */
const reportsOf = (
  payments: readonly [AsaasPayment, ...AsaasPayment[]],
  today: CalendarDate,
): readonly PaymentReport[] => {
  const [first] = payments;
  const about = {
    chargeId: chargeIdOf(first),
    amount: sum(payments.map(({ value }) => inCents(value))),
  };
  if (payments.every(({ status }) => PAID.test(status))) {
    const { clientPaymentDate, confirmedDate, paymentDate, dateCreated } = first;
    const paidOn =
      day(clientPaymentDate) ?? day(confirmedDate) ?? day(paymentDate) ?? day(dateCreated) ?? today;
    const method = METHODS[first.billingType ?? ''];
    const returned = returnedOfAll(payments);
    const approved = {
      ...about,
      status: 'approved',
      collectedBy: 'service',
      paidOn,
      ...(method && { method }),
    } as const;
    return returned > 0 ? [approved, { ...about, status: 'returned', returned }] : [approved];
  }
  if (payments.every(({ deleted }) => deleted === true)) return [{ ...about, status: 'expired' }];
  const url = (first.billingType === 'BOLETO' ? first.bankSlipUrl : undefined) ?? first.invoiceUrl;
  if (payments.every(({ status }) => OPEN.test(status)) && typeof url === 'string') {
    const lastDay = addDays(day(first.dueDate) ?? today, GRACE_DAYS);
    // The end of that day in Brazil.
    return [
      {
        ...about,
        status: 'awaited',
        url,
        until: `${addDays(lastDay, 1)}T03:00:00.000Z` as Instant,
      },
    ];
  }
  // Being looked into; or a word that did not exist when this was written.
  return [{ ...about, status: 'unknown' }];
};

/** What all payments under one reference say, the oldest purchase first. */
export const reportsOfAll = (
  payments: readonly AsaasPayment[],
  today: CalendarDate,
): readonly PaymentReport[] => {
  const purchases = new Map<string, [AsaasPayment, ...AsaasPayment[]]>();
  for (const payment of [...payments].reverse()) {
    const known = purchases.get(chargeIdOf(payment));
    if (known === undefined) purchases.set(chargeIdOf(payment), [payment]);
    else known.push(payment);
  }
  return [...purchases.values()].flatMap((purchase) => reportsOf(purchase, today));
};
