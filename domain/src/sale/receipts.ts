import { type Cents, minus, ZERO } from '../money/money.ts';
import type { Receipt, ReceivedReport, RefundBar } from './payment.ts';
import type { Sale } from './sale.ts';

/** A refund that is due for a charge; without `chargeId`, by the channel. */
export interface OutstandingRefund {
  readonly chargeId?: string;
  /** Amount that has not left yet, in cents. */
  readonly amount: Cents;
  /**
   * Total to be returned of the charge, in cents. Refunding up to a total, not by an amount, cannot
   * refund twice.
   */
  readonly upTo: Cents;
  /** It is on its way already. */
  readonly isOrdered?: true;
  /** Why it cannot be ordered now. */
  readonly barred?: RefundBar;
}

/** Whether the gateway should be asked for it now. */
export const canBeOrdered = ({ chargeId, isOrdered, barred }: OutstandingRefund): boolean =>
  chargeId !== undefined && isOrdered === undefined && barred === undefined;

export const receiptOf = ({ receipts }: Sale, chargeId: string | undefined): Receipt | undefined =>
  receipts.find((each) => each.chargeId === chargeId);

/** The receipts with `receipt` in place of the earlier one of its charge. */
export const withReceipt = ({ receipts }: Sale, receipt: Receipt): readonly Receipt[] => [
  ...receipts.filter((each) => each.chargeId !== receipt.chargeId),
  receipt,
];

/** The receipt of a charge after a report that its money came. */
export const receivedBy = (sale: Sale, { chargeId, amount, barred }: ReceivedReport): Receipt => {
  const { barred: _, ...known } = receiptOf(sale, chargeId) ?? { returned: ZERO };
  return { ...known, chargeId, amount, ...(barred && { barred }) };
};

/** Whether a charge of the sale is in dispute. */
export const isDisputed = ({ receipts }: Sale): boolean =>
  receipts.some(({ barred }) => barred?.by === 'dispute');

/** Whether this charge paid the sale. The sale may not keep money of any other charge. */
export const isPaidBy = ({ payment }: Sale, chargeId: string | undefined): boolean =>
  payment.status === 'approved' && payment.chargeId === chargeId;

/** How much of a charge the sale may keep. Before payment any charge may still pay the sale. */
const entitlement = (sale: Sale, { chargeId, amount }: Receipt): Cents => {
  if (sale.status === 'pending' || sale.status === 'awaiting_payment') return amount;
  if (!isPaidBy(sale, chargeId)) return ZERO;
  // A refunded sale has returned its refund, so it keeps the rest.
  return sale.status === 'cancelled' ? sale.cancellation.kept.total : amount;
};

/**
 * The refunds that have not left, per charge: after a cancellation, of a second payment, and of a payment for an
 * ended sale. Computed from the state alone, so no missed event can lose one.
 */
export const outstandingRefunds = (sale: Sale): readonly OutstandingRefund[] =>
  sale.receipts.flatMap((receipt) => {
    const { chargeId, amount, returned, ordered = returned, barred } = receipt;
    const upTo = minus(amount, entitlement(sale, receipt));
    if (upTo <= returned) return [];
    return [
      {
        ...(chargeId !== undefined && { chargeId }),
        ...{ amount: minus(upTo, returned), upTo },
        ...(upTo <= ordered && { isOrdered: true as const }),
        ...(barred && { barred }),
      },
    ];
  });
