import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Step } from './context.ts';

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Gives the request its id (the caller's, if it sent a sane one) and a log that knows it; logs the answer. */
export const identified =
  (log: Logger): Step =>
  async (ctx, next) => {
    const started = performance.now();
    const sent = ctx.get('X-Request-Id');
    const requestId = SANE_ID.test(sent) ? sent : randomUUID();
    ctx.state.requestId = requestId;
    ctx.state.log = log.child({ requestId });
    ctx.set('X-Request-Id', requestId);
    await next();
    const took = Math.round((performance.now() - started) * 10) / 10;
    const { route, caller } = ctx.state;
    ctx.state.log.info(
      { method: ctx.method, route: route ?? null, status: ctx.status, ms: took, clientId: caller?.clientId },
      'request',
    );
  };

/** Headers that keep an API's answers from being taken for something else. */
export const secured: Step = async (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  await next();
};
