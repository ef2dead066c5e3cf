import { setTimeout as wait } from 'node:timers/promises';
import { type Logger, pino } from 'pino';

type Lines = ReturnType<typeof pino.destination>;

/** Max bytes that a pipe takes as one piece; several processes write to the same pipe. */
const PIPE_BYTES = 4096;

/** Max time until a log line is written, ms. Lines are written together, which costs less. */
const LOG_DELAY_MS = 100;

/** Max bytes of log that wait for a slow reader or a full disk; further lines are dropped. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/** Max time for the last lines when the process ends, ms. */
const LAST_MS = 1_000;

const health: { dropped: number; failure?: string | undefined } = { dropped: 0 };

/** Lines that were dropped since the start, and the error code of the last write if it failed. */
export const readLogHealth = (): Readonly<typeof health> => health;

/** Opens stdout for log lines. Lines that cannot be written wait, and are tried every 0.1 s. */
export const openLines = (isTerminal: boolean): Lines => {
  let isEnding = false;
  const lines = pino.destination(
    isTerminal
      ? { sync: true, maxLength: MAX_LOG_BYTES }
      : {
          sync: false,
          maxLength: MAX_LOG_BYTES,
          maxWrite: PIPE_BYTES,
          minLength: PIPE_BYTES * 0.75,
          periodicFlush: LOG_DELAY_MS,
          retryEAGAIN: () => !isEnding,
        },
  );
  lines.on('error', ({ code = 'unknown' }) => {
    health.failure = code;
  });
  lines.on('write', () => {
    health.failure = undefined;
  });
  lines.on('drop', () => {
    health.dropped += 1;
  });
  // When the process ends, pino calls this. Its own function never gives up when a disk is full.
  lines.flushSync = () => {
    isEnding = true;
    Object.assign(lines, { sync: true, minLength: 1 });
    lines.flush();
  };
  return lines;
};

/** Logs that lines are late or missing, as soon as all that waited are written. */
export const reportGaps = (lines: Lines, log: Logger): void => {
  let reported = 0;
  let failure: string | undefined;
  lines.on('error', ({ code }) => {
    failure = code;
  });
  lines.on('drain', () => {
    const dropped = health.dropped - reported;
    if (dropped === 0 && failure === undefined) return;
    reported = health.dropped;
    log.warn({ dropped, code: failure }, 'log lines were late or dropped');
    failure = undefined;
  });
};

/** Waits until the lines are written, but not for a full disk or a reader that hangs. */
export const flushLog = async (log: Logger): Promise<void> => {
  const flushed = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([flushed, wait(LAST_MS, undefined, { ref: false })]);
};
