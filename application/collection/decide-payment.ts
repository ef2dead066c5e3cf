import {
  type Cents,
  decidePayment as decide,
  isRefusal,
  type Moment,
  nextVersion,
  noteReturnByHand,
  type Refusal,
  refundPending,
  refuse,
  type Sale,
  ZERO,
} from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, momentOf } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Gateways } from '../payments/gateways.ts';
import { type AdvanceSale, withLease } from '../saga/advance-sale.ts';
import { saveChange } from '../saga/change-sale.ts';
import type { SaleBusy } from '../sales/sale-refusals.ts';
import type { Sales } from '../sales/sales.ts';
import { refreshPayment } from './refresh-payment.ts';

/**
 * `nothing_to_decide`: no money of the sale waits for this decision. `sale_changed`: the sale, or what
 * would go back, is not as it was seen.
 */
export type DecisionRefusal = Refusal<'nothing_to_decide' | 'sale_changed'> | SaleBusy;

interface PaymentDecision {
  readonly sale: Sale;
  readonly decision: Decision;
  /** The operator's words, for the audit log only. */
  readonly note: string;
  /** The sale, and what goes back in cents, as the operator has seen them; absent: as they are now. */
  readonly seen?: { readonly version: number; readonly amount: Cents };
  readonly actor: Actor;
}

/**
 * `accept` and `return`: see the domain's `decidePayment`. `returned`: a person has returned `amount`,
 * in cents, in another way than by the gateway.
 */
export type Decision =
  | { readonly kind: 'accept' | 'return' }
  | {
      readonly kind: 'returned';
      readonly amount: Cents;
      /** What the bank calls the transfer: for the audit log only. */
      readonly protocol?: string;
    };

const decideAs = (sale: Sale, decision: Decision, now: Moment) =>
  decision.kind === 'returned'
    ? noteReturnByHand(sale, decision.amount, now)
    : decide(sale, decision.kind, now);

/** What goes back, or was returned, if it is decided so now, in cents. */
export const returnedBy = (
  sale: Sale,
  decision: Decision,
  now: Moment,
): Cents | Refusal<'nothing_to_decide'> => {
  const decided = decideAs(sale, decision, now);
  if (isRefusal(decided)) return refuse('nothing_to_decide');
  if (decision.kind === 'returned') return decision.amount;
  return decision.kind === 'accept' ? ZERO : refundPending(decided.state);
};

/** Decides about money that only a person can decide about, and goes on with the sale. */
export type DecidePayment = (asked: PaymentDecision) => Promise<Sale | DecisionRefusal>;

interface Needs {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly gateways: Gateways;
  readonly alerts: Alerts;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly advanceSale: AdvanceSale;
}

export const makeDecidePayment = (parts: Needs): DecidePayment =>
  async function decidePayment(asked) {
    const outcome = await withLease(parts, asked.sale.id, async (claimed, holder) => {
      if (asked.seen && asked.seen.version !== claimed.version) return refuse('sale_changed');
      // Refresh first: the rest may have come, or a person may have returned the money.
      const refreshed = await refreshPayment(claimed, parts);
      const decided = await storeDecision(
        refreshed === 'unanswered' ? claimed : refreshed,
        asked,
        parts,
      );
      if (isRefusal(decided)) return decided;
      return (await parts.advanceSale.held(decided, holder, { isWaitedFor: true })).sale;
    });
    return outcome === 'busy' || outcome === undefined ? refuse('sale_busy') : outcome;
  };

const storeDecision = async (
  sale: Sale,
  asked: PaymentDecision,
  parts: Needs,
): Promise<Sale | DecisionRefusal> => {
  const { sales, clock } = parts;
  const now = momentOf(clock);
  const decided = decideAs(sale, asked.decision, now);
  if (isRefusal(decided)) return refuse('nothing_to_decide');
  // More may have come since.
  if (asked.seen && asked.seen.amount !== returnedBy(sale, asked.decision, now))
    return refuse('sale_changed');
  const { state } = decided;
  const entry = entryOf(sale, state, asked, parts);
  const saved = await saveChange(parts, sale, state, { resume: true, entry });
  if (saved === 'saved') return nextVersion(state);
  // A notice of the gateway changed the sale first.
  const present = await sales.load(sale.id);
  return present === undefined ? refuse('sale_busy') : storeDecision(present, asked, parts);
};

const sumOf = ({ receipts }: Sale): number => receipts.reduce((sum, { amount }) => sum + amount, 0);

const entryOf = (
  before: Sale,
  after: Sale,
  { note, actor, decision }: PaymentDecision,
  { clock }: Needs,
): AuditEntry => ({
  at: clock.now(),
  action: 'payment.decided',
  actor,
  subject: `transaction/${before.id}`,
  reason: note,
  changes: [
    { field: 'status', before: before.status, after: after.status },
    { field: 'decision', before: null, after: decision.kind },
    ...('amount' in decision
      ? [
          { field: 'returned', before: null, after: decision.amount },
          { field: 'protocol', before: null, after: decision.protocol ?? null },
        ]
      : [{ field: 'received', before: null, after: sumOf(before) }]),
  ],
});
