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
  /** What the insured was told would go back; the cancellation is refused where it is another amount by now. */
  readonly expectedRefund?: Cents | undefined;
  readonly actor: Actor;
}

type CancelOutcome =
  | { readonly kind: 'cancelled'; readonly sale: CancelledSale | RefundedSale }
  | { readonly kind: 'refused'; readonly reason: CancellationRefusal }
  /** It has ended in another way: refused, or expired. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'refund_differs'; readonly figures: CancellationFigures }
  /** Somebody is at the sale just now. */
  | { readonly kind: 'busy' };

type Needs = Pick<Ports, 'sales' | 'payments' | 'alerts' | 'clock' | 'identifiers'> & {
  readonly advanceSale: AdvanceSale;
};

export interface CancelSale {
  /** The figures that a cancellation today would give, or gave. Changes nothing. */
  preview(
    sale: Sale,
    by: CancelledBy,
  ): Promise<CancellationFigures | CancellationRefusal | 'ended'>;
  /** Cancels, and starts what follows: the refund by the gateway, the withdrawal at the insurer. */
  cancel(request: CancelRequest): Promise<CancelOutcome>;
}

const isCancelled = (sale: Sale): sale is CancelledSale | RefundedSale => 'cancellation' in sale;

/** Cancels a sale, once: whoever cancels again learns what the first cancellation gave. */
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

/** Somebody may have paid of whom nobody has told yet: whoever cancels must know what there is to give back. */
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
  // A notice was faster; the sale it left is the one to cancel.
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
