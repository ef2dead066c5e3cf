import { refuse } from '../refusals/refusal.ts';
import { plus } from '../values/money.ts';
import { outstandingRefunds } from './outstanding-refunds.ts';
import type { ChannelRefund, Receipt } from './payment.ts';
import { receiptOf, withReceipt } from './receipts.ts';
import { ofMoneyBack } from './returned-money.ts';
import type { Sale } from './sale.ts';
import { ignored, type Moment, type Outcome } from './sale-transitions.ts';

const isSame = (one: ChannelRefund, other: ChannelRefund): boolean =>
  one.amount === other.amount &&
  one.on === other.on &&
  one.method === other.method &&
  one.reference === other.reference;

/**
 * Notes that the channel has returned money that it had collected. When all of it has gone back, the
 * sale is refunded. The same confirmation again changes nothing.
 *
 * Refused if the channel owes nothing, or less than this: `expected` is what it owes.
 */
export const confirmChannelRefund = (sale: Sale, refund: ChannelRefund, now: Moment): Outcome => {
  const receipt = receiptOf(sale, undefined);
  const { confirmed = [] } = receipt ?? {};
  if (confirmed.some((each) => isSame(each, refund))) return ignored(sale, 'repeated');
  const due = outstandingRefunds(sale).find(({ chargeId }) => chargeId === undefined);
  if (due === undefined) return refuse('transition_not_possible');
  if (refund.amount > due.amount) return refuse('refund_amount_differs', due.amount);

  const { amount, returned } = receipt as Receipt;
  const told = { status: 'returned', amount, returned: plus(returned, refund.amount) } as const;
  const noted = { ...(receipt as Receipt), confirmed: [...confirmed, refund] };
  return ofMoneyBack({ ...sale, receipts: withReceipt(sale, noted) }, told, now);
};
