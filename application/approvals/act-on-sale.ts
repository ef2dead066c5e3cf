import {
  type CancellationFigures,
  type Cents,
  canBeGivenUp,
  type Instant,
  isCancelled,
  isRefusal,
  plus,
  type Receipt,
  type Refusal,
  refuse,
  type Sale,
  wasGivenUp,
  ZERO,
} from '#domain';
import {
  type Actor,
  type AuditAction,
  type AuditEntry,
  type AuditLog,
  changesBetween,
} from '../audit/audit-log.ts';
import { type Clock, later, momentOf } from '../clock.ts';
import {
  type DecidePayment,
  type DecisionRefusal,
  returnedBy,
} from '../collection/decide-payment.ts';
import { askGroups, type InGroups } from '../groups/in-groups.ts';
import type { People, Person } from '../people/people.ts';
import { may } from '../people/roles.ts';
import type { Sales } from '../sales/sales.ts';
import type { CancelRefusal, CancelSale } from '../servicing/cancel-sale.ts';
import {
  type ApprovalRequest,
  type ApprovalRequests,
  type MoneyAct,
  RIGHTS_OF_ACTS,
} from './approval-requests.ts';

/** A request waits so long for a second person, ms. */
export const APPROVAL_MS = 24 * 60 * 60 * 1_000;

/** Requests that are listed, at most. */
const MAX_LISTED = 100;

/**
 * `proof_needed`: the person has to give the second factor again. `no_request`: none waits, or the
 * sale has changed since. `other_request`: another act waits already. `own_request`: the second person
 * must be another. `not_allowed`: the role does not allow the act on this sale.
 */
export type ActRefusal =
  | CancelRefusal
  | DecisionRefusal
  | Refusal<'proof_needed' | 'no_request' | 'other_request' | 'own_request' | 'not_allowed'>;

/** What an act would do now. */
export interface ActPreview {
  /** The sale as it is, after the gateway was asked. */
  readonly sale: Sale;
  /** What goes back by it, in cents. */
  readonly amount: Cents;
  /** Absent for a decision about a payment. */
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
  /** The request that waits, if the sale has not changed since, and the person may see it. */
  waiting(sale: Sale, person: Person): Promise<ApprovalRequest | undefined>;
  /** All requests that wait and that the person may see, the oldest first. */
  list(person: Person): Promise<readonly ApprovalRequest[]>;
  approve(sale: Sale, by: By): Promise<Sale | ActRefusal>;
  /** Ends the request without the act. */
  decline(sale: Sale, by: By): Promise<'declined' | ActRefusal>;
}

interface Needs {
  readonly sales: Pick<Sales, 'load'>;
  readonly people: Pick<People, 'find'>;
  readonly approvalRequests: ApprovalRequests;
  /** The stores of all groups of channels, whose requests are listed. */
  readonly groupViews: InGroups<Pick<Needs, 'sales' | 'approvalRequests'>>;
  readonly auditLog: AuditLog;
  readonly cancelSale: CancelSale;
  readonly decidePayment: DecidePayment;
  readonly clock: Clock;
  /** What pays back more needs a second person, in cents. */
  readonly fourEyesAbove: Cents;
}

/** Whether a person may do an act: a partner what the own channel can do by its API. */
export const mayDo = ({ role, channelLink }: Person, act: MoneyAct, { terms }: Sale): boolean => {
  if (!may(role, RIGHTS_OF_ACTS[act.kind])) return false;
  const isByChannel = act.kind === 'cancel' && act.by === 'insured';
  return role !== 'partner' || (isByChannel && terms.channelLink === channelLink);
};

export const makeActOnSale = (parts: Needs): ActOnSale => {
  const { approvalRequests, groupViews, clock } = parts;

  const ask = async (
    { sale, act, seen, by: { person, actor } }: Order,
    amount: Cents,
  ): Promise<ActOutcome | ActRefusal> => {
    const askedAt = clock.now();
    const request: ApprovalRequest = {
      ...{ saleId: sale.id, saleVersion: seen.version, act, amount, askedAt },
      ...{ personId: person.personId, personName: person.name },
      expiresAt: later(askedAt, APPROVAL_MS),
    };
    const entry = entryOf('approval.asked', request, askedAt, actor);
    if ((await approvalRequests.open(request, entry)) === 'opened')
      return { kind: 'waits', request };
    const known = await waiting(sale);
    return known !== undefined && isSame(known, request)
      ? { kind: 'waits', request: known }
      : refuse('other_request');
  };

  const waiting = async ({ id, version }: Sale): Promise<ApprovalRequest | undefined> => {
    const request = await approvalRequests.find(id, clock.now());
    return request?.saleVersion === version ? request : undefined;
  };

  const seenBy = async (person: Person, sale: Sale): Promise<ApprovalRequest | undefined> => {
    const request = await waiting(sale);
    return request && (await maySee(person, request, sale, parts)) ? request : undefined;
  };

  return {
    preview: (sale, act) => previewAct(sale, act, parts),
    waiting: (sale, person) => seenBy(person, sale),

    async order(order) {
      const { sale, act, seen, by } = order;
      if (!mayDo(by.person, act, sale)) return refuse('not_allowed');
      if (isDone(sale, act, seen.amount)) return { kind: 'done', sale };
      const found = await previewAct(sale, act, parts);
      if (isRefusal(found)) return found;
      if (found.sale.version !== seen.version || found.amount !== seen.amount)
        return refuse('sale_changed');
      if (found.needsSecond) return by.isProved ? ask(order, found.amount) : refuse('proof_needed');
      const outcome = await perform(order, by.actor, parts);
      return isRefusal(outcome) ? outcome : { kind: 'done', sale: outcome };
    },

    async list(person) {
      const { found } = await askGroups(groupViews(), async (view) => {
        const requests = await view.approvalRequests.list(clock.now(), MAX_LISTED);
        const seen = requests.map(async (request) => {
          const sale = await view.sales.load(request.saleId);
          if (sale?.version !== request.saleVersion) return [];
          return (await maySee(person, request, sale, parts)) ? [request] : [];
        });
        return (await Promise.all(seen)).flat();
      });
      return [...found.values()].flat();
    },

    async approve(sale, { person, isProved, actor }) {
      const request = await seenBy(person, sale);
      if (request === undefined) return refuse('no_request');
      if (request.personId === person.personId) return refuse('own_request');
      if (!mayDo(person, request.act, sale)) return refuse('not_allowed');
      if (!isProved) return refuse('proof_needed');
      return approveRequest(sale, request, actor, parts);
    },

    async decline(sale, { person, actor }) {
      const request = await seenBy(person, sale);
      if (request === undefined) return refuse('no_request');
      if (!mayDo(person, request.act, sale)) return refuse('not_allowed');
      const entry = entryOf('approval.declined', request, clock.now(), actor);
      const closed = await approvalRequests.close(request, entry);
      return closed === 'gone' ? refuse('no_request') : 'declined';
    },
  };
};

/** Partners see what partners of their channel have asked for; the staff's acts are its own. */
const maySee = async (
  person: Person,
  { personId, act }: ApprovalRequest,
  sale: Sale,
  { people }: Needs,
): Promise<boolean> => {
  if (person.role !== 'partner') return true;
  const asker = await people.find('personId', personId);
  return asker?.channelLink === person.channelLink && mayDo(person, act, sale);
};

/** Closes the request before the act, so that only one caller does it. */
const approveRequest = async (
  sale: Sale,
  request: ApprovalRequest,
  actor: Actor,
  parts: Needs,
): Promise<Sale | ActRefusal> => {
  const { people, approvalRequests, auditLog, clock } = parts;
  const { act, amount, saleVersion: version } = request;
  const asker = await people.find('personId', request.personId);
  const isStillAllowed = asker?.isActive && mayDo(asker, act, sale);
  const entry = isStillAllowed
    ? entryOf('approval.given', request, clock.now(), actor)
    : entryOf('approval.declined', request, clock.now(), actor, 'asker_gone');
  const closed = await approvalRequests.close(request, entry);
  if (closed === 'gone' || !isStillAllowed) return refuse('no_request');
  const outcome = await perform({ sale, act, seen: { version, amount } }, actor, parts);
  if (!isRefusal(outcome)) return outcome;
  const why = (action: AuditAction) => entryOf(action, request, clock.now(), actor, outcome.kind);
  // It waits on while a worker has the sale; otherwise it has to be asked for again.
  if (outcome.kind === 'sale_busy') await approvalRequests.open(request, why('approval.asked'));
  else await auditLog.append(why('approval.declined'));
  return outcome;
};

const previewAct = async (
  sale: Sale,
  act: MoneyAct,
  { sales, cancelSale, clock, fourEyesAbove }: Needs,
): Promise<ActPreview | ActRefusal> => {
  if (act.kind === 'decide') {
    const amount = returnedBy(sale, act.decision, momentOf(clock));
    if (isRefusal(amount)) return amount;
    // What was noted before counts: else it could be noted in small parts.
    const noted = act.decision.kind === 'returned' ? sale.receipts.map(notedIn) : [];
    return { sale, amount, needsSecond: plus(amount, ...noted) > fourEyesAbove };
  }
  if (isCancelled(sale)) return refuse('sale_ended');
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
  if (act.kind === 'decide') return decidePayment({ sale, ...act, seen, actor });
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
const isDone = (sale: Sale, act: MoneyAct, amount: Cents): boolean => {
  if (!isCancelled(sale) || sale.cancellation.refund.total !== amount) return false;
  return act.kind === 'cancel'
    ? sale.cancellation.by === act.by
    : act.kind === 'give_up' && wasGivenUp(sale);
};

/** Whether two requests ask for the same. */
const isSame = (one: ApprovalRequest, other: ApprovalRequest): boolean =>
  one.amount === other.amount && changesBetween(one.act, other.act).length === 0;

const notedIn = ({ returnedByHand = ZERO }: Receipt): Cents => returnedByHand;
