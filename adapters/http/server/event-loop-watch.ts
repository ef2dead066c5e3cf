import type { Logger } from 'pino';

/** Time between two looks at the clock, ms. */
const LOOK_EVERY_MS = 250;

/** A turn of the event loop that takes longer is logged, ms. */
const BLOCKED_MS = 1_000;

let lastRoute: string | null = null;

/** Notes the route whose code runs now: where it blocks the event loop, the log names it. */
export const noteRoute = (route: string | undefined): void => {
  lastRoute = route ?? null;
};

/**
 * Logs each time the event loop was blocked for over a second, with the route whose code ran last: while it is blocked, no
 * request is answered. Returns the function that ends the watch.
 */
export const watchEventLoop = (log: Pick<Logger, 'warn'>): (() => void) => {
  let lookedAt = performance.now();
  const look = (): void => {
    const now = performance.now();
    const blockedMs = Math.round(now - lookedAt - LOOK_EVERY_MS);
    lookedAt = now;
    if (blockedMs > BLOCKED_MS)
      log.warn({ ms: blockedMs, route: lastRoute }, 'the event loop was blocked');
    lastRoute = null;
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
};
