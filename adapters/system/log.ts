import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { AlertNotes } from '../../application/alerts/alert-notes.ts';
import type { Alert, Alerts } from '../../application/alerts/alerts.ts';
import type { Cause } from '../../application/tasks.ts';
import { openLines, reportGaps } from './log-lines.ts';

const causes = new AsyncLocalStorage<Cause>();

/** Runs `work`, and all that it starts, as the work of a request or job with this id. */
export const withRequestId = <Result>(requestId: string, work: () => Result): Result =>
  causes.run({ requestId }, work);

/** The request or job whose work this is; undefined outside of any. */
export const currentCause = (): Cause | undefined => causes.getStore();

/** The id of the request or job whose work this is; undefined outside of any. */
export const currentRequestId = (): string | undefined => currentCause()?.requestId;

/** pino's number of `warn`: such lines are written at once. */
const WARN_LEVEL = 40;

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
  const lines = openLines(process.stdout.isTTY);
  const log = makeLog(level, process.stdout.isTTY ? await makeReadable(lines) : lines);
  reportGaps(lines, log);
  return log;
};

const makeReadable = async (lines: Destination): Promise<Destination> => {
  const { prettyFactory } = await import('pino-pretty');
  const prettify = prettyFactory({ ignore: 'pid,hostname' });
  return { write: (line) => lines.write(prettify(line)) };
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
