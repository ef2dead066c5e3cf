import type { Instant } from '#domain';
import { later } from '../clock.ts';
import type { AnsweredRequest } from './answered-requests.ts';

/** What a partner shows in the test environment before it goes live, besides selling each product. */
export const READINESS_STEPS = [
  'repeat',
  'handle_decline',
  'handle_422',
  'handle_429',
  'cancel',
  'webhook',
  'feed',
] as const;

export type ReadinessStep = (typeof READINESS_STEPS)[number] | `sell_${string}`;

/** The request that shows that a step is done. */
export interface Proof {
  readonly requestId: string;
  readonly at: Instant;
}

/** What a request did, besides failing. */
export type Effect =
  | { readonly kind: 'sold'; readonly productCode: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'read_events' };

/** An answered request, with what readiness is computed from and the store does not keep. */
export interface NotedRequest extends AnsweredRequest {
  /** Absent if it failed. */
  readonly effect?: Effect;
  /** Only if the limit of requests per minute refused it. */
  readonly retryAfterSeconds?: number;
}

/** A time in which a client was to wait. */
interface Wait {
  readonly from: Instant;
  /** The end of `Retry-After`. */
  readonly until: Instant;
  /** The client has sent something meanwhile. */
  readonly isBroken?: true;
}

/**
 * What a client has done so far. Requests of several processes arrive in any order, and some twice:
 * so the times of failures and successes are kept, and compared.
 */
export interface Readiness {
  /** The proofs by step. */
  readonly proofs: Readonly<Record<string, Proof>>;
  /** The first refused payment. */
  readonly declinedAt?: Instant;
  /** The last new sale. */
  readonly lastSale?: Proof;
  /** The first time that fields were at fault, by route. */
  readonly faultyAt?: Readonly<Record<string, Instant>>;
  /** The last success, by route. */
  readonly lastSuccess?: Readonly<Record<string, Proof>>;
  readonly wait?: Wait;
}

export const NOTHING_DONE: Readiness = { proofs: {} };

const DECLINED: ReadonlySet<string | null> = new Set([
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'gateway_unavailable',
  'payment_refused',
  'proposal_refused',
]);

/** Requests that were on their way when the first one was refused do not break the wait. */
const ON_THEIR_WAY_MS = 2_000;

/** Nor does one that comes so little too early: the times are those of answers. */
const TOLERATED_MS = 1_000;

/** The wait after one more request, if any. */
const waitAfter = (wait: Wait | undefined, request: NotedRequest): Wait | undefined => {
  const { at, ms, retryAfterSeconds } = request;
  const sentAt = later(at, -ms);
  if (wait !== undefined && sentAt < wait.until) {
    const isBreach =
      sentAt > later(wait.from, ON_THEIR_WAY_MS) && sentAt < later(wait.until, -TOLERATED_MS);
    return isBreach ? { ...wait, isBroken: true } : wait;
  }
  if (retryAfterSeconds === undefined) return wait;
  return { from: at, until: later(at, 1_000 * retryAfterSeconds) };
};

const nameOf = ({ method, route }: AnsweredRequest): string => `${method} ${route}`;

const earlier = (one: Instant | undefined, other: Instant): Instant =>
  one !== undefined && one < other ? one : other;

const latest = (one: Proof | undefined, other: Proof): Proof =>
  one !== undefined && one.at > other.at ? one : other;

/** What is known after one more request, before anything is concluded from it. */
const learn = (done: Readiness, request: NotedRequest): Readiness => {
  const { effect, code, fields, at, requestId, replayed } = request;
  const wait = waitAfter(done.wait, request);
  const known = { ...done, ...(wait && { wait }) };
  const route = nameOf(request);
  if (effect === undefined) {
    if (DECLINED.has(code)) return { ...known, declinedAt: earlier(done.declinedAt, at) };
    if (fields === null) return known;
    const faultyAt = earlier(done.faultyAt?.[route], at);
    return { ...known, faultyAt: { ...done.faultyAt, [route]: faultyAt } };
  }

  const proof = { requestId, at };
  const isNewSale = effect.kind === 'sold' && !replayed;
  return {
    ...known,
    lastSuccess: { ...done.lastSuccess, [route]: latest(done.lastSuccess?.[route], proof) },
    ...(isNewSale && { lastSale: latest(done.lastSale, proof) }),
  };
};

/** What is proven by what is known: by the request, or by an earlier one that arrived first. */
const conclude = (known: Readiness, request: NotedRequest): Readonly<Record<string, Proof>> => {
  const { effect, replayed, requestId, at } = request;
  const { declinedAt, lastSale, faultyAt = {}, lastSuccess = {}, wait } = known;
  const own = { requestId, at };
  const mended = Object.entries(faultyAt)
    .map(([route, since]) => ({ since, success: lastSuccess[route] }))
    .find(({ since, success }) => success !== undefined && success.at > since)?.success;
  const hasWaited =
    effect !== undefined && wait?.isBroken === undefined && wait !== undefined && at >= wait.until;
  return {
    ...(effect?.kind === 'sold' && { [`sell_${effect.productCode}`]: own }),
    ...(replayed && { repeat: own }),
    ...(declinedAt && lastSale && lastSale.at > declinedAt && { handle_decline: lastSale }),
    ...(mended && { handle_422: mended }),
    ...(hasWaited && { handle_429: own }),
    ...(effect?.kind === 'cancelled' && { cancel: own }),
    ...(effect?.kind === 'read_events' && { feed: own }),
  };
};

/** The state without what no further step depends on. */
const withoutSpent = ({ proofs, ...known }: Readiness): Readiness => {
  const { declinedAt, lastSale, faultyAt, lastSuccess, wait } = known;
  const isOpen = (step: ReadinessStep): boolean => !Object.hasOwn(proofs, step);
  return {
    proofs,
    ...(isOpen('handle_decline') && declinedAt && { declinedAt }),
    ...(isOpen('handle_decline') && lastSale && { lastSale }),
    ...(isOpen('handle_422') && faultyAt && { faultyAt }),
    ...(isOpen('handle_422') && lastSuccess && { lastSuccess }),
    ...(isOpen('handle_429') && wait && { wait }),
  };
};

/** What a client has done after one more request. The first proof of a step stays. */
export const advanceReadiness = (done: Readiness, request: NotedRequest): Readiness => {
  const known = learn(done, request);
  const proofs = { ...conclude(known, request), ...done.proofs };
  return withoutSpent({ ...known, proofs });
};

/**
 * What the clients of the test environment have done.
 *
 * 1. `advance` changes what some clients have done, from `NOTHING_DONE` at first; changes that are
 *    made at the same time follow each other. `change` may be called twice for a client.
 * 2. `find` returns it as it was last changed.
 */
export interface ReadinessRecords {
  advance(
    clientIds: readonly string[],
    change: (clientId: string, done: Readiness) => Readiness,
  ): Promise<void>;
  find(clientId: string): Promise<Readiness>;
}
