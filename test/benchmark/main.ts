/* biome-ignore-all lint/suspicious/noConsole: a benchmark prints */
import { timeCertificates } from './certificates.ts';
import { compareQuotes } from './quotes.ts';
import { compareTokens } from './tokens.ts';

const BENCHMARKS = { quotes: compareQuotes, tokens: compareTokens, certificates: timeCertificates };

/** Those that the command line names, or all. */
const named = Object.entries(BENCHMARKS).filter(([name]) => process.argv.length === 2 || process.argv.includes(name));
if (named.length === 0) throw new Error(`there are only: ${Object.keys(BENCHMARKS).join(', ')}`);
for (const [, compare] of named) {
  if (!(await compare(console.log))) process.exitCode = 1;
  console.log();
}
