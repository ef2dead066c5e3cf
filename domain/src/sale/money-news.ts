import type { CalendarDate } from '../values/calendar.ts';
import type { Cents } from '../values/money.ts';
import { isRefusedForGood, outstandingRefunds, type RefundBar } from './outstanding-refunds.ts';
import { MAX_ASKED, type Receipt, type WaitingRefund } from './payment.ts';
import { isShort, isUnconfirmed, moneyLeft, receiptOf } from './receipts.ts';
import type { Sale } from './sale.ts';

/** What happened to the money of a sale that a person has to know. */
export type MoneyNews =
  /** A charge brought another amount than it asked for, or less of the price is left; in cents. */
  | {
      readonly kind: 'payment_amount_differs';
      readonly amount: Cents;
      readonly expected: Cents;
    }
  | { readonly kind: 'dispute_opened'; readonly respondBy?: CalendarDate }
  | { readonly kind: 'dispute_won' }
  | { readonly kind: 'dispute_lost' }
  /** A refund is due that the gateway cannot make, or that its account has to authorize. */
  | { readonly kind: 'refund_barred'; readonly by: RefundBar | 'authorization' }
  /** A refund that was ordered or returned has failed. */
  | { readonly kind: 'refund_undone' }
  /** The payer has to be asked, or asked again, for an account for the refund. */
  | { readonly kind: 'account_asked' }
  /** The payer has not named an account for the refund in time. */
  | { readonly kind: 'refund_waits_for_payer' }
  /** Cash that was noted by hand is noted no more. */
  | { readonly kind: 'receipt_undone' }
  /** The gateway does not show money as paid any more that it had confirmed. */
  | { readonly kind: 'payment_unconfirmed' }
  /** The gateway has refused a refund three times. `words`: its reason, without personal data. */
  | { readonly kind: 'refund_refused'; readonly words?: string };

/** What an operator has to look at. */
export type MoneyAlert = Exclude<MoneyNews, { readonly kind: 'dispute_won' | 'account_asked' }>;

/** What happened to the money between two states of a sale. The same news comes once. */
export const moneyNewsOf = (before: Sale, after: Sale): readonly MoneyNews[] => [
  ...after.receipts.flatMap((receipt) =>
    newsOfReceipt(receiptOf(before, receipt.chargeId), receipt, after),
  ),
  ...before.receipts
    .filter(({ chargeId, inCash }) => inCash && receiptOf(after, chargeId) === undefined)
    .map(() => ({ kind: 'receipt_undone' }) as const),
  ...newBars(before, after),
  ...newShortage(before, after),
];

/** A charge asks for another amount; or a part of the price of a sale in force has gone back. */
const newShortage = (before: Sale, after: Sale): readonly MoneyNews[] => {
  const asks = 'asks' in after.payment ? after.payment.asks : undefined;
  if (asks !== undefined && before.status === 'pending')
    return [{ kind: 'payment_amount_differs', amount: asks, expected: after.payment.amount }];
  const [amount, known] = [moneyLeft(after), moneyLeft(before)];
  if (!isShort(after) || amount === undefined || amount === known) return [];
  return [{ kind: 'payment_amount_differs', amount, expected: after.payment.amount }];
};

const newsOfReceipt = (
  known: Receipt | undefined,
  receipt: Receipt,
  { payment }: Sale,
): readonly MoneyNews[] => {
  const { amount, dispute, waitsFor, chargeId, orderedAt, refused } = receipt;
  const news: MoneyNews[] = [];
  const { amount: expected } = payment;
  if (chargeId !== undefined && amount !== expected && amount !== known?.amount)
    news.push({ kind: 'payment_amount_differs', amount, expected });
  if (dispute !== undefined && dispute.status !== known?.dispute?.status) {
    const { status, respondBy } = dispute;
    // A dispute that was over when the service learned of it was opened before.
    const opened = { kind: 'dispute_opened', ...(respondBy && { respondBy }) } as const;
    if (known?.dispute === undefined || status === 'opened') news.push(opened);
    if (status !== 'opened') news.push({ kind: `dispute_${status}` });
  }
  if (isUndoneSince(known, receipt)) news.push({ kind: 'refund_undone' });
  if (isUnconfirmed(receipt) && !known?.unconfirmed) news.push({ kind: 'payment_unconfirmed' });
  if (refused && isRefusedForGood(receipt) && !isRefusedForGood(known ?? {}))
    news.push({ kind: 'refund_refused', ...(refused.words && { words: refused.words }) });
  const isKnownOrder = known?.orderedAt === orderedAt;
  if (isAsked(waitsFor) && !(isKnownOrder && isAsked(known?.waitsFor, waitsFor.asked)))
    news.push({ kind: 'account_asked' });
  if (needsPerson(waitsFor) && !needsPerson(known?.waitsFor))
    news.push({ kind: 'refund_waits_for_payer' });
  return news;
};

const orderedOf = ({ returned, ordered = returned }: Receipt): Cents => ordered;

/** Whether less is on its way, or gone, than before. */
const isUndoneSince = (known: Receipt | undefined, receipt: Receipt): boolean =>
  receipt.undoneOn !== undefined &&
  (known?.undoneOn === undefined || orderedOf(receipt) < orderedOf(known));

/** Whether a mail can ask the payer: it names the page. @param times asked so often, at least */
const isAsked = (waitsFor: Receipt['waitsFor'], times = 1): waitsFor is WaitingRefund =>
  waitsFor?.actor === 'insured' &&
  waitsFor.url !== undefined &&
  waitsFor.asked >= times &&
  waitsFor.asked <= MAX_ASKED;

/**
 * A person helps after three mails, or at once where no mail can name the page on which the payer
 * answers.
 */
const needsPerson = (waitsFor: Receipt['waitsFor']): boolean =>
  waitsFor?.actor === 'insured' && (waitsFor.url === undefined || waitsFor.asked > MAX_ASKED);

/** What bars the refunds of a sale that are due, by charge. */
const barsOf = (sale: Sale): ReadonlyMap<string | undefined, RefundBar | 'authorization'> => {
  const bars = new Map<string | undefined, RefundBar | 'authorization'>();
  for (const { chargeId, barred, isOrdered, waitsFor } of outstandingRefunds(sale)) {
    if (waitsFor?.actor === 'operator') bars.set(chargeId, 'authorization');
    else if (barred !== undefined && !isOrdered) bars.set(chargeId, barred);
  }
  return bars;
};

const newBars = (before: Sale, after: Sale): readonly MoneyNews[] => {
  const known = barsOf(before);
  return [...barsOf(after)]
    .filter(([chargeId, by]) => known.get(chargeId) !== by)
    .map(([, by]) => ({ kind: 'refund_barred', by }));
};
