import { setTimeout } from 'node:timers/promises';

/** A process is busy, or in a rush, when its event loop works for more than this share of the time. */
const [BUSY_UTILIZATION, RUSH_UTILIZATION] = [0.2, 0.5];

/** What a pace grows from after a rush: the first task may start at the third call. */
const AFTER_RUSH = 0.25;

interface Limits {
  readonly max: number;
  readonly maxWhileBusy: number;
  /** Calls in a row that allow no task in a rush; by default none. The next one allows `maxWhileBusy`. */
  readonly pausesInRush?: number;
}

/**
 * Makes a function that returns how many background tasks may start now: `maxWhileBusy` while the
 * process is busy, then twice as many at each call, up to `max`. Sales have priority over
 * certificates.
 */
export const createPace = (
  { max, maxWhileBusy, pausesInRush = 0 }: Limits,
  utilization = utilizationSinceLastCall(),
): (() => number) => {
  let allowed = max;
  let pauses = 0;
  return function allowedNow() {
    const share = utilization();
    if (share > RUSH_UTILIZATION && pauses < pausesInRush) {
      pauses += 1;
      allowed = AFTER_RUSH;
      return 0;
    }
    pauses = 0;
    allowed = share > BUSY_UTILIZATION ? maxWhileBusy : Math.min(max, allowed * 2);
    return Math.floor(allowed);
  };
};

const utilizationSinceLastCall = (): (() => number) => {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
};

/**
 * Runs `work` again and again, with a pause after each time: the number of ms that `work` returns, else
 * `pauseMs`.
 *
 * @returns the function that stops it, and resolves when a running `work` has ended
 */
export const repeat = (
  pauseMs: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const pause = await work().catch(onFailure);
      const options = { signal: stopped.signal, ref: false };
      await setTimeout(typeof pause === 'number' ? pause : pauseMs, undefined, options).catch(
        () => {},
      );
    }
  };
  const running = run();
  return function stop() {
    stopped.abort();
    return running;
  };
};
