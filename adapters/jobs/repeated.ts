import { setTimeout } from 'node:timers/promises';

/** Does `work` again and again, at once where it found something, else after a pause. Returns what ends it, once it is at rest. */
export const repeated = (pause: number, work: () => Promise<number>, failed: (error: unknown) => void): (() => Promise<void>) => {
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const found = await work().catch((error: unknown) => {
        failed(error);
        return 0;
      });
      if (found === 0) await setTimeout(pause, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return () => {
    ended.abort();
    return running;
  };
};
