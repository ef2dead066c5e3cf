import { addBankDays } from '../values/bank-days.ts';
import { addDays, type CalendarDate } from '../values/calendar.ts';
import { type Cents, max, min, minus, plus, ZERO } from '../values/money.ts';
import type { Receipt, RefusedRefund, WaitingRefund } from './payment.ts';
import { chargesThatPaid, isPaidBy, isUnconfirmed, receiptOf } from './receipts.ts';
import { isUnpaid, type Sale } from './sale.ts';

/**
 * Why a gateway cannot return a payment now. `dispute`: the bank may take the money back, and a
 * refund would pay twice. `paid_in_cash`: the gateway does not have it. `whole_only`: the gateway
 * cannot return a part.
 */
export type RefundBar = 'dispute' | 'paid_in_cash' | 'whole_only';

/** A refund that is due for a charge; without `chargeId`, by the channel. */
export interface OutstandingRefund {
  readonly chargeId?: string;
  /** Amount that has not left yet, in cents. */
  readonly amount: Cents;
  /**
   * Total to be returned of the charge by who has it, in cents. Refunding up to a total, not by an
   * amount, cannot refund twice.
   */
  readonly upTo: Cents;
  /** The day from which it is ordered. */
  readonly dueOn: CalendarDate;
  /** It is on its way already. */
  readonly isOrdered?: true;
  readonly waitsFor?: WaitingRefund;
  /** Why it cannot be ordered now. */
  readonly barred?: RefundBar;
  readonly refused?: RefusedRefund;
}

/** After this many refusals a person looks at a refund, and it is ordered once a day. */
const MAX_REFUSALS = 3;

/** Whether the gateway has refused a refund so often that a person has to look at it. */
export const isRefusedForGood = ({ refused }: Pick<OutstandingRefund, 'refused'>): boolean =>
  refused !== undefined && refused.times >= MAX_REFUSALS;

/** Whether the gateway should be asked for it on a day. */
export const canBeOrdered = (refund: OutstandingRefund, on: CalendarDate): boolean => {
  const { chargeId, isOrdered, barred, dueOn, refused } = refund;
  if (chargeId === undefined || isOrdered || barred !== undefined || dueOn > on) return false;
  return !isRefusedForGood(refund) || refused?.lastOn === undefined || refused.lastOn < on;
};

/** Bank days in which an operator may accept less than the price; then it is returned. */
const DECISION_BANK_DAYS = 3;

/** How much of a charge the sale may keep. Before payment any whole price may still pay it. */
const entitlement = (sale: Sale, { chargeId, amount }: Receipt): Cents => {
  const { payment, status } = sale;
  if (isUnpaid(sale)) return amount < payment.amount ? ZERO : amount;
  if (!isPaidBy(sale, chargeId)) return ZERO;
  const kept =
    status === 'cancelled' || status === 'refunded' ? sale.cancellation.kept.total : payment.amount;
  // What the charges before this one have brought is kept first.
  const charges = chargesThatPaid(payment);
  const before = charges.slice(0, charges.indexOf(chargeId));
  const brought = before.map((each) => receiptOf(sale, each)?.amount ?? ZERO);
  return min(amount, max(minus(kept, plus(ZERO, ...brought)), ZERO));
};

const cameOn = ({ payment, terms }: Sale, { receivedOn }: Receipt): CalendarDate =>
  receivedOn ?? (payment.status === 'approved' ? payment.paidOn : terms.soldOn);

/** The last day on which an operator may decide about money that came for an unpaid sale. */
export const lastDayOfDecision = (sale: Sale): CalendarDate => {
  const days = sale.receipts.map((receipt) => cameOn(sale, receipt)).sort();
  return addBankDays(days.at(-1) as CalendarDate, DECISION_BANK_DAYS);
};

/** The day on which a refund is due for the first time. */
const firstDueDay = (sale: Sale, receipt: Receipt): CalendarDate => {
  if (isUnpaid(sale)) return addDays(lastDayOfDecision(sale), 1);
  const came = cameOn(sale, receipt);
  const endedOn = 'cancellation' in sale ? sale.cancellation.on : came;
  return isPaidBy(sale, receipt.chargeId) && endedOn > came ? endedOn : came;
};

/** Whether a refund that was due has failed. One that a person made before it was due counts not. */
export const isUndone = (sale: Sale, receipt: Receipt): boolean =>
  receipt.undoneOn !== undefined && receipt.undoneOn >= firstDueDay(sale, receipt);

/** The first day on which the service orders a refund of a charge. */
export const dueDayOf = (sale: Sale, receipt: Receipt): CalendarDate =>
  receipt.undoneOn !== undefined && isUndone(sale, receipt)
    ? addBankDays(receipt.undoneOn, 1)
    : firstDueDay(sale, receipt);

/** What of a refund the gateway was not asked for, in cents; the rest is on its way. */
export const unorderedOf = (
  { ordered = ZERO, returned }: Receipt,
  { upTo }: OutstandingRefund,
): Cents => max(minus(upTo, max(ordered, returned)), ZERO);

const barOf = (receipt: Receipt, upTo: Cents): RefundBar | undefined => {
  const { dispute, inCash, returnsWholeOnly, amount, returned, ordered = returned } = receipt;
  if (dispute?.status === 'opened') return 'dispute';
  if (inCash || receipt.unconfirmed) return 'paid_in_cash';
  const isPart = upTo < amount || (ordered > 0 && ordered < amount);
  return returnsWholeOnly && isPart ? 'whole_only' : undefined;
};

/**
 * The refunds that have not left, per charge: after a cancellation, of a second payment, of what is
 * more or less than the price, and of a payment for an ended sale. Money that the gateway does not
 * show any more is not due before it is seen again, or an operator has decided. Computed from the
 * state alone, so no missed event can lose one.
 *
 * @example outstandingRefunds(cancelled)[0].upTo // 20252
 */
export const outstandingRefunds = (sale: Sale): readonly OutstandingRefund[] =>
  sale.receipts.flatMap((receipt) => {
    const { chargeId, amount, returned, ordered = returned, waitsFor, refused } = receipt;
    const { returnedByHand = ZERO } = receipt;
    const upTo = minus(minus(amount, entitlement(sale, receipt)), returnedByHand);
    if (upTo <= returned || isUnconfirmed(receipt)) return [];
    const barred = barOf(receipt, upTo);
    return [
      {
        ...(chargeId !== undefined && { chargeId }),
        amount: minus(upTo, returned),
        upTo,
        dueOn: dueDayOf(sale, receipt),
        ...(upTo <= ordered && { isOrdered: true as const }),
        ...(waitsFor && { waitsFor }),
        ...(barred && { barred }),
        ...(refused && { refused }),
      },
    ];
  });

/** The sale whose refused refunds may be ordered at once; the very same sale if none is refused. */
export const orderRefundsAgain = (sale: Sale): Sale => {
  if (sale.receipts.every(({ refused }) => refused?.lastOn === undefined)) return sale;
  const receipts = sale.receipts.map((receipt) => {
    if (receipt.refused === undefined) return receipt;
    const { lastOn: _, ...refused } = receipt.refused;
    return { ...receipt, refused };
  });
  return { ...sale, receipts };
};
