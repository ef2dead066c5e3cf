import { type Cents, minus, ZERO } from '../money/money.ts';
import type { Receipt } from './payment.ts';
import type { Sale } from './sale.ts';

/** What is still to go back of a charge; one without a name is the channel's. */
export interface OutstandingRefund {
  readonly chargeId?: string;
  /** What is still missing. */
  readonly amount: Cents;
  /** What must have gone back in all. Whoever returns up to this, and not by so much, cannot return anything twice. */
  readonly upTo: Cents;
}

export const receiptOf = ({ receipts }: Sale, chargeId: string | undefined): Receipt | undefined =>
  receipts.find((each) => each.chargeId === chargeId);

/** The receipts with this one in place of what was known of its charge. */
export const withReceipt = ({ receipts }: Sale, receipt: Receipt): readonly Receipt[] => [
  ...receipts.filter((each) => each.chargeId !== receipt.chargeId),
  receipt,
];

/** Whether the sale was paid by this charge: whatever another one brought in is not the sale's to keep. */
export const isPaidBy = ({ payment }: Sale, chargeId: string | undefined): boolean =>
  payment.status === 'approved' && payment.chargeId === chargeId;

/** How much of what came in by a charge the sale may keep. As long as nothing has paid it, any of it may yet do so. */
const entitlement = (sale: Sale, { chargeId, amount }: Receipt): Cents => {
  if (sale.status === 'pending' || sale.status === 'awaiting_payment') return amount;
  if (!isPaidBy(sale, chargeId)) return ZERO;
  // What a refunded sale was to give back has gone back.
  return sale.status === 'cancelled' ? sale.cancellation.kept.total : amount;
};

/**
 * All that must still go back, charge by charge, whatever events were missed: what a cancellation leaves, what was paid
 * twice, and what was paid for a sale that had ended; less what has gone back already.
 */
export const outstandingRefunds = (sale: Sale): readonly OutstandingRefund[] =>
  sale.receipts.flatMap((receipt) => {
    const { chargeId, amount, returned } = receipt;
    const upTo = minus(amount, entitlement(sale, receipt));
    if (upTo <= returned) return [];
    return [{ ...(chargeId !== undefined && { chargeId }), amount: minus(upTo, returned), upTo }];
  });
