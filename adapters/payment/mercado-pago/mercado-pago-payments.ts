import { Ajv, type ValidateFunction } from 'ajv';
import Type, { type Static } from 'typebox';
import {
  addDays,
  businessDay,
  type CalendarDate,
  type Cents,
  type DeclineReason,
  type Dispute,
  type Instant,
  instantOf,
  lastReportDay,
  min,
  type PaymentMethod,
  type PaymentReport,
} from '#domain';
import { inCents, isWholeCents, optional } from '../reais.ts';

const reais = Type.Number({ minimum: 0, maximum: 1e9 });

const refund = Type.Object({ status: optional(Type.String()), amount: reais });

/** A payment of Mercado Pago (`GET /v1/payments/{id}`). Other fields are ignored. */
const payment = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  status: Type.String(),
  status_detail: optional(Type.String()),
  transaction_amount: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
  transaction_amount_refunded: optional(reais),
  external_reference: optional(Type.String()),
  date_created: Type.String(),
  date_approved: optional(Type.String()),
  date_of_expiration: optional(Type.String()),
  payment_type_id: optional(Type.String()),
  order: optional(Type.Object({ type: optional(Type.String()) })),
  refunds: optional(Type.Array(refund)),
  transaction_details: optional(Type.Object({ external_resource_url: optional(Type.String()) })),
  point_of_interaction: optional(
    Type.Object({
      transaction_data: optional(Type.Object({ ticket_url: optional(Type.String()) })),
    }),
  ),
});

type Shown = Static<typeof payment>;

/** A payment, with what other addresses say of it. */
export interface MercadoPagoPayment extends Shown {
  /** Refunds that wait for the bank: the payment itself does not show them. */
  readonly pendingRefunds?: readonly Static<typeof refund>[];
  readonly chargeback?: { readonly amount?: number; readonly respondBy?: Instant };
}

let validate: ValidateFunction<Shown> | undefined;
let validateRefunds: ValidateFunction<Static<typeof refund>[]> | undefined;

/** Whether a list of refunds can be read. */
export const isRefunds = (value: unknown): value is Static<typeof refund>[] => {
  validateRefunds ??= new Ajv().compile<Static<typeof refund>[]>(Type.Array(refund));
  return validateRefunds(value) && value.every(({ amount }) => isWholeCents(amount));
};

/** Whether the whole payment can be read. The service moves no money on a payment that cannot. */
export const isPayment = (value: unknown): value is MercadoPagoPayment => {
  // Compiled at the first answer, because that slows down a start.
  validate ??= new Ajv().compile<Shown>(payment);
  return (
    validate(value) &&
    [
      value.transaction_amount,
      value.transaction_amount_refunded ?? 0,
      ...(value.refunds ?? []).map((each) => each.amount),
    ].every(isWholeCents) &&
    readInstant(value.date_created) !== undefined
  );
};

const METHODS: Readonly<Record<string, PaymentMethod>> = {
  credit_card: 'credit',
  debit_card: 'debit',
  prepaid_card: 'debit',
  bank_transfer: 'pix',
  ticket: 'boleto',
};

export const readInstant = (text: unknown): Instant | undefined =>
  typeof text === 'string' && Number.isFinite(Date.parse(text))
    ? instantOf(new Date(text))
    : undefined;

/** The business day of a time. Mercado Pago writes times in UTC-4, so its days are not those of Brazil. */
const dayOf = (text: string | null | undefined): CalendarDate | undefined => {
  const at = readInstant(text);
  return at && businessDay(at);
};

export const creationDayOf = ({ date_created: at }: MercadoPagoPayment): CalendarDate =>
  dayOf(at) as CalendarDate;

const sumOf = (refunds: readonly Static<typeof refund>[], status: string): Cents =>
  refunds
    .filter((each) => each.status === status)
    .reduce((sum, { amount }) => sum + inCents(amount), 0) as Cents;

const isLost = ({ status, status_detail: detail }: MercadoPagoPayment): boolean =>
  status === 'charged_back' && detail === 'settled';

/** What has left of a payment, in cents: by refunds, or because a chargeback was lost. */
const returnedOf = (paid: MercadoPagoPayment): Cents => {
  const whole = inCents(paid.transaction_amount);
  if (paid.status === 'refunded' || isLost(paid)) return whole;
  const shown = inCents(paid.transaction_amount_refunded ?? 0);
  // The sum may still be 0 while the refund is listed.
  return min(whole, Math.max(shown, sumOf(paid.refunds ?? [], 'approved')) as Cents);
};

/** What was ordered back of a payment, in cents, what has left included. */
export const orderedOf = (paid: MercadoPagoPayment): Cents => {
  const pending = sumOf([...(paid.refunds ?? []), ...(paid.pendingRefunds ?? [])], 'in_process');
  return min(inCents(paid.transaction_amount), (returnedOf(paid) + pending) as Cents);
};

/** A won chargeback stays `charged_back`: the detail decides. */
const disputeOf = (paid: MercadoPagoPayment): Dispute | undefined => {
  const { status, status_detail: detail, chargeback } = paid;
  if (status !== 'charged_back' && status !== 'in_mediation') return undefined;
  const whole = inCents(paid.transaction_amount);
  const claimed = chargeback?.amount;
  const ended = { settled: 'lost', reimbursed: 'won' } as const;
  return {
    status: (status === 'charged_back' && ended[detail as keyof typeof ended]) || 'opened',
    amount: claimed === undefined ? whole : min(whole, inCents(claimed)),
    ...(chargeback?.respondBy && { respondBy: businessDay(chargeback.respondBy) }),
  };
};

export const isDisputed = (paid: MercadoPagoPayment): boolean =>
  disputeOf(paid)?.status === 'opened';

/** The payer has paid. A payment in dispute counts as paid until the money has been returned. */
const PAID = ['approved', 'refunded', 'charged_back', 'in_mediation'];

export const isPaid = ({ status }: MercadoPagoPayment): boolean => PAID.includes(status);

/** A payment that can still bring money. */
export const isOpen = ({ status }: MercadoPagoPayment): boolean =>
  ['pending', 'in_process', 'authorized'].includes(status);

const reasonOf = (detail = ''): DeclineReason =>
  /insufficient_amount$/.test(detail) ? 'insufficient_funds' : 'declined';

/** Translates a payment to reports of the port. */
export const reportPayment = (
  paid: MercadoPagoPayment,
  chargeId = String(paid.id),
): readonly PaymentReport[] => {
  const about = { chargeId, amount: inCents(paid.transaction_amount) };
  const method = METHODS[paid.payment_type_id ?? ''];
  if (isPaid(paid)) {
    const dispute = disputeOf(paid);
    const approved = {
      ...about,
      status: 'approved',
      collectedBy: 'service',
      paidOn: dayOf(paid.date_approved) ?? creationDayOf(paid),
      ...(method && { method }),
      ...(dispute && { dispute }),
    } as const;
    const [returned, ordered] = [returnedOf(paid), orderedOf(paid)];
    if (ordered === 0) return [approved];
    const onItsWay = ordered > returned ? { ordered } : {};
    return [approved, { ...about, status: 'returned', returned, ...onItsWay }];
  }
  if (paid.status === 'authorized') return [{ ...about, status: 'unknown', isAuthorized: true }];
  if (paid.status === 'cancelled') return [{ ...about, status: 'expired' }];
  if (paid.status === 'rejected')
    return [{ ...about, status: 'declined', reason: reasonOf(paid.status_detail ?? undefined) }];
  const url =
    paid.transaction_details?.external_resource_url ??
    paid.point_of_interaction?.transaction_data?.ticket_url;
  const lastDay = dayOf(paid.date_of_expiration);
  if (paid.status === 'pending' && url && lastDay) {
    const reportedBy = method === 'boleto' ? lastReportDay(lastDay) : lastDay;
    // The day ends in Brazil (UTC-3) at 03:00 UTC of the next day.
    const until = `${addDays(reportedBy, 1)}T03:00:00.000Z` as Instant;
    return [{ ...about, status: 'awaited', url, until }];
  }
  // Risk analysis, or a status that is newer than this adapter.
  return [{ ...about, status: 'unknown' }];
};
