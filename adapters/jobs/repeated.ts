import { setTimeout } from 'node:timers/promises';

/** Does `work` again and again, a pause after each time. Returns what ends it, once it is at rest. */
export const repeated = (
  pause: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): (() => Promise<void>) => {
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await work().catch(failed);
      await setTimeout(pause, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return () => {
    ended.abort();
    return running;
  };
};
