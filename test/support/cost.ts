import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A file to which each test file adds a line with what it cost; unset: nothing is written. */
const FILE = process.env['TEST_COST'];

/** Seconds of processor time of this process and of the children that have ended (Linux). */
const secondsUsed = (): number => {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, cutime and cstime, in hundredths of a second: proc(5).
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field) / 100, 0);
};

let before = 0;

export const startCost = (): void => {
  if (FILE !== undefined) before = secondsUsed();
};

const countTests = ({ tests, suites }: Mocha.Suite): number =>
  suites.reduce((sum, suite) => sum + countTests(suite), tests.length);

/** Adds the line of a test file: its path, number of tests and seconds of processor time. */
export const noteCost = (root: Mocha.Suite | undefined): void => {
  if (FILE === undefined || root === undefined) return;
  const file = relative(process.cwd(), root.suites[0]?.file ?? '');
  const seconds = Number((secondsUsed() - before).toFixed(2));
  appendFileSync(FILE, `${JSON.stringify({ file, tests: countTests(root), seconds })}\n`);
};
