import {
  type CancellationFigures,
  type CancelledBy,
  type Cents,
  cancel,
  type EndedByCancellation,
  isCancellable,
  isCancelled,
  isRefusal,
  type Moment,
  nextVersion,
  previewCancellation,
  refuse,
  type Sale,
} from '#domain';
import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import { momentOf } from '../clock.ts';
import type { Ports } from '../ports.ts';
import type { CancelRefusal } from '../refusals.ts';
import { type AdvanceSale, leaseFor } from '../saga/advance-sale.ts';
import { refreshPayment } from './refresh-payment.ts';

interface CancelRequest {
  readonly sale: Sale;
  readonly by: CancelledBy;
  /** The refund announced to the insured, in cents. The cancellation is refused if it differs. */
  readonly expectedRefund?: Cents | undefined;
  readonly actor: Actor;
}

type Needs = Pick<
  Ports,
  'catalogue' | 'sales' | 'payments' | 'alerts' | 'clock' | 'identifiers'
> & {
  readonly advanceSale: AdvanceSale;
};

export interface CancelSale {
  /** The figures of a cancellation today, or of the one that took place. Changes nothing. */
  preview(sale: Sale, by: CancelledBy): Promise<CancellationFigures | CancelRefusal>;
  /** Cancels, then starts the refund at the gateway and the withdrawal at the insurer. */
  cancel(request: CancelRequest): Promise<EndedByCancellation | CancelRefusal>;
}

/** Cancels a sale once. A repeated call returns the first cancellation. */
export const makeCancelSale = (parts: Needs): CancelSale => ({
  preview: async (sale, by) => {
    const present = await withLatestPayment(sale, parts);
    if (isCancelled(present)) return present.cancellation;
    if (!isCancellable(present)) return refuse('sale_ended');
    return previewCancellation(present, parts.clock.today(), by);
  },
  cancel: async (request) => {
    const { sales, clock, identifiers, advanceSale } = parts;
    if (isCancelled(request.sale)) return request.sale;
    const lease = leaseFor(identifiers.next(), clock.now());
    const claimed = await sales.claim(request.sale.id, lease, clock.now());
    if (claimed === 'busy' || claimed === undefined) return refuse('sale_busy');
    try {
      const outcome = await storeCancellation(
        await withLatestPayment(claimed, parts),
        request,
        parts,
      );
      if (isRefusal(outcome) || isCancelled(claimed)) return outcome;
      const { sale } = await advanceSale.held(outcome, lease.holder);
      return sale as EndedByCancellation;
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
): Promise<EndedByCancellation | CancelRefusal> => {
  const { sales, clock } = parts;
  const { by, expectedRefund } = request;
  if (isCancelled(sale)) return sale;
  if (!isCancellable(sale)) return refuse('sale_ended');
  const now = momentOf(clock);
  const cancelled = cancel(sale, now, by);
  if (isRefusal(cancelled)) return cancelled;
  const { state } = cancelled;
  const figures = state.cancellation;
  if (expectedRefund !== undefined && expectedRefund !== figures.refund.total)
    return { ...refuse('refund_differs'), figures };

  const entry = entryOf(state, sale.status, request, now);
  if ((await sales.save(state, { resume: true, entry })) === 'saved') {
    return nextVersion(state);
  }
  // A payment notice changed the sale first: cancel the sale as it is now.
  const present = await sales.load(sale.id);
  return present === undefined ? refuse('sale_busy') : storeCancellation(present, request, parts);
};

const entryOf = (
  { id, status, cancellation }: EndedByCancellation,
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
