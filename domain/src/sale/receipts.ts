import type { CalendarDate, Instant } from '../values/calendar.ts';
import { type Cents, minus, plus, ZERO } from '../values/money.ts';
import type {
  CollectedPayment,
  Dispute,
  Receipt,
  ReceivedReport,
  UnconfirmedMoney,
} from './payment.ts';
import { type IssuedSale, isUnpaid, type PaidSale, type Sale } from './sale.ts';

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
  const {
    dispute: before,
    inCash: _,
    returnsWholeOnly: __,
    unconfirmed: ___,
    ...others
  } = known ?? {};
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

/** Whether the card is authorised: the bank holds the amount, and nothing is captured. */
export const isAuthorized = ({ payment }: Pick<Sale, 'payment'>): boolean =>
  payment.status === 'unknown' && payment.isAuthorized === true;

/** Whether a charge of the sale is in dispute. */
export const isDisputed = ({ receipts }: Sale): boolean =>
  receipts.some(({ dispute }) => dispute?.status === 'opened');

/** The charges whose money paid the sale. It may not keep money of any other charge. */
export const chargesThatPaid = (payment: Sale['payment']): readonly (string | undefined)[] =>
  payment.status === 'approved'
    ? [payment.chargeId, ...(('alsoBy' in payment && payment.alsoBy) || [])]
    : [];

/** Whether the money of this charge paid the sale, or a part of it. */
export const isPaidBy = ({ payment }: Sale, chargeId: string | undefined): boolean =>
  chargesThatPaid(payment).includes(chargeId);

/** Whether the charge of the sale has brought money. The channel's receipt names no charge. */
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

/** What has gone back of a receipt, by the gateway or in another way. */
export const goneBack = ({ returned, returnedByHand = ZERO }: Receipt): Cents =>
  plus(returned, returnedByHand);

/** What is left of a receipt, in cents. */
export const leftOf = (receipt: Receipt): Cents => minus(receipt.amount, goneBack(receipt));

/** Whether the gateway does not show the money any more, and no operator has decided about it. */
export const isUnconfirmed = (receipt: Receipt): receipt is UnconfirmedReceipt =>
  receipt.unconfirmed !== undefined && !receipt.unconfirmed.isAccepted;

type UnconfirmedReceipt = Receipt & { readonly unconfirmed: UnconfirmedMoney };

/** Whether money is neither in dispute, nor going back, nor missing. */
export const isFree = (receipt: Receipt): boolean =>
  receipt.dispute?.status !== 'opened' &&
  receipt.ordered === undefined &&
  goneBack(receipt) === 0 &&
  !isUnconfirmed(receipt);

/** The money of an unpaid sale that does not pay it, and is still there. */
export const undecidedReceipts = (sale: Sale): readonly Receipt[] =>
  isUnpaid(sale)
    ? sale.receipts.filter((receipt) => receipt.amount < sale.payment.amount && leftOf(receipt) > 0)
    : [];

export const isInForce = (sale: Sale): sale is PaidSale | IssuedSale =>
  sale.status === 'paid' || sale.status === 'issued';

/** A sale in force that the service has collected. */
export type CollectedSale = (PaidSale | IssuedSale) & { readonly payment: CollectedPayment };

/**
 * How much of the money that paid a sale in force is left, in cents; undefined: the sale is not in
 * force, its cash is gone, or the gateway does not show all of the money.
 */
export const moneyLeft = (sale: Sale): Cents | undefined => {
  if (!isInForce(sale)) return undefined;
  const own = sale.receipts.filter(({ chargeId }) => isPaidBy(sale, chargeId));
  return own.length === 0 || own.some(isUnconfirmed) ? undefined : plus(...own.map(leftOf));
};

/** Whether a part of the price of a sale in force has gone back, which an operator decides about. */
export const isShort = (sale: Sale): sale is CollectedSale => {
  const left = moneyLeft(sale);
  const { payment } = sale;
  if (left === undefined || payment.status !== 'approved') return false;
  return payment.collectedBy === 'service' && left < (payment.accepted ?? payment.amount);
};
