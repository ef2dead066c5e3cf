import { setTimeout } from 'node:timers/promises';
import { type Count, type Counters, requestsOf } from '../../../application/counters.ts';
import { type Refused, refused } from '../contract/answer-error.ts';
import { type Context, callerOf, type Step } from './context.ts';

export interface Limits {
  /** Requests per minute of one client or, where no client is known, of one network; or no limit at all. */
  readonly perMinute: number | 'off';
  readonly counters: Counters;
}

/** Nobody is told to wait, or counted, where others must know something to go on: whether the service is up, and its keys. */
const UNREFUSED = /^\/(health\/(live|ready)|\.well-known\/[a-z./-]+)$/;

const announce = (ctx: Context, limit: number, { count, resetsIn }: Count): void => {
  ctx.state.counted = true;
  ctx.set({
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(0, limit - count)),
    'RateLimit-Reset': String(resetsIn),
    'RateLimit-Policy': `${limit};w=60`,
  });
};

export const tooMany = (what: string, seconds: number): Refused =>
  refused(
    429,
    `${what} Tente novamente em ${seconds} segundos.`,
    {},
    { 'Retry-After': String(seconds) },
  );

export const TOO_MANY_REQUESTS = 'Limite de requisições excedido.';

/** Lets each client make so many requests a minute, and says how many are left. Behind `authenticated`. */
export const limited = ({ perMinute, counters }: Limits): Step => {
  if (perMinute === 'off') return (_, next) => next();
  return async (ctx, next) => {
    const count = await counters.add(requestsOf(callerOf(ctx).clientId));
    announce(ctx, perMinute, count);
    if (count.count > perMinute) throw tooMany(TOO_MANY_REQUESTS, count.resetsIn);
    await next();
  };
};

/** For pages, where nobody can prove who he is: past the limit of the network nothing is done any more. */
export const untilLimit = ({ perMinute, counters }: Limits): Step => {
  if (perMinute === 'off') return (_, next) => next();
  return async (ctx, next) => {
    const count = await counters.read(`network ${ctx.state.applicant.network}`);
    if (count.count >= perMinute) {
      announce(ctx, perMinute, count);
      throw tooMany(TOO_MANY_REQUESTS, count.resetsIn);
    }
    await next();
  };
};

/**
 * Says on every answer how many requests are left. What no client answers for is counted against the network it came
 * from, and refused past the limit; a client that proves who it is at the token endpoint is never refused for its neighbours.
 */
export const announced = ({ perMinute, counters }: Limits): Step => {
  if (perMinute === 'off') return (_, next) => next();
  return async (ctx, next) => {
    const failure = await next().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (ctx.state.counted !== true) {
      const { clientId, applicant } = ctx.state;
      // A client at the token endpoint has been counted, and refused where it had to be, before it was given anything.
      const isFree = UNREFUSED.test(ctx.path);
      const name = clientId === undefined ? `network ${applicant.network}` : requestsOf(clientId);
      const count = await (isFree || clientId !== undefined
        ? counters.read(name)
        : counters.add(name));
      announce(ctx, perMinute, count);
      const over = count.count > perMinute && clientId === undefined && !isFree;
      if (over) throw tooMany(TOO_MANY_REQUESTS, count.resetsIn);
    }
    if (failure) throw failure.error;
  };
};

/** No more answers than this are held back at once: whoever sends more gets them without delay. */
const MOST_HELD = 200;

let held = 0;

/** Holds an answer back, so that whoever waits for it cannot ask for the next one yet. */
export const holdBack = async (milliseconds: number): Promise<void> => {
  if (held >= MOST_HELD) return;
  held += 1;
  await setTimeout(milliseconds);
  held -= 1;
};
