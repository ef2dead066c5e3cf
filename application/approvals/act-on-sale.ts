import {
  type CancellationFigures,
  type Cents,
  canBeGivenUp,
  type Instant,
  isCancelled,
  isRefusal,
  type Refusal,
  refuse,
  type Sale,
  wasGivenUp,
} from '#domain';
import type { Actor, AuditAction, AuditEntry } from '../audit/audit-log.ts';
import { type Clock, later, momentOf } from '../clock.ts';
import {
  type DecidePayment,
  type DecisionRefusal,
  returnedBy,
} from '../collection/decide-payment.ts';
import type { Person } from '../people/people.ts';
import type { Sales } from '../sales/sales.ts';
import type { CancelRefusal, CancelSale } from '../servicing/cancel-sale.ts';
import type { ApprovalRequest, ApprovalRequests, MoneyAct } from './approval-requests.ts';

/** A request waits so long for a second person, ms. */
export const APPROVAL_MS = 24 * 60 * 60 * 1_000;

/** Requests that are listed, at most. */
const MAX_LISTED = 100;

/**
 * `sale_changed`: the sale, or what would go back, is not as the person saw it. `proof_needed`: the
 * person has to give the second factor again. `no_request`: none waits, or the sale has changed since.
 * `own_request`: the second person must be another.
 */
export type ActRefusal =
  | CancelRefusal
  | DecisionRefusal
  | Refusal<'sale_changed' | 'proof_needed' | 'no_request' | 'own_request'>;

/** What an act would do now. */
export interface ActPreview {
  /** The sale as it is, after the gateway was asked. */
  readonly sale: Sale;
  /** What goes back by it, in cents. */
  readonly amount: Cents;
  /** Of a cancellation. */
  readonly figures?: CancellationFigures;
  readonly needsSecond: boolean;
}

/** Somebody who acts in the console. */
export interface By {
  readonly person: Person;
  /** Whether the second factor was given in the last ten minutes. */
  readonly isProved: boolean;
  readonly actor: Actor;
}

interface Order {
  readonly sale: Sale;
  readonly act: MoneyAct;
  /** The version of the sale, and what goes back, as the person has seen them. */
  readonly seen: { readonly version: number; readonly amount: Cents };
  readonly by: By;
}

type ActOutcome =
  | { readonly kind: 'done'; readonly sale: Sale }
  | { readonly kind: 'waits'; readonly request: ApprovalRequest };

/**
 * Acts of people by which money may go back. What pays back more than a limit is done by two: it
 * waits for a second person. The API is not concerned.
 */
export interface ActOnSale {
  /** Changes nothing but what the gateway says of the payment. */
  preview(sale: Sale, act: MoneyAct): Promise<ActPreview | ActRefusal>;
  /** Does the act once, or asks a second person. */
  order(order: Order): Promise<ActOutcome | ActRefusal>;
  /** The request that waits, if the sale has not changed since. */
  waiting(sale: Sale): Promise<ApprovalRequest | undefined>;
  /** All requests that wait, the oldest first. */
  list(): Promise<readonly ApprovalRequest[]>;
  approve(sale: Sale, by: By): Promise<Sale | ActRefusal>;
  /** Ends the request without the act. */
  decline(sale: Sale, by: By): Promise<'declined' | ActRefusal>;
}

interface Needs {
  readonly sales: Pick<Sales, 'load'>;
  readonly approvalRequests: ApprovalRequests;
  readonly cancelSale: CancelSale;
  readonly decidePayment: DecidePayment;
  readonly clock: Clock;
  /** What pays back more needs a second person, in cents. */
  readonly fourEyesAbove: Cents;
}

export const makeActOnSale = (parts: Needs): ActOnSale => {
  const { sales, approvalRequests, clock } = parts;

  const ask = async (
    { sale, act, seen, by: { person, actor } }: Order,
    amount: Cents,
  ): Promise<ActOutcome> => {
    const askedAt = clock.now();
    const request: ApprovalRequest = {
      ...{ saleId: sale.id, saleVersion: seen.version, act, amount, askedAt },
      ...{ personId: person.personId, personName: person.name },
      expiresAt: later(askedAt, APPROVAL_MS),
    };
    await approvalRequests.open(request, entryOf('approval.asked', request, askedAt, actor));
    return { kind: 'waits', request };
  };

  const waiting: ActOnSale['waiting'] = async ({ id, version }) => {
    const request = await approvalRequests.find(id, clock.now());
    return request?.saleVersion === version ? request : undefined;
  };

  return {
    preview: (sale, act) => previewAct(sale, act, parts),
    waiting,

    async order(order) {
      const { sale, act, seen, by } = order;
      if (isDone(sale, act)) return { kind: 'done', sale };
      const found = await previewAct(sale, act, parts);
      if (isRefusal(found)) return found;
      if (found.sale.version !== seen.version || found.amount !== seen.amount)
        return refuse('sale_changed');
      if (found.needsSecond) return by.isProved ? ask(order, found.amount) : refuse('proof_needed');
      const outcome = await perform(order, by.actor, parts);
      return isRefusal(outcome) ? outcome : { kind: 'done', sale: outcome };
    },

    async list() {
      const requests = await approvalRequests.list(clock.now(), MAX_LISTED);
      const found = await Promise.all(
        requests.map(async (request) => {
          const sale = await sales.load(request.saleId);
          return sale?.version === request.saleVersion ? [request] : [];
        }),
      );
      return found.flat();
    },

    async approve(sale, { person, isProved, actor }) {
      const request = await waiting(sale);
      if (request === undefined) return refuse('no_request');
      if (request.personId === person.personId) return refuse('own_request');
      if (!isProved) return refuse('proof_needed');
      const { act, amount, saleVersion: version } = request;
      const outcome = await perform({ sale, act, seen: { version, amount } }, actor, parts);
      if (isRefusal(outcome) && outcome.kind === 'sale_busy') return outcome;
      // What cannot be done as it was approved is to be asked for again.
      const entry = isRefusal(outcome)
        ? entryOf('approval.declined', request, clock.now(), actor, outcome.kind)
        : entryOf('approval.given', request, clock.now(), actor);
      await approvalRequests.close(request, entry);
      return outcome;
    },

    async decline(sale, { actor }) {
      const request = await waiting(sale);
      if (request === undefined) return refuse('no_request');
      const entry = entryOf('approval.declined', request, clock.now(), actor);
      await approvalRequests.close(request, entry);
      return 'declined';
    },
  };
};

const previewAct = async (
  sale: Sale,
  act: MoneyAct,
  { sales, cancelSale, clock, fourEyesAbove }: Needs,
): Promise<ActPreview | ActRefusal> => {
  if (act.kind === 'decide') {
    const amount = returnedBy(sale, act.decision, momentOf(clock));
    return isRefusal(amount) ? amount : { sale, amount, needsSecond: amount > fourEyesAbove };
  }
  if (act.kind === 'give_up' && !canBeGivenUp(sale)) return refuse('nothing_to_give_up');
  const figures = await cancelSale.preview(sale, act.kind === 'cancel' ? act.by : 'insurer');
  if (isRefusal(figures)) return figures;
  const present = (await sales.load(sale.id)) ?? sale;
  const amount = figures.refund.total;
  return { sale: present, amount, figures, needsSecond: amount > fourEyesAbove };
};

const perform = (
  { sale, act, seen }: Omit<Order, 'by'>,
  actor: Actor,
  { cancelSale, decidePayment }: Needs,
): Promise<Sale | ActRefusal> => {
  if (act.kind === 'decide')
    return decidePayment({ sale, ...act, seenVersion: seen.version, actor });
  const ending = { sale, expectedRefund: seen.amount, actor };
  return act.kind === 'cancel'
    ? cancelSale.cancel({ ...ending, by: act.by, stated: act.stated })
    : cancelSale.giveUp({ ...ending, reason: act.reason });
};

const entryOf = (
  action: AuditAction,
  { saleId, act, amount }: ApprovalRequest,
  at: Instant,
  actor: Actor,
  reason: string | null = null,
): AuditEntry => ({
  ...{ at, action, actor, subject: `transaction/${saleId}`, reason },
  changes: [
    { field: 'act', before: null, after: act.kind },
    { field: 'refund', before: null, after: amount },
  ],
});

/** Whether the sale has ended by such an act already, as after the same form in another tab. */
const isDone = (sale: Sale, { kind }: MoneyAct): boolean =>
  (kind === 'cancel' && isCancelled(sale)) || (kind === 'give_up' && wasGivenUp(sale));
