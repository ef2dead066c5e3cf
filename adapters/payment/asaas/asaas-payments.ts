import { Ajv, type ValidateFunction } from 'ajv';
import Type, { type Static } from 'typebox';
import {
  addDays,
  type CalendarDate,
  type Cents,
  type Dispute,
  type Instant,
  lastDayOfBoleto,
  min,
  type PaymentMethod,
  type PaymentReport,
  parseDate,
  type RefundWait,
} from '#domain';
import { inCents, isWholeCents, optional } from '../reais.ts';

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
      id: optional(Type.String()),
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

const isLost = ({ chargeback }: AsaasPayment): boolean =>
  CHARGEBACK_LOST.test(chargeback?.status ?? '');

/**
 * Adds up chargebacks, in cents: of each no more than its payments. A chargeback of a purchase in
 * installments may be shown for the whole on each payment.
 */
const sumChargebacks = (payments: readonly AsaasPayment[]): Cents =>
  sum(
    [...Map.groupBy(payments, ({ chargeback, id }) => chargeback?.id ?? id).values()].map((own) => {
      const most = sum(own.map((each) => inCents(each.value)));
      const value = own[0]?.chargeback?.value;
      return typeof value === 'number' ? Math.min(inCents(value), most) : most;
    }),
  );

const disputeOf = (payments: readonly AsaasPayment[]): Dispute | undefined => {
  const [open, lost] = [payments.filter(isDisputed), payments.filter(isLost)];
  const won = payments.filter(({ chargeback }) => chargeback?.status === 'REVERSED');
  const about = [open, lost, won].find((each) => each.length > 0);
  if (about === undefined) return undefined;
  const [respondBy] = about
    .flatMap(({ chargeback }) => readDay(chargeback?.deadlineToSendDisputeDocuments) ?? [])
    .sort();
  const ended = about === lost ? 'lost' : 'won';
  return {
    status: about === open ? 'opened' : ended,
    amount: sumChargebacks(about),
    ...(respondBy && { respondBy }),
  };
};

/** What is to be known of the money of a purchase before any of it is returned. */
const heldMoneyOf = (payments: readonly AsaasPayment[]) => {
  const dispute = disputeOf(payments);
  return {
    ...(dispute && { dispute }),
    ...(payments.some(({ status }) => status === 'RECEIVED_IN_CASH') && { inCash: true as const }),
    // `bankSlip/refund` takes no amount (docs.asaas.com, "Estornar boleto").
    ...(payments[0]?.billingType === 'BOLETO' && { returnsWholeOnly: true as const }),
  };
};

/** Whether an amount of a purchase can be returned now. */
export const canReturn = (payments: readonly AsaasPayment[], amount: number): boolean => {
  const { dispute, inCash, returnsWholeOnly } = heldMoneyOf(payments);
  const whole = sum(payments.map(({ value }) => inCents(value)));
  return dispute?.status !== 'opened' && !inCash && (!returnsWholeOnly || amount === whole);
};

/** The payer can still pay. An overdue boleto can be paid for some days. */
const OPEN: readonly string[] = ['PENDING', 'OVERDUE'];

const METHODS: Readonly<Record<string, PaymentMethod>> = {
  CREDIT_CARD: 'credit',
  DEBIT_CARD: 'debit',
  PIX: 'pix',
  BOLETO: 'boleto',
};

const sum = (values: readonly number[]): Cents =>
  values.reduce((before, each) => before + each, 0) as Cents;

const readDay = (text: string | null | undefined): CalendarDate | undefined =>
  parseDate((text ?? '').slice(0, 10));

type Refund = NonNullable<AsaasPayment['refunds']>[number];

const sumOf = (refunds: readonly Refund[]): Cents =>
  sum(refunds.map(({ value }) => inCents(value)));

const statusOf = ({ status }: Refund): string => status ?? 'DONE';

const pendingOf = (refunds: AsaasPayment['refunds']): Cents =>
  sumOf((refunds ?? []).filter((each) => !/^(DONE|CANCELLED)$/.test(statusOf(each))));

/**
 * What was refunded of one payment, in cents. A refund is done at `DONE` alone: before, a bank or
 * the account's owner may still cancel it.
 */
const refundedOf = ({ status, value, refunds }: AsaasPayment): Cents =>
  status === 'REFUNDED' && pendingOf(refunds) === 0
    ? inCents(value)
    : sumOf((refunds ?? []).filter((each) => statusOf(each) === 'DONE'));

/**
 * What has left of a purchase, in cents. What the bank has taken back has left as well, also of a
 * payment that was refunded before: then it has left twice, and less of the purchase is there.
 */
const sumReturned = (payments: readonly AsaasPayment[]): Cents =>
  min(
    sum(payments.map(({ value }) => inCents(value))),
    sum([...payments.map(refundedOf), sumChargebacks(payments.filter(isLost))]),
  );

/** What is on its way of one payment: a refund of the whole is not always listed. */
const onItsWayOf = ({ status, value, refunds }: AsaasPayment): Cents => {
  const pending = pendingOf(refunds);
  const isWhole = /^REFUND_(REQUESTED|IN_PROGRESS)$/.test(status) && pending === 0;
  return isWhole ? inCents(value) : pending;
};

/** Adds up what was ordered of a purchase, in cents. */
export const sumOrdered = (payments: readonly AsaasPayment[]): Cents => {
  const whole = sum(payments.map(({ value }) => inCents(value)));
  return min(whole, sum([sumReturned(payments), ...payments.map(onItsWayOf)]));
};

/** Who has to act before a refund of a purchase can leave. */
const waitOf = (payments: readonly AsaasPayment[]): RefundWait | undefined => {
  const isBoleto = payments[0]?.billingType === 'BOLETO';
  if (isBoleto && payments.some(({ status }) => status === 'REFUND_REQUESTED'))
    return { actor: 'insured' };
  // In Asaas' app, or by the mechanism that the account has set up for it.
  const refunds = payments.flatMap((each) => each.refunds ?? []);
  return refunds.some((each) => /^AWAITING_/.test(statusOf(each)))
    ? { actor: 'operator' }
    : undefined;
};

/** The day on which Asaas created a payment; undefined: it says none. */
export const creationDayOf = ({ dateCreated }: AsaasPayment): CalendarDate | undefined =>
  readDay(dateCreated);

/** The id of a purchase. One in installments is several payments with the same `installment`. */
export const chargeIdOf = ({ installment, id }: AsaasPayment): string => installment ?? id;

/**
 * Whether an authorised card was released: a refund, or the end of three days, without a payment
 * (docs.asaas.com, "Como criar uma cobrança com pré-autorização?").
 */
const isReleased = ({ status, billingType, ...days }: AsaasPayment): boolean =>
  status === 'REFUNDED' &&
  billingType === 'CREDIT_CARD' &&
  !(days.clientPaymentDate ?? days.confirmedDate ?? days.paymentDate);

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
  if (payments.every((each) => each.deleted === true || isReleased(each)))
    return [{ ...about, status: 'expired' }];
  if (payments.every(({ status }) => PAID.includes(status))) {
    const { clientPaymentDate, confirmedDate, paymentDate, dateCreated } = first;
    const paidOn =
      readDay(clientPaymentDate) ??
      readDay(confirmedDate) ??
      readDay(paymentDate) ??
      readDay(dateCreated) ??
      today;
    const method = METHODS[first.billingType ?? ''];
    const returned = sumReturned(payments);
    const ordered = sumOrdered(payments);
    const waitsFor = waitOf(payments);
    const approved = {
      ...about,
      status: 'approved',
      collectedBy: 'service',
      paidOn,
      ...(method && { method }),
      ...heldMoneyOf(payments),
    } as const;
    if (ordered === 0) return [approved];
    const onItsWay = ordered > returned ? { ordered, ...(waitsFor && { waitsFor }) } : {};
    return [approved, { ...about, status: 'returned', returned, ...onItsWay }];
  }
  const isAuthorized = payments.every(({ status }) => status === 'AUTHORIZED');
  if (isAuthorized) return [{ ...about, status: 'unknown', isAuthorized }];
  const url = (first.billingType === 'BOLETO' ? first.bankSlipUrl : undefined) ?? first.invoiceUrl;
  if (payments.every(({ status }) => OPEN.includes(status)) && typeof url === 'string') {
    const lastDay = lastDayOfBoleto(readDay(first.dueDate) ?? today);
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
