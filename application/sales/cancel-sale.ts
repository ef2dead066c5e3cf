import {
  type CancellationFigures,
  type CancellationRefusal,
  type CancelledBy,
  type CancelledSale,
  type Cents,
  cancel,
  isCancellable,
  isRefusal,
  type Moment,
  nextVersion,
  previewCancellation,
  type RefundedSale,
  type Sale,
} from '#domain';
import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import { momentOf } from '../clock.ts';
import type { Ports } from '../ports.ts';
import { type AdvanceSale, leaseFor } from '../saga/advance-sale.ts';
import { refreshPayment } from './refresh-payment.ts';

interface CancelRequest {
  readonly sale: Sale;
  readonly by: CancelledBy;
  /** The refund announced to the insured, in cents. The cancellation is refused if it differs. */
  readonly expectedRefund?: Cents | undefined;
  readonly actor: Actor;
}

type CancelOutcome =
  | { readonly kind: 'cancelled'; readonly sale: CancelledSale | RefundedSale }
  | { readonly kind: 'refused'; readonly reason: CancellationRefusal }
  /** The sale was refused or has expired. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'refund_differs'; readonly figures: CancellationFigures }
  /** Another worker has the sale. */
  | { readonly kind: 'busy' };

type Needs = Pick<Ports, 'sales' | 'payments' | 'alerts' | 'clock' | 'identifiers'> & {
  readonly advanceSale: AdvanceSale;
};

export interface CancelSale {
  /** The figures of a cancellation today, or of the one that took place. Changes nothing. */
  preview(
    sale: Sale,
    by: CancelledBy,
  ): Promise<CancellationFigures | CancellationRefusal | 'ended'>;
  /** Cancels, then starts the refund at the gateway and the withdrawal at the insurer. */
  cancel(request: CancelRequest): Promise<CancelOutcome>;
}

const isCancelled = (sale: Sale): sale is CancelledSale | RefundedSale => 'cancellation' in sale;

/** Cancels a sale once. A repeated call returns the first cancellation. */
export const makeCancelSale = (parts: Needs): CancelSale => ({
  preview: async (sale, by) => {
    const present = await withLatestPayment(sale, parts);
    if (isCancelled(present)) return present.cancellation;
    if (!isCancellable(present)) return 'ended';
    const figures = previewCancellation(present, parts.clock.today(), by);
    return isRefusal(figures) ? figures.kind : figures;
  },
  cancel: async (request) => {
    const { sales, clock, identifiers, advanceSale } = parts;
    if (isCancelled(request.sale)) return { kind: 'cancelled', sale: request.sale };
    const lease = leaseFor(identifiers.next(), clock.now());
    const claimed = await sales.claim(request.sale.id, lease, clock.now());
    if (claimed === 'busy' || claimed === undefined) return { kind: 'busy' };
    try {
      const outcome = await storeCancellation(
        await withLatestPayment(claimed, parts),
        request,
        parts,
      );
      if (outcome.kind !== 'cancelled' || isCancelled(claimed)) return outcome;
      const { sale } = await advanceSale.held(outcome.sale, lease.holder);
      return { kind: 'cancelled', sale: sale as CancelledSale | RefundedSale };
    } finally {
      await sales.release(request.sale.id, lease.holder);
    }
  },
});

/** Refreshes the payment first: a payment we have not heard of changes the refund. */
const withLatestPayment = async (sale: Sale, parts: Needs): Promise<Sale> => {
  const refreshed = sale.status === 'awaiting_payment' ? await refreshPayment(sale, parts) : sale;
  return refreshed === 'unanswered' ? sale : refreshed;
};

const storeCancellation = async (
  sale: Sale,
  request: CancelRequest,
  parts: Needs,
): Promise<CancelOutcome> => {
  const { sales, clock } = parts;
  const { by, expectedRefund } = request;
  if (isCancelled(sale)) return { kind: 'cancelled', sale };
  if (!isCancellable(sale)) return { kind: 'ended' };
  const now = momentOf(clock);
  const cancelled = cancel(sale, now, by);
  if (isRefusal(cancelled)) return { kind: 'refused', reason: cancelled.kind };
  const { state } = cancelled;
  const figures = state.cancellation;
  if (expectedRefund !== undefined && expectedRefund !== figures.refund.total)
    return { kind: 'refund_differs', figures };

  const entry = entryOf(state, sale.status, request, now);
  if ((await sales.save(state, { resume: true, entry })) === 'saved') {
    return { kind: 'cancelled', sale: nextVersion(state) };
  }
  // A payment notice changed the sale first: cancel the sale as it is now.
  const present = await sales.load(sale.id);
  return present === undefined ? { kind: 'busy' } : storeCancellation(present, request, parts);
};

const entryOf = (
  { id, status, cancellation }: CancelledSale | RefundedSale,
  before: string,
  { actor }: CancelRequest,
  { at }: Moment,
): AuditEntry => ({
  at,
  action: 'sale.cancelled',
  actor,
  subject: `transaction/${id}`,
  reason: cancellation.reason,
  changes: [
    { field: 'status', before, after: status },
    { field: 'refund', before: null, after: cancellation.refund.total },
  ],
});
