import { type Instant, instantOf } from '#domain';
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
  /** Absent: it failed. */
  readonly effect?: Effect;
  /** With a refusal by the rate limit. */
  readonly retryAfterSeconds?: number;
}

/** What a client has done so far. */
export interface Readiness {
  /** By step. */
  readonly proofs: Readonly<Record<string, Proof>>;
  /** A payment was refused, and no sale has been made since. */
  readonly declined?: true;
  /** Routes on which fields were at fault, and that have not succeeded since. */
  readonly faultyRoutes?: readonly string[];
  /** The rate limit has refused a request: no other one should have been sent before this time. */
  readonly limitedUntil?: Instant;
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

/** More routes than these are not remembered: there are fewer on which fields can be at fault. */
const MAX_FAULTY_ROUTES = 40;

/** What follows from a request that failed. */
const afterFailure = (readiness: Readiness, request: NotedRequest): Readiness => {
  const { code, at, retryAfterSeconds = 0 } = request;
  if (code === 'rate_limited') {
    const until = instantOf(new Date(Date.parse(at) + 1_000 * retryAfterSeconds));
    return { ...readiness, limitedUntil: until };
  }
  if (DECLINED.has(code)) return { ...readiness, declined: true };
  const { faultyRoutes = [] } = readiness;
  const route = nameOf(request);
  const isKnown = faultyRoutes.includes(route) || faultyRoutes.length >= MAX_FAULTY_ROUTES;
  if (request.fields === null || isKnown) return readiness;
  return { ...readiness, faultyRoutes: [...faultyRoutes, route] };
};

const nameOf = ({ method, route }: AnsweredRequest): string => `${method} ${route}`;

/** The steps that a request which succeeded has done. */
const stepsOf = (
  { declined, faultyRoutes = [], limitedUntil }: Readiness,
  request: NotedRequest & { readonly effect: Effect },
): readonly ReadinessStep[] => {
  const { effect, replayed, at } = request;
  const isNewSale = effect.kind === 'sold' && !replayed;
  const steps: readonly (ReadinessStep | false)[] = [
    replayed && 'repeat',
    isNewSale && `sell_${effect.productCode}`,
    isNewSale && declined === true && 'handle_decline',
    faultyRoutes.includes(nameOf(request)) && 'handle_422',
    limitedUntil !== undefined && at >= limitedUntil && 'handle_429',
    effect.kind === 'cancelled' && 'cancel',
    effect.kind === 'read_events' && 'feed',
  ];
  return steps.filter((step) => step !== false);
};

/**
 * What a client has done after one more request. The first proof of a step stays. Returns the same
 * object if nothing has changed.
 */
export const advanceReadiness = (readiness: Readiness, request: NotedRequest): Readiness => {
  const { effect, requestId, at } = request;
  if (effect === undefined) return afterFailure(readiness, request);

  const steps = stepsOf(readiness, { ...request, effect });
  const added = steps.filter((step) => !Object.hasOwn(readiness.proofs, step));
  const { declined, faultyRoutes, limitedUntil, proofs } = readiness;
  const stillFaulty = faultyRoutes?.filter((route) => route !== nameOf(request)) ?? [];
  const isUnchanged =
    added.length === 0 &&
    !steps.includes('handle_decline') &&
    !steps.includes('handle_422') &&
    !steps.includes('handle_429');
  if (isUnchanged) return readiness;

  return {
    proofs: { ...proofs, ...Object.fromEntries(added.map((step) => [step, { requestId, at }])) },
    ...(declined && !steps.includes('handle_decline') && { declined }),
    ...(stillFaulty.length > 0 && { faultyRoutes: stillFaulty }),
    ...(limitedUntil !== undefined && !steps.includes('handle_429') && { limitedUntil }),
  };
};

/**
 * What the clients of the test environment have done.
 *
 * 1. `advance` changes what a client has done, from `NOTHING_DONE` at first; changes that are made
 *    at the same time follow each other.
 * 2. `find` returns it as it was last changed.
 */
export interface ReadinessRecords {
  advance(clientId: string, change: (done: Readiness) => Readiness): Promise<void>;
  find(clientId: string): Promise<Readiness>;
}
