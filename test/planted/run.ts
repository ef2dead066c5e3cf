/**
 * Plants each fault of `faults.ts` in a copy of the sources, and runs the test file that must
 * notice it. Exits with 1 if a fault is not noticed.
 *
 *     npm run test:planted             every fault
 *     npm run test:planted -- refund   those whose topic, sentence or file has the word
 */
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { endOnSignals, signalGroup, startChild, temporaryFolder } from '../support/children.ts';
import { PostgresServer } from '../support/postgres.ts';
import { FAULTS, type PlantedFault } from './faults.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Not copied: programs of others, and what is made from the sources. */
const NOT_COPIED = /(^|\/)(node_modules|\.git|\.data|\.benchmark|coverage|dist)$/;

/** A run of mocha that takes longer is ended. */
const MAX_RUN_MS = 120_000;

/** A single test that takes longer fails. */
const MAX_TEST_MS = 20_000;

const MAX_CONNECTIONS = 200;

/** Errors of a text that is no right program: the test has not judged the fault. */
const NONSENSE = /^(SyntaxError|ReferenceError)\b/;

interface RanTest {
  readonly title: string;
  readonly fullTitle: string;
  readonly file: string;
  readonly err: { readonly stack?: string; readonly message?: string };
}

/** What mocha's reporter `json` writes. */
interface Results {
  readonly passes: readonly RanTest[];
  readonly failures: readonly RanTest[];
}

/** Undefined: mocha could not load the files, or was ended. */
type Run = Results | undefined;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

endOnSignals();
const folder = temporaryFolder('insurance-sales-planted-');
const postgres = new PostgresServer(process.env['TEST_DATABASE_URL'], {
  max_connections: MAX_CONNECTIONS,
});

/** Copies the sources. @returns the folder of the copy */
const copySources = (name: string): string => {
  const copy = join(folder, name);
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !NOT_COPIED.test(relative(ROOT, path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

/** Runs mocha in a copy. */
const runMocha = async (copy: string, options: readonly string[]): Promise<Run> => {
  const output = `${copy}.json`;
  const temporary = `${copy}.tmp`;
  rmSync(output, { force: true });
  mkdirSync(temporary, { recursive: true });
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${output}`];
  const limit = ['--timeout', String(MAX_TEST_MS)];
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const child = startChild(process.execPath, [mocha, ...reporter, ...limit, ...options], {
    cwd: copy,
    stdio: 'ignore',
    env: {
      ...process.env,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: `${copy}.compiled`,
      TEST_DATABASE_URL: await postgres.url(),
    },
  });
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), MAX_RUN_MS);
  await once(child, 'exit');
  clearTimeout(timer);
  return existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
};

const grepOf = (grep: string | undefined): readonly string[] =>
  grep === undefined ? [] : ['--grep', grep];

/** Reasons why the tests cannot judge faults: a test fails, or is missing, without a fault. */
const findFaultsOfTests = async (
  copy: string,
  grep: string | undefined,
  faults: readonly PlantedFault[],
): Promise<readonly string[]> => {
  const files = [...new Set(faults.map(({ caughtBy }) => caughtBy))];
  const run = await runMocha(copy, [...grepOf(grep), ...files]);
  if (run === undefined) return [`mocha did not run ${files.join(' ')}`];
  const empty = files.filter((file) => !run.passes.some((each) => each.file === join(copy, file)));
  return [
    ...run.failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`),
    ...empty.map((file) => `no test of ${file} has passed`),
  ];
};

const isHook = ({ title }: RanTest): boolean => /^"(before|after) (all|each)" hook/.test(title);

/** What the tests say of a fault. */
const judge = (run: Run): { readonly isCaught: boolean; readonly by: string } => {
  if (run === undefined) return { isCaught: false, by: 'mocha did not run the file' };
  const [failure] = run.failures;
  if (failure === undefined) return { isCaught: false, by: 'all tests passed' };
  if (isHook(failure)) return { isCaught: false, by: `only a hook failed: ${failure.fullTitle}` };
  const isNonsense = NONSENSE.test(failure.err.stack ?? '');
  if (isNonsense) return { isCaught: false, by: `not a program: ${failure.err.message}` };
  return { isCaught: true, by: failure.fullTitle };
};

/** Plants a fault, runs its tests, and restores the file. @returns whether they noticed it */
const tryFault = async (copy: string, planted: PlantedFault): Promise<boolean> => {
  const { topic, fault, file, from, to, caughtBy, grep } = planted;
  const path = join(copy, file);
  const right = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    right.replace(from, () => to),
  );
  const run = await runMocha(copy, ['--bail', ...grepOf(grep), caughtBy]);
  writeFileSync(path, right);
  const { isCaught, by } = judge(run);
  print(`${isCaught ? 'caught  ' : 'UNCAUGHT'} ${topic}: ${fault} [${caughtBy}: ${by}]`);
  return isCaught;
};

/** Works on the items with each copy at the same time. */
const withEachCopy = async <Item, Result>(
  copies: readonly string[],
  items: readonly Item[],
  work: (copy: string, item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const waiting = items.values();
  const results: Result[] = [];
  const worker = async (copy: string): Promise<void> => {
    for (const item of waiting) results.push(await work(copy, item));
  };
  await Promise.all(copies.map(worker));
  return results;
};

/** @returns the exit code */
const runAll = async (word: string): Promise<number> => {
  const faults = FAULTS.filter(({ topic, fault, file }) =>
    `${topic} ${fault} ${file}`.toLowerCase().includes(word.toLowerCase()),
  );
  const copies = ['one', 'two'].map(copySources);

  const groups = [...Map.groupBy(faults, ({ grep }) => grep)];
  const found = await withEachCopy(copies, groups, (copy, [grep, group]) =>
    findFaultsOfTests(copy, grep, group),
  );
  for (const reason of found.flat()) print(`red without a fault: ${reason}`);
  if (found.flat().length > 0) return 1;

  const outcomes = await withEachCopy(copies, faults, tryFault);
  const passed = outcomes.filter((isCaught) => isCaught).length;
  print(`${passed} passed, ${faults.length - passed} failed`);
  return passed === faults.length && passed > 0 ? 0 : 1;
};

try {
  process.exitCode = await runAll(process.argv[2] ?? '');
} finally {
  await postgres.stop();
}
