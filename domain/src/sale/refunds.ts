import type { CalendarDate, Instant } from '../values/calendar.ts';
import { type Cents, minus, plus, ZERO } from '../values/money.ts';
import {
  dueDayOf,
  isUndone,
  type OutstandingRefund,
  outstandingRefunds,
  type RefundBar,
  unorderedOf,
} from './outstanding-refunds.ts';
import type { PaymentMethod, Receipt, RefusedRefund } from './payment.ts';
import { goneBack, isPaidBy } from './receipts.ts';
import type { Sale } from './sale.ts';

/**
 * `due`: it is ordered from its day on. `waiting_payer`: the payer has to name an account.
 * `undone`: it had been ordered or returned, and has failed.
 */
export type RefundStatus = 'due' | 'ordered' | 'waiting_payer' | 'barred' | 'undone' | 'done';

/** A part of the money of one charge that goes back to the payer, or has gone back. */
export interface Refund {
  /** Absent if the channel collected. */
  readonly chargeId?: string;
  readonly by: 'gateway' | 'channel';
  readonly method?: PaymentMethod;
  readonly amount: Cents;
  readonly status: RefundStatus;
  /** Only if it is barred. */
  readonly reason?: RefundBar;
  readonly dueOn: CalendarDate;
  readonly orderedAt?: Instant;
  /** When the gateway reported that it has left. */
  readonly confirmedAt?: Instant;
  /** The page on which the payer names an account. */
  readonly url?: string;
  /** Orders that the gateway has refused. */
  readonly refused?: RefusedRefund;
}

/** What has not left of the refunds of a sale, in cents. */
export const refundPending = (sale: Sale): Cents =>
  plus(ZERO, ...outstandingRefunds(sale).map(({ amount }) => amount));

/** The refunds of a sale: of each charge what has left, then what has not. */
export const refundsOf = (sale: Sale): readonly Refund[] => {
  const outstanding = outstandingRefunds(sale);
  return sale.receipts.flatMap((receipt) => {
    const { chargeId, orderedAt, returnedAt } = receipt;
    const about = {
      ...(chargeId !== undefined && { chargeId }),
      by: chargeId === undefined ? ('channel' as const) : ('gateway' as const),
      ...methodOf(sale, receipt),
      dueOn: dueDayOf(sale, receipt),
      ...(orderedAt && chargeId !== undefined && { orderedAt }),
    };
    const done: Refund = {
      ...about,
      amount: goneBack(receipt),
      status: 'done',
      ...(returnedAt && { confirmedAt: returnedAt }),
    };
    const left = outstanding.find((each) => each.chargeId === chargeId);
    return [
      ...(done.amount > 0 ? [done] : []),
      ...(left === undefined ? [] : partsOf(sale, receipt, left)).map((part) => ({
        ...about,
        ...part,
      })),
    ];
  });
};

const methodOf = (sale: Sale, { method, chargeId }: Receipt): Pick<Refund, 'method'> => {
  const { payment } = sale;
  if (method !== undefined) return { method };
  const isOwn = isPaidBy(sale, chargeId) && payment.status === 'approved';
  return isOwn && payment.method !== undefined ? { method: payment.method } : {};
};

/** What has not left: what is on its way, and what the gateway was not asked for. */
const partsOf = (
  sale: Sale,
  receipt: Receipt,
  left: OutstandingRefund,
): readonly Pick<Refund, 'amount' | 'status' | 'reason' | 'url' | 'refused'>[] => {
  const hasFailed = isUndone(sale, receipt);
  const { amount } = left;
  const unordered = unorderedOf(receipt, left);
  if (unordered === 0 || unordered === amount) return [{ amount, ...stateOf(left, hasFailed) }];
  const { barred: _, ...ordered } = left;
  const { waitsFor: __, ...due } = left;
  return [
    { amount: minus(amount, unordered), ...stateOf({ ...ordered, isOrdered: true }, hasFailed) },
    { amount: unordered, ...stateOf(due, hasFailed) },
  ];
};

const stateOf = (
  { isOrdered, barred, waitsFor, refused }: OutstandingRefund,
  hasFailed: boolean,
): Pick<Refund, 'status' | 'reason' | 'url' | 'refused'> => {
  if (waitsFor?.actor === 'insured') {
    const { url } = waitsFor;
    return { status: 'waiting_payer', ...(url !== undefined && { url }) };
  }
  if (isOrdered) return { status: 'ordered' };
  if (barred !== undefined) return { status: 'barred', reason: barred };
  if (refused !== undefined) return { status: 'due', refused };
  return { status: hasFailed ? 'undone' : 'due' };
};

/** What came beyond the price of a sale that is paid, by this charge and others, in cents. */
export const surplusOf = ({ receipts, payment }: Sale): Cents =>
  minus(plus(ZERO, ...receipts.map(({ amount }) => amount)), payment.amount);

/** The dispute of a sale that matters most: one that is open, or else the last one. */
export const disputeOf = ({ receipts }: Pick<Sale, 'receipts'>): Receipt['dispute'] => {
  const disputes = receipts.flatMap(({ dispute }) => dispute ?? []);
  return disputes.find(({ status }) => status === 'opened') ?? disputes.at(-1);
};
