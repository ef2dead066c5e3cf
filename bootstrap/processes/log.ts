import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequestId } from '../../adapters/system/request-context.ts';

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
      ...{
        level,
        base: { service: 'insurance-sales', pid: process.pid },
        timestamp: timeOfLine,
      },
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
