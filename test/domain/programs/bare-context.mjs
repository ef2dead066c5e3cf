/**
 * `package.test.ts` runs this file with `--experimental-vm-modules`. It loads the compiled domain
 * package (its entry is the first argument) in a context that has only ECMAScript, and prints a
 * quote.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const entry = process.argv[2] ?? '';
const context = createContext({});
const loaded = new Map();

const load = (file) => {
  const known = loaded.get(file);
  if (known) return known;
  const module = new SourceTextModule(readFileSync(file, 'utf8'), { context, identifier: file });
  loaded.set(file, module);
  return module;
};

const program = new SourceTextModule(
  `import { calculatePremium, cents, findIofRate, formatReais, parseDate, parseTaxId } from '${entry}';
   const iof = findIofRate('general', parseDate('2026-11-20'));
   const { total } = calculatePremium(cents(188_60), 'net', iof, 'half-up');
   const answers = [formatReais(total), parseTaxId('111.444.777-35')];
   export const answer = [...answers, typeof process, typeof setTimeout].join(' ');`,
  { context, identifier: join(dirname(entry), 'program.js') },
);
await program.link((specifier, { identifier }) =>
  load(specifier === entry ? entry : join(dirname(identifier), specifier)),
);
await program.evaluate();
process.stdout.write(`${program.namespace.answer}\n`);
