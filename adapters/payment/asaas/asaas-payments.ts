import { Ajv, type ValidateFunction } from 'ajv';
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
  type RefundBar,
} from '#domain';

const optional = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** A payment of Asaas. Optional fields may be null or missing. Other fields are ignored. */
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
  chargeback: optional(
    Type.Object({
      status: optional(Type.String()),
      value: optional(Type.Number({ minimum: 0, maximum: 1e9 })),
      deadlineToSendDisputeDocuments: optional(Type.String()),
    }),
  ),
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

let validate: ValidateFunction<AsaasPayment> | undefined;

/** The schema is compiled at the first answer, because that slows down a start. */
const matchesSchema = (value: unknown): value is AsaasPayment => {
  validate ??= new Ajv().compile<AsaasPayment>(payment);
  return validate(value);
};

/** Whether the whole payment can be read. The service moves no money on a payment that cannot. */
export const isPayment = (value: unknown): value is AsaasPayment =>
  matchesSchema(value) &&
  [value.value, ...(value.refunds ?? []).map((each) => each.value)].every(isWholeCents);

/** Accepts rounding errors of floating point (32.11000000000001), but not half a cent. */
const isWholeCents = (value: number): boolean =>
  Math.abs(value * 100 - Math.round(value * 100)) < 1e-6 * Math.max(1, value);

const inCents = (value: number): Cents => cents(Math.round(value * 100));

/** The payer has paid. A payment in dispute counts as paid until the money has been returned. */
const PAID: readonly string[] = [
  'RECEIVED',
  'CONFIRMED',
  'RECEIVED_IN_CASH',
  'DUNNING_RECEIVED',
  'REFUNDED',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
];

/** Won, too, while the bank has not yet given the money back. */
const DISPUTED: readonly string[] = [
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
];

/**
 * A chargeback has a status of its own, under a payment whose status may stay as it was
 * (docs.asaas.com, "Chargeback"). `REVERSED`: the shop has won.
 */
const CHARGEBACK_OPEN = /^(REQUESTED|IN_DISPUTE)$/;
const CHARGEBACK_LOST = /^(DISPUTE_LOST|DONE)$/;

const isDisputed = ({ status, chargeback }: AsaasPayment): boolean => {
  const stage = chargeback?.status ?? '';
  return !CHARGEBACK_LOST.test(stage) && (DISPUTED.includes(status) || CHARGEBACK_OPEN.test(stage));
};

/** What bars refunds of a purchase, of one payment or several. */
export const refundBarOf = (payments: readonly AsaasPayment[]): RefundBar | undefined => {
  const disputed = payments.filter(isDisputed);
  const [respondBy] = disputed
    .flatMap(({ chargeback }) => readDay(chargeback?.deadlineToSendDisputeDocuments) ?? [])
    .sort();
  if (disputed.length > 0) return { by: 'dispute', ...(respondBy && { respondBy }) };
  const isCash = payments.some(({ status }) => status === 'RECEIVED_IN_CASH');
  return isCash ? { by: 'paid_in_cash' } : undefined;
};

/** The payer can still pay. An overdue boleto can be paid for some days. */
const OPEN: readonly string[] = ['PENDING', 'OVERDUE'];

const METHODS: Readonly<Record<string, PaymentMethod>> = {
  CREDIT_CARD: 'credit',
  DEBIT_CARD: 'debit',
  PIX: 'pix',
  BOLETO: 'boleto',
};

/** Days after the due date of a boleto on which it may be paid, or Asaas may report the payment. */
export const BOLETO_GRACE_DAYS = 3;

const sum = (values: readonly number[]): Cents =>
  values.reduce((before, each) => before + each, 0) as Cents;

const readDay = (text: string | null | undefined): CalendarDate | undefined =>
  calendarDate((text ?? '').slice(0, 10));

type Refund = NonNullable<AsaasPayment['refunds']>[number];

const sumOf = (refunds: readonly Refund[]): Cents =>
  sum(refunds.map(({ value }) => inCents(value)));

const statusOf = ({ status }: Refund): string => status ?? 'DONE';

const pendingOf = (refunds: AsaasPayment['refunds']): Cents =>
  sumOf((refunds ?? []).filter((each) => !/^(DONE|CANCELLED)$/.test(statusOf(each))));

/**
 * What has left of one payment, in cents. A refund is done at `DONE` alone: before, a bank or the
 * account's owner may still cancel it. What the bank has taken back has left as well.
 */
const returnedOf = ({ status, value, refunds, chargeback }: AsaasPayment): Cents => {
  if (status === 'REFUNDED' && pendingOf(refunds) === 0) return inCents(value);
  const done = sumOf((refunds ?? []).filter((each) => statusOf(each) === 'DONE'));
  if (!CHARGEBACK_LOST.test(chargeback?.status ?? '')) return done;
  return Math.min(done + inCents(chargeback?.value ?? value), inCents(value)) as Cents;
};

/** What was ordered of one payment: a refund of the whole is not always listed. */
const orderedOf = (payment: AsaasPayment): Cents => {
  const [whole, pending] = [inCents(payment.value), pendingOf(payment.refunds)];
  if (/^REFUND_(REQUESTED|IN_PROGRESS)$/.test(payment.status) && pending === 0) return whole;
  return Math.min(returnedOf(payment) + pending, whole) as Cents;
};

/** Adds up what was ordered of a purchase, in cents. */
export const sumOrdered = (payments: readonly AsaasPayment[]): Cents =>
  sum(payments.map(orderedOf));

/** The day on which Asaas created a payment; undefined: it says none. */
export const creationDayOf = ({ dateCreated }: AsaasPayment): CalendarDate | undefined =>
  readDay(dateCreated);

/** The id of a purchase. One in installments is several payments with the same `installment`. */
export const chargeIdOf = ({ installment, id }: AsaasPayment): string => installment ?? id;

/** Translates a purchase, of one payment or several, to reports of the port. */
const reportPurchase = (
  payments: readonly [AsaasPayment, ...AsaasPayment[]],
  today: CalendarDate,
): readonly PaymentReport[] => {
  const [first] = payments;
  const about = {
    chargeId: chargeIdOf(first),
    amount: sum(payments.map(({ value }) => inCents(value))),
  };
  if (payments.every(({ status }) => PAID.includes(status))) {
    const { clientPaymentDate, confirmedDate, paymentDate, dateCreated } = first;
    const paidOn =
      readDay(clientPaymentDate) ??
      readDay(confirmedDate) ??
      readDay(paymentDate) ??
      readDay(dateCreated) ??
      today;
    const method = METHODS[first.billingType ?? ''];
    const returned = sum(payments.map(returnedOf));
    const ordered = sumOrdered(payments);
    const barred = refundBarOf(payments);
    const approved = {
      ...about,
      status: 'approved',
      collectedBy: 'service',
      paidOn,
      ...(method && { method }),
      ...(barred && { barred }),
    } as const;
    if (ordered === 0) return [approved];
    const onItsWay = ordered > returned ? { ordered } : {};
    return [approved, { ...about, status: 'returned', returned, ...onItsWay }];
  }
  if (payments.every(({ deleted }) => deleted === true)) return [{ ...about, status: 'expired' }];
  const url = (first.billingType === 'BOLETO' ? first.bankSlipUrl : undefined) ?? first.invoiceUrl;
  if (payments.every(({ status }) => OPEN.includes(status)) && typeof url === 'string') {
    const lastDay = addDays(readDay(first.dueDate) ?? today, BOLETO_GRACE_DAYS);
    // The day ends in Brazil (UTC-3) at 03:00 UTC of the next day.
    const until = `${addDays(lastDay, 1)}T03:00:00.000Z` as Instant;
    return [{ ...about, status: 'awaited', url, until }];
  }
  // Risk analysis, or a status that is newer than this adapter.
  return [{ ...about, status: 'unknown' }];
};

/** Translates all payments under one reference to reports, the oldest purchase first. */
export const reportPayments = (
  payments: readonly AsaasPayment[],
  today: CalendarDate,
): readonly PaymentReport[] => {
  const purchases = new Map<string, [AsaasPayment, ...AsaasPayment[]]>();
  for (const payment of [...payments].reverse()) {
    const known = purchases.get(chargeIdOf(payment));
    if (known === undefined) purchases.set(chargeIdOf(payment), [payment]);
    else known.push(payment);
  }
  return [...purchases.values()].flatMap((purchase) => reportPurchase(purchase, today));
};
