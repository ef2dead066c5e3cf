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

/** Milliseconds of processor that a process and all below it have spent until now; undefined where no /proc tells. */
export const processorTime = (pid: number): number | undefined => {
  const own = timesOf(pid);
  if (own === undefined) return undefined;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), timesOf(Number(name))] as const);
  const below = (parent: number): number =>
    all.reduce((sum, [child, times]) => (times?.parent === parent ? sum + times.spent + below(child) : sum), 0);
  return own.spent + below(pid);
};

/** Megabytes of memory that a process and all below it hold; undefined where no /proc tells. */
export const residentMemory = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
};
