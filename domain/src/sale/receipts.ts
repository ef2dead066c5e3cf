import { type Cents, larger, minus, ZERO } from '../money/money.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Receipt } from './payment.ts';
import type { Sale } from './sale.ts';

/** What is still to go back of a charge; one without a name is the channel's. */
export interface OutstandingRefund {
  readonly chargeId?: string;
  readonly amount: Cents;
}

export const receiptOf = ({ receipts }: Sale, chargeId: string | undefined): Receipt | undefined =>
  receipts.find((each) => each.chargeId === chargeId);

/** The receipts with this one in place of what was known of its charge. */
export const withReceipt = ({ receipts }: Sale, receipt: Receipt): readonly Receipt[] => [
  ...receipts.filter((each) => each.chargeId !== receipt.chargeId),
  receipt,
];

/** How much of what it was paid the sale may keep: all of it, unless it was cancelled. */
const entitlement = (sale: Sale): Cents =>
  sale.status === 'cancelled' || sale.status === 'refunded' ? sale.cancellation.kept.total : sale.payment.amount;

/** Whether the sale was paid by this charge: whatever another one brought in is not the sale's to keep. */
export const isPaidBy = ({ payment }: Sale, chargeId: string | undefined): boolean =>
  payment.status === 'approved' && payment.chargeId === chargeId;

const dueOf = (sale: Sale, { chargeId, amount, returned }: Receipt): Cents =>
  larger(minus(minus(amount, returned), isPaidBy(sale, chargeId) ? entitlement(sale) : ZERO), ZERO);

/**
 * All that must still go back, charge by charge, whatever events were missed: what a cancellation leaves, what was paid
 * twice, and what was paid for a sale that had ended; less what has gone back already.
 */
export const outstandingRefunds = (sale: Sale): readonly OutstandingRefund[] =>
  sale.receipts.flatMap((receipt) => {
    const { chargeId } = receipt;
    const amount = dueOf(sale, receipt);
    return amount > 0 ? [chargeId === undefined ? { amount } : { chargeId, amount }] : [];
  });

/** The receipt that a report speaks of, named or not: refused where it names none and several could be meant. */
export const receiptMeant = (sale: Sale, named: string | undefined): Receipt | Refusal<'charge_not_named'> => {
  const { payment } = sale;
  const known = new Set(sale.receipts.map(({ chargeId }) => chargeId));
  if (payment.chargeId !== undefined) known.add(payment.chargeId);
  const [only] = known;
  if (named === undefined && known.size !== 1) return refuse('charge_not_named');
  const chargeId = named ?? only;
  const unheardOf = { ...(chargeId !== undefined && { chargeId }), amount: payment.amount, returned: ZERO };
  return receiptOf(sale, chargeId) ?? unheardOf;
};
