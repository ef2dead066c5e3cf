import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { AlertNotes } from '../../application/alerts/alert-notes.ts';
import type { Alert, Alerts } from '../../application/alerts/alerts.ts';
import type { Cause } from '../../application/tasks.ts';

const causes = new AsyncLocalStorage<Cause>();

/** Runs `work`, and all that it starts, as the work of a request or job with this id. */
export const withRequestId = <Result>(requestId: string, work: () => Result): Result =>
  causes.run({ requestId }, work);

/** The request or job whose work this is; undefined outside of any. */
export const currentCause = (): Cause | undefined => causes.getStore();

/** The id of the request or job whose work this is; undefined outside of any. */
export const currentRequestId = (): string | undefined => currentCause()?.requestId;

/** Max bytes that a pipe takes as one piece; several processes write to the same pipe. */
const PIPE_BYTES = 4096;

/** Max time until a log line is written, ms. Lines are written together, which costs less. */
const LOG_DELAY_MS = 100;

/** pino's number of `warn`: such lines are written at once. */
const WARN_LEVEL = 40;

/** Max bytes of log that wait for a slow reader; further lines are dropped. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

let logTime = { millisecond: Number.NaN, field: '' };

/** The time of a log line, as `pino.stdTimeFunctions.isoTime` writes it, made once a millisecond. */
const timeOfLine = (): string => {
  const millisecond = Date.now();
  if (millisecond !== logTime.millisecond)
    logTime = { millisecond, field: `,"time":"${new Date(millisecond).toISOString()}"` };
  return logTime.field;
};

/** The id of the request or job whose work writes the line, unless the line names it itself. */
const requestIdOf = (line: object): object =>
  'requestId' in line ? line : { requestId: currentRequestId() };

/** A destination that may hold lines back until `flush`. */
type Destination = DestinationStream & { flush?(): void };

/** Makes the service's log. Warnings and errors are written at once. */
export const makeLog = (level: string, destination: Destination): Logger =>
  pino(
    {
      level,
      base: { service: 'insurance-sales', pid: process.pid },
      timestamp: timeOfLine,
      mixin: requestIdOf,
      hooks: {
        logMethod(line, write, weight) {
          write.apply(this, line);
          if (weight >= WARN_LEVEL) destination.flush?.();
        },
      },
    },
    destination,
  );

/** Logs JSON lines to stdout in the background; readable lines to a terminal. */
export const logToStdout = async (level: string): Promise<Logger> => {
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    return makeLog(level, pretty({ sync: true, ignore: 'pid,hostname' }));
  }
  return makeLog(
    level,
    pino.destination({
      sync: false,
      maxLength: MAX_LOG_BYTES,
      maxWrite: PIPE_BYTES,
      minLength: PIPE_BYTES / 2,
      periodicFlush: LOG_DELAY_MS,
    }),
  );
};

interface Warnings {
  warn(details: { readonly alert: Alert }, message: string): void;
}

/** Writes alerts as warnings to the log, and notes them to be stored. */
export class LoggedAlerts implements Alerts {
  readonly #log: Warnings;
  readonly #notes: Pick<AlertNotes, 'note'>;

  constructor(log: Warnings, notes: Pick<AlertNotes, 'note'>) {
    this.#log = log;
    this.#notes = notes;
  }

  raise(alert: Alert): void {
    this.raiseStored(alert);
    this.#notes.note(alert);
  }

  raiseStored(alert: Alert): void {
    this.#log.warn({ alert }, 'needs the attention of an operator');
  }
}
