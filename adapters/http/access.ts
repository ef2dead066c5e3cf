import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Authenticate } from '../../application/identity/authenticate.ts';
import type { Scope } from '../../application/identity/clients.ts';
import { type Refused, refused } from './answers.ts';
import { type Context, callerOf, type Step } from './context.ts';

/** The client behind the bearer token, or 401; without the scope, 403. */
export const authenticated =
  (authenticate: Authenticate, scope: Scope): Step =>
  async (ctx, next) => {
    const [, token] = /^Bearer +([^\s]+) *$/i.exec(ctx.get('Authorization')) ?? [];
    const caller = token === undefined ? undefined : await authenticate(token);
    if (caller === undefined) throw refused(401, 'Token não encontrado', {}, { 'WWW-Authenticate': 'Bearer' });
    ctx.state.caller = caller;
    if (!caller.scopes.includes(scope)) {
      const challenge = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
      throw refused(403, `Este recurso exige o escopo ${scope}.`, {}, challenge);
    }
    await next();
  };

/** Requests per minute and client, or none at all. */
export type RateLimit = number | 'off';

const announce = (ctx: Context, limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): string => {
  const reset = String(Math.ceil(msBeforeNext / 1000));
  ctx.set({
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(0, remainingPoints)),
    'RateLimit-Reset': reset,
  });
  return reset;
};

const tooMany = (what: string, reset: string): Refused =>
  refused(429, `${what} Tente novamente em ${reset} segundos.`, {}, { 'Retry-After': reset });

/** Lets each client make so many requests a minute, and says how many are left. */
export const limited = (perMinute: RateLimit): Step => {
  if (perMinute === 'off') return (_, next) => next();
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (ctx, next) => {
    const usage = await limiter.consume(callerOf(ctx).clientId).catch((exceeded: RateLimiterRes) => exceeded);
    const reset = announce(ctx, perMinute, usage);
    if (usage.consumedPoints > perMinute) throw tooMany('Limite de requisições excedido.', reset);
    await next();
  };
};

const TOKEN_FAILURES = 30;

/** Refuses an address that has failed at the token endpoint too often within a minute. */
export const failuresLimited = (limit: RateLimit): Step => {
  if (limit === 'off') return (_, next) => next();
  const limiter = new RateLimiterMemory({ points: TOKEN_FAILURES, duration: 60 });
  return async (ctx, next) => {
    const spent = await limiter.get(ctx.ip);
    if (spent !== null) {
      const reset = announce(ctx, TOKEN_FAILURES, spent);
      if (spent.remainingPoints <= 0) throw tooMany('Muitas tentativas sem sucesso deste endereço.', reset);
    }
    try {
      await next();
    } catch (error) {
      if ((error as { status?: unknown }).status === 401) await limiter.penalty(ctx.ip);
      throw error;
    }
  };
};
