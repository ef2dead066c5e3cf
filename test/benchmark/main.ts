/* biome-ignore-all lint/suspicious/noConsole: a benchmark prints */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { timeCertificates } from './certificates.ts';
import { compareGrowth } from './growth.ts';
import { compareImports } from './imports.ts';
import { killInRushes } from './kills.ts';
import { profileLayers } from './layers.ts';
import { compareQuotes } from './quotes.ts';
import { compareProcesses, timeStarts } from './running.ts';
import { compareSales } from './sales.ts';
import type { Settings } from './settings.ts';
import { compareTokens } from './tokens.ts';

const BENCHMARKS = {
  sales: compareSales,
  imports: compareImports,
  growth: compareGrowth,
  processes: compareProcesses,
  starts: timeStarts,
  kills: killInRushes,
  layers: profileLayers,
  quotes: compareQuotes,
  tokens: compareTokens,
  certificates: timeCertificates,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1,32,128' },
    rows: { type: 'string', default: '2000000' },
    load: { type: 'string', default: 'usual' },
  },
});

const results: Record<string, unknown> = {};
const settings: Settings = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: values.connections.split(',').map(Number),
  rows: Number(values.rows),
  load: values.load === 'light' ? 'light' : 'usual',
  record: (name, figures) => {
    results[name] = figures;
  },
};

/** The benchmarks that the command line names; all where it names none. */
const named = Object.entries(BENCHMARKS).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
if (named.length === 0) throw new Error(`there are only: ${Object.keys(BENCHMARKS).join(', ')}`);
for (const [, compare] of named) {
  if (!(await compare(console.log, settings))) process.exitCode = 1;
  console.log();
}

const FOLDER = '.benchmark';
mkdirSync(FOLDER, { recursive: true });
const file = `${FOLDER}/${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`;
const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.version };
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 1)}\n`,
);
console.log(`every figure of every round: ${file}`);
process.exit();
