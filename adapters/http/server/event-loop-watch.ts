import type { Logger } from 'pino';

const CHECK_INTERVAL_MS = 250;

/** A block of the event loop that lasts longer is logged, ms. */
const BLOCKED_MS = 1_000;

let lastRoute: string | null = null;

/** Notes the route whose code runs now. If it blocks the event loop, the log names it. */
export const noteRoute = (route: string | undefined): void => {
  lastRoute = route ?? null;
};

/**
 * Logs each time the event loop was blocked for more than a second, with the route that ran last.
 * No request is answered meanwhile. Returns the function that ends the watch.
 */
export const watchEventLoop = (log: Pick<Logger, 'warn'>): (() => void) => {
  let checkedAt = performance.now();
  const check = (): void => {
    const now = performance.now();
    const blockedMs = Math.round(now - checkedAt - CHECK_INTERVAL_MS);
    checkedAt = now;
    if (blockedMs > BLOCKED_MS)
      log.warn({ ms: blockedMs, route: lastRoute }, 'the event loop was blocked');
    lastRoute = null;
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
};
