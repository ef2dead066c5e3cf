// Makes the files of the domain package small: its JavaScript has short local names, and its types
// have no functions that no entry exports. Only the names of the entries for other systems keep
// their comments.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minify } from '@swc/core';

const DIST = new URL('../domain/dist/', import.meta.url).pathname;

const read = (name) => readFileSync(join(DIST, name), 'utf8');

/** The names that an entry exports, and all of the files that it exports whole. */
const exportsOf = (entry) => {
  const names = [...read(entry).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) =>
    list.split(',').map((each) => each.replace('type ', '').trim()),
  );
  const whole = [...read(entry).matchAll(/export \* from '\.\/(.+)\.(?:ts|js)'/g)];
  return { names, files: whole.map(([, file]) => `${file}.d.ts`) };
};
const entries = ['index.d.ts', 'policy.d.ts'].map(exportsOf);
const documented = new Set(entries.flatMap(({ names }) => names));
const documentedFiles = new Set(entries.flatMap(({ files }) => files));

const service = exportsOf('service.d.ts');
const exported = new Set([...documented, ...service.names]);
const exportedFiles = new Set([...documentedFiles, ...service.files]);

/** A function of a file, as opposed to a value whose type others may refer to. */
const FUNCTION = /^export declare const \w+: (?:<.*>)?\(/m;

const COMMENT = /^\s*\/\*\*[\s\S]*?\*\/\n/gm;

/** Declarations at the top level, each with the comment before it. */
const DECLARATION =
  /(?:^\/\*\*[\s\S]*?\*\/\n)?^(?:export )?(?:declare )?(?:const|class|type|interface) (\w+)[\s\S]*?(?=^(?:\/\*\*|export|declare|interface|type|const)|$(?![\s\S]))/gm;

/** A type that follows from a reader: its fields have their comments at the reader. */
const READ_TYPE = /interface (\w+) extends ReadBy<typeof (\w+)>/g;

const trimTypes = (file) => {
  if (documentedFiles.has(file)) return;
  for (const [, name, reader] of read(file).matchAll(READ_TYPE))
    if (documented.has(name)) documented.add(reader);
  const trimmed = read(file).replaceAll(DECLARATION, (text, name) => {
    if (documented.has(name)) return text;
    const isReachable = exported.has(name) || exportedFiles.has(file) || !FUNCTION.test(text);
    return isReachable ? text.replaceAll(COMMENT, '') : '';
  });
  writeFileSync(join(DIST, file), trimmed.replaceAll('    ', '\t'));
};

const shorten = async (file) => {
  const options = { module: true, compress: { passes: 2 }, mangle: true };
  const { code } = await minify(read(file), { ...options, format: { comments: false } });
  writeFileSync(join(DIST, file), code);
};

for (const file of readdirSync(DIST, { recursive: true })) {
  if (file.endsWith('.d.ts')) trimTypes(file);
  else if (file.endsWith('.js')) await shorten(file);
}
