import type { Logger } from 'pino';

/** Pause between two updates of the line in a terminal, while the event loop is free, ms. */
const INTERVAL_MS = 500;

/** What a person who started the service sees it on: `process.stdout`. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const seconds = (startedAt: number): string =>
  `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;

/**
 * Tells what a start waits for: in a terminal one line that counts the seconds, elsewhere a log
 * line before and one after.
 *
 * @param what begins a sentence: `Starting the embedded database`
 * @throws what `work` throws
 */
export const showProgress = async <Result>(
  what: string,
  work: () => Promise<Result>,
  { log, screen }: { readonly log: Logger; readonly screen: Screen },
): Promise<Result> => {
  const startedAt = performance.now();
  if (screen.isTTY !== true) {
    const words = what.charAt(0).toLowerCase() + what.slice(1);
    log.info(words);
    const result = await work();
    log.info({ ms: Math.round(performance.now() - startedAt) }, `${words}: done`);
    return result;
  }

  const show = (end = ''): unknown => screen.write(`\r${what} … ${seconds(startedAt)}${end}`);
  show();
  const timer = setInterval(show, INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    show('\n');
  }
};
