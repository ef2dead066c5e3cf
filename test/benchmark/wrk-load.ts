import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/children.ts';
import { ANY_NAME, type Load, type LoadRequest, wireOf } from './load.ts';

/** Whether `wrk` is installed. */
export const isWrkInstalled = spawnSync('wrk', ['--version']).error === undefined;

const SCRIPT = new URL('wrk-load.lua', import.meta.url).pathname;
const SEPARATOR = '\n--next-request--\n';

/** Digits that `wrk-load.lua` adds to a name. */
const COUNTER_DIGITS = 10;

/** The file of each list of requests. */
const files = new WeakMap<readonly LoadRequest[], string>();

const fileOf = (requests: readonly LoadRequest[]): string => {
  const known = files.get(requests);
  if (known !== undefined) return known;
  const file = join(temporaryFolder(), 'requests');
  writeFileSync(
    file,
    requests.map((each) => wireOf(each).bytes.toString('latin1')).join(SEPARATOR),
    'latin1',
  );
  files.set(requests, file);
  return file;
};

/**
 * The same as `load`, by one thread of `wrk`: a quarter of the processor time.
 *
 * @param seconds at least 1; `wrk` counts in whole ones
 * @throws Error where an answer was not 2xx or 3xx, or none came
 */
export const wrkLoad = async (
  requests: readonly LoadRequest[],
  connections: number,
  seconds: number,
): Promise<Load> => {
  const run = randomBytes(ANY_NAME.length)
    .toString('hex')
    .slice(0, ANY_NAME.length - COUNTER_DIGITS);
  const { stdout } = await promisify(execFile)('wrk', [
    ...['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '-s', SCRIPT],
    ...[new URL(requests[0]?.url ?? '').origin, '--', fileOf(requests), SEPARATOR, ANY_NAME, run],
  ]);
  const [line = '{}'] = stdout.trim().split('\n').slice(-1);
  const { count, microseconds, median, p99, failed } = JSON.parse(line) as Record<string, number>;
  if (failed !== 0 || count === undefined || count === 0)
    throw new Error(`${failed} of ${count} requests failed: ${stdout}`);
  return {
    perSecond: (count * 1e6) / (microseconds ?? Number.NaN),
    median: median ?? 0,
    p99: p99 ?? 0,
    count,
  };
};
