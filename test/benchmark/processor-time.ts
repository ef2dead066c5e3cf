import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const TICK = 10;

interface Times {
  readonly parent: number;
  /** Milliseconds of its own, and of children that have ended. */
  readonly spent: number;
}

const timesOf = (pid: number): Times | undefined => {
  try {
    // The name of a program may hold blanks and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    return { parent, spent: fields.slice(11, 15).reduce((sum, each) => sum + each, 0) * TICK };
  } catch {
    return undefined;
  }
};

/** A process and all below it; where no /proc tells, itself alone. */
export const familyOf = (pid: number): readonly number[] => {
  const all =
    timesOf(pid) === undefined
      ? []
      : readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .map(Number);
  const parents = new Map(all.map((each) => [each, timesOf(each)?.parent]));
  const below = (parent: number): readonly number[] =>
    all.filter((each) => parents.get(each) === parent).flatMap((each) => [each, ...below(each)]);
  return [pid, ...below(pid)];
};

/**
 * Milliseconds of processor that a process and all below it have spent until now; undefined where
 * no /proc tells.
 */
export const processorTime = (pid: number): number | undefined => {
  if (timesOf(pid) === undefined) return undefined;
  return familyOf(pid).reduce((sum, each) => sum + (timesOf(each)?.spent ?? 0), 0);
};

/**
 * Milliseconds of processor of this process and of its children that have ended (such as `wrk`),
 * but not of those that run; NaN where no /proc tells.
 */
export const ownTime = (): number => timesOf(process.pid)?.spent ?? Number.NaN;

/** Megabytes of memory that a process and all below it hold; undefined where no /proc tells. */
export const residentMemory = (pid: number): number | undefined => {
  if (timesOf(pid) === undefined) return undefined;
  const kilobytes = (each: number): number => {
    const [, found] =
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${each}/status`, 'latin1')) ?? [];
    return Number(found ?? 0);
  };
  return familyOf(pid).reduce((sum, each) => sum + kilobytes(each), 0) / 1024;
};

/** Milliseconds of processor of a process's main thread; NaN where no /proc tells. */
export const mainThreadTime = (pid: number): number => {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(
      /\) (.*)/s,
    );
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? Number.NaN) + (system ?? Number.NaN)) * TICK;
  } catch {
    return Number.NaN;
  }
};

/** Milliseconds of all cores since the machine's start: idle, and altogether; NaN without /proc. */
export const machineTime = (): { readonly idle: number; readonly all: number } => {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
    const times = line.split(/\s+/).slice(1, 9).map(Number);
    const all = times.reduce((sum, each) => sum + each, 0) * TICK;
    return { idle: ((times[3] ?? Number.NaN) + (times[4] ?? Number.NaN)) * TICK, all };
  } catch {
    return { idle: Number.NaN, all: Number.NaN };
  }
};
