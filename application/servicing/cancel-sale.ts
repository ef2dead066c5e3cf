import {
  type CancellableSale,
  type CancellationFigures,
  type CancellationRefusal,
  type CancelledBy,
  type Cents,
  canBeGivenUp,
  cancelSale,
  type EndedByCancellation,
  isCancellable,
  isCancelled,
  isRefusal,
  isUnpaid,
  type Moment,
  nextVersion,
  previewCancellation,
  type Refusal,
  refuse,
  type Sale,
  type StatedReason,
  wasGivenUp,
} from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { Actor, AuditAction, AuditEntry } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, momentOf } from '../clock.ts';
import { refreshPayment } from '../collection/refresh-payment.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Gateways } from '../payments/gateways.ts';
import { type AdvanceSale, withLease } from '../saga/advance-sale.ts';
import { saveChange } from '../saga/change-sale.ts';
import type { SaleBusy } from '../sales/sale-refusals.ts';
import type { Sales } from '../sales/sales.ts';

/** The refund is no longer the one that was announced to the insured. */
interface RefundDiffers extends Refusal<'refund_differs'> {
  readonly figures: CancellationFigures;
}

/**
 * `sale_ended`: it was refused or has expired. `nothing_to_give_up`: the sale is issued, has ended, or
 * the channel collects it.
 */
export type CancelRefusal =
  | Refusal<CancellationRefusal | 'sale_ended' | 'nothing_to_give_up'>
  | SaleBusy
  | RefundDiffers;

interface CancelRequest {
  readonly sale: Sale;
  readonly by: CancelledBy;
  /** The refund announced to the insured, in cents. The cancellation is refused if it differs. */
  readonly expectedRefund?: Cents | undefined;
  /** Why the channel cancels. */
  readonly stated?: StatedReason | undefined;
  readonly actor: Actor;
}

interface GiveUpRequest {
  readonly sale: Sale;
  /** The operator's words, for the audit log only. */
  readonly reason: string;
  /** As for a cancellation. */
  readonly expectedRefund?: Cents | undefined;
  readonly actor: Actor;
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly gateways: Gateways;
  readonly alerts: Alerts;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly advanceSale: AdvanceSale;
}

export interface CancelSale {
  /** The figures of a cancellation today, or of the one that took place. Changes nothing. */
  preview(sale: Sale, by: CancelledBy): Promise<CancellationFigures | CancelRefusal>;
  /** Cancels, then starts the refund at the gateway and the withdrawal at the insurer. */
  cancel(request: CancelRequest): Promise<EndedByCancellation | CancelRefusal>;
  /**
   * Cancels by the insurer's side a sale that the service collects and that is not issued: all of
   * the money goes back.
   */
  giveUp(request: GiveUpRequest): Promise<EndedByCancellation | CancelRefusal>;
}

/** How a sale is ended: what is asked for, and what it takes. */
interface Ending extends CancelRequest {
  /** Whether the sale has ended in this way already. */
  readonly isDone: (sale: Sale) => sale is EndedByCancellation;
  readonly isPossible: (sale: Sale) => sale is CancellableSale;
  readonly otherwise: Refusal<'sale_ended' | 'nothing_to_give_up'>;
  readonly action: AuditAction;
  /** The reason for the audit log; absent: the reason of the figures. */
  readonly reason?: string;
}

/** Ends a sale once. A repeated call returns the first cancellation. */
export const makeCancelSale = (parts: Needs): CancelSale => ({
  preview: async (sale, by) => {
    const present = await withLatestPayment(sale, parts);
    if (isCancelled(present)) return present.cancellation;
    if (!isCancellable(present)) return refuse('sale_ended');
    return previewCancellation(present, parts.clock.today(), by);
  },
  cancel: (request) => {
    const possible = { isDone: isCancelled, isPossible: isCancellable };
    const otherwise = refuse('sale_ended');
    return endSale({ ...request, ...possible, otherwise, action: 'sale.cancelled' }, parts);
  },
  giveUp: (request) => {
    const possible = { isDone: wasGivenUp, isPossible: canBeGivenUp };
    const otherwise = refuse('nothing_to_give_up');
    const ending = { ...request, ...possible, by: 'insurer', otherwise } as const;
    return endSale({ ...ending, action: 'sale.given_up' }, parts);
  },
});

const endSale = async (
  ending: Ending,
  parts: Needs,
): Promise<EndedByCancellation | CancelRefusal> => {
  const { sale, isDone } = ending;
  if (isDone(sale)) return sale;

  const ended = await withLease(parts, sale.id, async (claimed, holder) => {
    const outcome = await storeEnd(await withLatestPayment(claimed, parts), ending, parts);
    if (isRefusal(outcome) || isCancelled(claimed)) return outcome;
    const advanced = await parts.advanceSale.held(outcome, holder, { isWaitedFor: true });
    return advanced.sale as EndedByCancellation;
  });
  return ended === 'busy' || ended === undefined ? refuse('sale_busy') : ended;
};

/** Refreshes the payment first: a payment we have not heard of changes the refund. */
const withLatestPayment = async (sale: Sale, parts: Needs): Promise<Sale> => {
  const mayBePaid = isUnpaid(sale) && sale.payment.status !== 'requested';
  const refreshed = mayBePaid ? await refreshPayment(sale, parts) : sale;
  return refreshed === 'unanswered' ? sale : refreshed;
};

const storeEnd = async (
  sale: Sale,
  ending: Ending,
  parts: Needs,
): Promise<EndedByCancellation | CancelRefusal> => {
  const { sales, clock } = parts;
  const { by, expectedRefund, stated } = ending;
  if (ending.isDone(sale)) return sale;
  if (!ending.isPossible(sale)) return ending.otherwise;
  const now = momentOf(clock);
  const cancelled = cancelSale(sale, now, by, stated);
  if (isRefusal(cancelled)) return cancelled;
  const { state } = cancelled;
  const figures = state.cancellation;
  if (expectedRefund !== undefined && expectedRefund !== figures.refund.total)
    return { ...refuse('refund_differs'), figures };

  const entry = entryOf(state, sale.status, ending, now);
  const saved = await saveChange(parts, sale, state, { resume: true, entry });
  if (saved === 'saved') return nextVersion(state);
  // A payment notice changed the sale first: end the sale as it is now.
  const present = await sales.load(sale.id);
  return present === undefined ? refuse('sale_busy') : storeEnd(present, ending, parts);
};

const entryOf = (
  { id, status, cancellation }: EndedByCancellation,
  before: string,
  { actor, action, stated, reason = stated?.reason ?? cancellation.reason }: Ending,
  { at }: Moment,
): AuditEntry => ({
  at,
  action,
  actor,
  subject: `transaction/${id}`,
  reason,
  changes: [
    { field: 'status', before, after: status },
    { field: 'refund', before: null, after: cancellation.refund.total },
  ],
});
