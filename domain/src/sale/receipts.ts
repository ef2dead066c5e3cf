import { addBankDays } from '../values/bank-days.ts';
import { addDays, type CalendarDate, type Instant } from '../values/calendar.ts';
import { type Cents, max, min, minus, plus, ZERO } from '../values/money.ts';
import type { Dispute, Receipt, ReceivedReport, WaitingRefund } from './payment.ts';
import type { Sale } from './sale.ts';

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
   * Total to be returned of the charge by who has it, in cents. Refunding up to a total, not by an amount, cannot
   * refund twice.
   */
  readonly upTo: Cents;
  /** The day from which it is ordered. */
  readonly dueOn: CalendarDate;
  /** It is on its way already. */
  readonly isOrdered?: true;
  readonly waitsFor?: WaitingRefund;
  /** Why it cannot be ordered now. */
  readonly barred?: RefundBar;
}

/** Whether the gateway should be asked for it on a day. */
export const canBeOrdered = (
  { chargeId, isOrdered, barred, dueOn }: OutstandingRefund,
  on: CalendarDate,
): boolean => chargeId !== undefined && !isOrdered && barred === undefined && dueOn <= on;

export const receiptOf = ({ receipts }: Pick<Sale, 'receipts'>, chargeId: string | undefined) =>
  receipts.find((each) => each.chargeId === chargeId);

/** The receipts with `receipt` in place of the earlier one of its charge. */
export const withReceipt = ({ receipts }: Sale, receipt: Receipt): readonly Receipt[] => [
  ...receipts.filter((each) => each.chargeId !== receipt.chargeId),
  receipt,
];

/** The receipt of a charge after a report that its money came. */
export const receivedBy = (
  sale: Sale,
  report: ReceivedReport,
  at: Instant,
  on?: CalendarDate,
): Receipt => {
  const { chargeId, amount, method, paidOn, inCash, returnsWholeOnly } = report;
  const known = receiptOf(sale, chargeId);
  const { dispute: before, inCash: _, returnsWholeOnly: __, ...others } = known ?? {};
  const dispute = disputeAfter(before, report.dispute, at);
  // The payment of a sale says the same of the money that paid it.
  const isExact = isUnpaid(sale) && amount === sale.payment.amount;
  const arrival = { ...(method && { method }), paidOn, ...(on && { receivedOn: on }) };
  return {
    ...(known === undefined && !isExact && arrival),
    ...others,
    chargeId,
    amount,
    returned: known?.returned ?? ZERO,
    ...(dispute && { dispute }),
    ...(inCash && { inCash }),
    ...(returnsWholeOnly && { returnsWholeOnly }),
  };
};

/** A dispute that the gateway shows no more was withdrawn. */
const disputeAfter = (
  known: Receipt['dispute'],
  told: Dispute | undefined,
  at: Instant,
): Receipt['dispute'] => {
  if (told === undefined)
    return known && known.status === 'opened' ? { ...known, status: 'won' } : known;
  const isReopened = told.status === 'opened' && known?.status !== 'opened';
  return { ...told, openedAt: (isReopened ? undefined : known?.openedAt) ?? at };
};

/** Whether a charge of the sale is in dispute. */
export const isDisputed = ({ receipts }: Sale): boolean =>
  receipts.some(({ dispute }) => dispute?.status === 'opened');

/** Whether this charge paid the sale. The sale may not keep money of any other charge. */
export const isPaidBy = ({ payment }: Sale, chargeId: string | undefined): boolean =>
  payment.status === 'approved' && payment.chargeId === chargeId;

/** Whether the charge of the sale has brought money. Early receipts name no charge. */
export const hasOwnReceipt = ({ payment, receipts }: Sale): boolean =>
  receipts.some(({ chargeId }) => chargeId === undefined || chargeId === payment.chargeId);

/** Whether the charge of an ended sale can still be paid: it was not paid, or the cash is gone. */
export const isChargeOpen = (sale: Sale): boolean => {
  const { payment, status } = sale;
  const hasEnded = ['refused', 'expired', 'cancelled', 'refunded'].includes(status);
  if (!hasEnded || payment.chargeId === undefined || hasOwnReceipt(sale)) return false;
  if (payment.status === 'approved') return payment.collectedBy === 'service' && !payment.isClosed;
  return payment.status === 'awaited' || payment.status === 'unknown';
};

/** Bank days in which an operator may accept less than the price; then it is returned. */
const DECISION_BANK_DAYS = 3;

const isUnpaid = ({ status }: Sale): boolean =>
  status === 'pending' || status === 'awaiting_payment';

/** What has gone back of a receipt, by the gateway or in another way. */
export const goneBack = ({ returned, returnedByHand = ZERO }: Receipt): Cents =>
  plus(returned, returnedByHand);

/** Money of an unpaid sale that is less than its price, and is still there. */
export const undecidedReceipt = (sale: Sale): Receipt | undefined =>
  isUnpaid(sale)
    ? sale.receipts.find(
        (receipt) => receipt.amount < sale.payment.amount && goneBack(receipt) < receipt.amount,
      )
    : undefined;

/** How much of a charge the sale may keep. Before payment any whole price may still pay it. */
const entitlement = (sale: Sale, { chargeId, amount }: Receipt): Cents => {
  const { payment, status } = sale;
  if (isUnpaid(sale)) return amount < payment.amount ? ZERO : amount;
  if (!isPaidBy(sale, chargeId)) return ZERO;
  return status === 'cancelled' || status === 'refunded'
    ? sale.cancellation.kept.total
    : min(amount, payment.amount);
};

const cameOn = ({ payment, terms }: Sale, { receivedOn }: Receipt): CalendarDate =>
  receivedOn ?? (payment.status === 'approved' ? payment.paidOn : terms.soldOn);

/** The last day on which an operator may decide about money that is less than the price. */
export const lastDayOfDecision = (sale: Sale, receipt: Receipt): CalendarDate =>
  addBankDays(cameOn(sale, receipt), DECISION_BANK_DAYS);

/** The day on which a refund is due for the first time. */
const firstDueDay = (sale: Sale, receipt: Receipt): CalendarDate => {
  if (isUnpaid(sale)) return addDays(lastDayOfDecision(sale, receipt), 1);
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
  if (inCash) return 'paid_in_cash';
  const isPart = upTo < amount || (ordered > 0 && ordered < amount);
  return returnsWholeOnly && isPart ? 'whole_only' : undefined;
};

/**
 * The refunds that have not left, per charge: after a cancellation, of a second payment, of what is
 * more or less than the price, and of a payment for an ended sale. Computed from the state alone, so
 * no missed event can lose one.
 *
 * @example outstandingRefunds(cancelled)[0].upTo // 20252
 */
export const outstandingRefunds = (sale: Sale): readonly OutstandingRefund[] =>
  sale.receipts.flatMap((receipt) => {
    const { chargeId, amount, returned, ordered = returned, waitsFor } = receipt;
    const { returnedByHand = ZERO } = receipt;
    const upTo = minus(minus(amount, entitlement(sale, receipt)), returnedByHand);
    if (upTo <= returned) return [];
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
      },
    ];
  });
