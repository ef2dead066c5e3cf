import { setTimeout } from 'node:timers/promises';
import type { Count, Counters } from '../../../../application/counters.ts';
import { requestsOf } from '../../../../application/identity/clients.ts';
import { type AnswerError, standardError } from '../../contract/answer-error.ts';
import { type Context, callerOf, type Step } from './context.ts';

export interface Limits {
  /** Requests per minute of one client or, where no client authenticated, of one network. */
  readonly perMinute: number | 'off';
  readonly counters: Counters;
}

/** Paths that supervisors and other servers depend on: not counted, and answered past the limit. */
const ALWAYS_ANSWERED_PATHS = /^\/(health\/(live|ready)|\.well-known\/[a-z./-]+)$/;

/** Marks the request as counted, and tells the caller what is left of the limit. */
const setRateLimitHeaders = (
  exchange: Pick<Context, 'state' | 'set'>,
  limit: number,
  { count, resetsIn }: Count,
): void => {
  exchange.state.counted = true;
  const remaining = Math.max(0, limit - count);
  exchange.set('RateLimit-Limit', String(limit));
  exchange.set('RateLimit-Remaining', String(remaining));
  exchange.set('RateLimit-Reset', String(resetsIn));
  // By drafts 03 and 10 of draft-ietf-httpapi-ratelimit-headers.
  exchange.set('RateLimit-Policy', `${limit};w=60, "minute";q=${limit};w=60`);
  exchange.set('RateLimit', `"minute";r=${remaining};t=${resetsIn}`);
};

/** 429. `reason` is a sentence in Portuguese. */
export const tooManyRequests = (reason: string, retryAfterSeconds: number): AnswerError =>
  standardError(
    429,
    'rate_limited',
    `${reason} Tente novamente em ${retryAfterSeconds} segundos.`,
    {},
    { 'Retry-After': String(retryAfterSeconds) },
  );

export const TOO_MANY_REQUESTS = 'Limite de requisições excedido.';

const skipRateLimit: Step = function skipRateLimit(_, next) {
  return next();
};

/** Returns the function that counts a request of an authenticated client. @throws AnswerError 429 */
export const countRequest = ({ perMinute, counters }: Limits) => {
  if (perMinute === 'off') return () => {};

  return function countRequest(exchange: Pick<Context, 'state' | 'set'>): void {
    const count = counters.add(requestsOf(callerOf(exchange).clientId));
    setRateLimitHeaders(exchange, perMinute, count);
    if (count.count <= perMinute) return;
    exchange.state.isOverLimit = true;
    throw tooManyRequests(TOO_MANY_REQUESTS, count.resetsIn);
  };
};

/** Refuses a network past its limit, on public pages. `announceRateLimit` counts the request. */
export const limitNetwork = ({ perMinute, counters }: Limits): Step => {
  if (perMinute === 'off') return skipRateLimit;

  return function limitNetwork(ctx, next) {
    const count = counters.read(`network ${ctx.state.applicant.network}`);
    if (count.count >= perMinute) {
      setRateLimitHeaders(ctx, perMinute, count);
      throw tooManyRequests(TOO_MANY_REQUESTS, count.resetsIn);
    }
    return next();
  };
};

/**
 * Puts the rate limit headers on every answer. A request without an authenticated client counts
 * against its network, and is refused past the network's limit. A client that authenticates at the
 * token endpoint is never refused because of other clients in its network.
 */
export const announceRateLimit = (limits: Limits): Step => {
  const countAnswer = countAnswerOf(limits);

  return async function announceRateLimit(ctx, next) {
    try {
      await next();
    } finally {
      countAnswer(ctx, ctx.path);
    }
  };
};

/**
 * Returns the function that counts a request, once it is answered, unless it has been counted.
 *
 * @throws AnswerError 429, in place of the answer
 */
const countAnswerOf = ({ perMinute, counters }: Limits) => {
  if (perMinute === 'off') return () => {};

  return function countAnswer(exchange: Pick<Context, 'state' | 'set'>, path: string): void {
    const { counted, clientId, applicant } = exchange.state;
    if (counted === true) return;
    const isAlwaysAnswered = ALWAYS_ANSWERED_PATHS.test(path);
    const name = clientId === undefined ? `network ${applicant.network}` : requestsOf(clientId);
    // The token endpoint has counted its client already.
    const count =
      isAlwaysAnswered || clientId !== undefined ? counters.read(name) : counters.add(name);
    setRateLimitHeaders(exchange, perMinute, count);
    const isOver = count.count > perMinute && clientId === undefined && !isAlwaysAnswered;
    if (isOver) throw tooManyRequests(TOO_MANY_REQUESTS, count.resetsIn);
  };
};

/** Largest number of delayed answers at the same time. Further answers are not delayed. */
const MAX_DELAYED_ANSWERS = 200;

let delayedAnswers = 0;

/** Delays an answer, so that its client cannot guess the next secret at once. */
export const delayAnswer = async (delayMs: number): Promise<void> => {
  if (delayedAnswers >= MAX_DELAYED_ANSWERS) return;
  delayedAnswers += 1;
  await setTimeout(delayMs);
  delayedAnswers -= 1;
};
