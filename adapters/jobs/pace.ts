import { setTimeout } from 'node:timers/promises';

/** A process is busy, or in a rush, when its event loop works for more than this share of the time. */
const [BUSY_UTILIZATION, RUSH_UTILIZATION] = [0.2, 0.5];

interface Limits {
  readonly max: number;
  readonly maxWhileBusy: number;
  /** The number in a rush. Default: as many as while it is busy. */
  readonly inRush?: number;
}

/**
 * Makes a function that returns how many background tasks may start now: `inRush` in a rush,
 * `maxWhileBusy` while the process is busy, then twice as many at each call, up to `max`. Sales have
 * priority over certificates.
 */
export const createPace = (
  { max, maxWhileBusy, inRush = maxWhileBusy }: Limits,
  utilization = utilizationSinceLastCall(),
): (() => number) => {
  let allowed = max;
  return function allowedNow() {
    const share = utilization();
    if (share > RUSH_UTILIZATION) allowed = inRush;
    else allowed = share > BUSY_UTILIZATION ? maxWhileBusy : Math.min(max, allowed * 2);
    return allowed;
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
