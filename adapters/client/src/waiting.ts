/** Timers of more than this fire at once, ms: 24 days. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The reason of an abort by `withTimeout`. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Waits for a promise, at most until the signal ends it. @throws the signal's reason */
export const until = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

/**
 * Runs some work under a signal that aborts after a time, and when the caller's signal does.
 *
 * `AbortSignal.any` would say the same; Node.js 20 loses such signals to the garbage collector.
 *
 * @throws TimedOut after `ms`
 * @throws the caller's reason
 */
export const withTimeout = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new TimedOut(`No answer within ${Math.round(ms)} ms`)),
    Math.min(ms, LONGEST_TIMER_MS),
  );
  const onAbort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await until(work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
};

/** @throws the signal's reason */
export const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
  });
  try {
    await (signal === undefined ? over : until(over, signal));
  } finally {
    clearTimeout(timer);
  }
};
