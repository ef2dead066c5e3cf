import {
  addDays,
  type CalendarDate,
  type Cents,
  calendarDate,
  centsFromNumber,
  type Instant,
  type PaymentMethod,
  type PaymentReport,
} from '#domain';

/** A payment as Asaas writes it; whatever is optional may be null or missing. */
export interface AsaasPayment {
  readonly id: string;
  readonly status: string;
  readonly value: number;
  readonly billingType?: string | null;
  readonly externalReference?: string | null;
  readonly installment?: string | null;
  readonly deleted?: boolean | null;
  readonly dueDate?: string | null;
  readonly dateCreated?: string | null;
  readonly clientPaymentDate?: string | null;
  readonly confirmedDate?: string | null;
  readonly paymentDate?: string | null;
  readonly invoiceUrl?: string | null;
  readonly bankSlipUrl?: string | null;
  readonly refunds?: readonly { readonly status?: string | null; readonly value?: number | null }[] | null;
}

export const isPayment = (value: unknown): value is AsaasPayment => {
  const { id, status, value: amount } = (value ?? {}) as Partial<AsaasPayment>;
  return (
    typeof id === 'string' && typeof status === 'string' && typeof amount === 'number' && centsFromNumber(amount) !== undefined
  );
};

/** The payer has paid, whatever became of the money since: a contested payment counts as paid until it has gone back. */
const PAID =
  /^(RECEIVED|CONFIRMED|RECEIVED_IN_CASH|DUNNING_REQUESTED|DUNNING_RECEIVED|REFUNDED|REFUND_REQUESTED|REFUND_IN_PROGRESS|CHARGEBACK_REQUESTED|CHARGEBACK_DISPUTE|AWAITING_CHARGEBACK_REVERSAL)$/;

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

const cents = (value: number): Cents => centsFromNumber(value) as Cents;
const sum = (values: readonly number[]): Cents => values.reduce((before, each) => before + each, 0) as Cents;
const day = (text: string | null | undefined): CalendarDate | undefined => calendarDate((text ?? '').slice(0, 10));

/** What has gone back of one payment; what is under way counts. */
const returnedOf = ({ status, value, refunds }: AsaasPayment): Cents => {
  const listed = sum(
    (refunds ?? []).flatMap((each) => (each.status === 'CANCELLED' ? [] : [centsFromNumber(each.value ?? 0) ?? 0])),
  );
  return status === 'REFUNDED' && listed === 0 ? cents(value) : listed;
};

/** By what the whole is known: a purchase in installments is as many payments under one number. */
export const chargeIdOf = ({ installment, id }: AsaasPayment): string => installment ?? id;

/** What a purchase, of one payment or of many, says of the sale. */
const reportsOf = (payments: readonly [AsaasPayment, ...AsaasPayment[]], today: CalendarDate): readonly PaymentReport[] => {
  const [first] = payments;
  const about = { chargeId: chargeIdOf(first), amount: sum(payments.map(({ value }) => cents(value))) };
  if (payments.every(({ status }) => PAID.test(status))) {
    const { clientPaymentDate, confirmedDate, paymentDate, dateCreated } = first;
    const paidOn = day(clientPaymentDate) ?? day(confirmedDate) ?? day(paymentDate) ?? day(dateCreated) ?? today;
    const method = METHODS[first.billingType ?? ''];
    const returned = sum(payments.map(returnedOf));
    const approved = { ...about, status: 'approved', collectedBy: 'service', paidOn, ...(method && { method }) } as const;
    return returned > 0 ? [approved, { ...about, status: 'returned', returned }] : [approved];
  }
  if (payments.every(({ deleted }) => deleted === true)) return [{ ...about, status: 'expired' }];
  const url = (first.billingType === 'BOLETO' ? first.bankSlipUrl : undefined) ?? first.invoiceUrl;
  if (payments.every(({ status }) => OPEN.test(status)) && typeof url === 'string') {
    const lastDay = addDays(day(first.dueDate) ?? today, GRACE_DAYS);
    // The end of that day in Brazil.
    return [{ ...about, status: 'awaited', url, until: `${addDays(lastDay, 1)}T03:00:00.000Z` as Instant }];
  }
  // Being looked into; or a word that did not exist when this was written.
  return [{ ...about, status: 'unknown' }];
};

/** What all payments under one reference say, the oldest purchase first. */
export const reportsOfAll = (payments: readonly AsaasPayment[], today: CalendarDate): readonly PaymentReport[] => {
  const purchases = new Map<string, [AsaasPayment, ...AsaasPayment[]]>();
  for (const payment of [...payments].reverse()) {
    const known = purchases.get(chargeIdOf(payment));
    if (known === undefined) purchases.set(chargeIdOf(payment), [payment]);
    else known.push(payment);
  }
  return [...purchases.values()].flatMap((purchase) => reportsOf(purchase, today));
};
