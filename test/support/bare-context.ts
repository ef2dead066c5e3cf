/**
 * A test runs this file with `--experimental-vm-modules`. It loads the compiled domain package (its
 * entry is the first argument) in a context that has only ECMAScript, and prints a quote.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const entry = process.argv[2] ?? '';
const context = createContext({});
const loaded = new Map<string, SourceTextModule>();

const load = (file: string): SourceTextModule => {
  const known = loaded.get(file);
  if (known) return known;
  const module = new SourceTextModule(readFileSync(file, 'utf8'), { context, identifier: file });
  loaded.set(file, module);
  return module;
};

const program = new SourceTextModule(
  `import { calendarDate, cents, formatReais, findIofRate, parseTaxId, calculatePremium } from '${entry}';
   const { total } = calculatePremium(cents(18860), 'net', findIofRate('general', calendarDate('2026-11-20')), 'half-up');
   export const answer = [formatReais(total), parseTaxId('111.444.777-35'), typeof process, typeof setTimeout].join(' ');`,
  { context, identifier: join(dirname(entry), 'program.js') },
);
await program.link((specifier, { identifier }) =>
  load(specifier === entry ? entry : join(dirname(identifier), specifier)),
);
await program.evaluate();
// biome-ignore lint/suspicious/noConsole: the test reads what this prints
console.log((program.namespace as unknown as { answer: string }).answer);
