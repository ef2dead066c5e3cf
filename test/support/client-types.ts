/** Run with the path of the document for partners, this file writes the types of the client. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './children.ts';

const WORKSPACE = new URL('../../adapters/client/', import.meta.url).pathname;

/** The types of the client, generated from the document for partners. */
export const CLIENT_TYPES = join(WORKSPACE, 'src/generated.ts');

const HEAD = `/**
 * The types of the API, generated from its OpenAPI document by \`npm run types\`: never edit them.
 */
`;

/** The declarations that the client does not use: it names operations, not paths. */
const UNUSED = /^export (interface (paths|webhooks) \{[\s\S]*?^\}|type (webhooks|\$defs) = .*)\n/gm;

type Json = Record<string, unknown>;

/** Changes each value of an object. */
const mapValues = (object: unknown, change: (value: Json) => unknown): Json =>
  Object.fromEntries(
    Object.entries(object as Record<string, Json>).map(([name, value]) => [name, change(value)]),
  );

/** An operation without what the client reads by other means: headers and the answers to errors. */
const slimOperation = ({ responses, ...operation }: Json): Json => {
  const successes = Object.entries(responses as Json).filter(([status]) => status.startsWith('2'));
  const withoutHeaders = mapValues(Object.fromEntries(successes), ({ headers, ...rest }) => rest);
  return { ...operation, responses: withoutHeaders };
};

/** The references in a part of a document, as `schemas/Sale`. */
const referencesIn = (part: unknown): readonly string[] =>
  [...JSON.stringify(part).matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name as string);

/** The components that some parts of a document need, directly or not. */
const neededComponents = (components: Record<string, Json>, parts: unknown): Json => {
  const needed = new Set(referencesIn(parts));
  for (const reference of needed) {
    const [kind = '', name = ''] = reference.split('/');
    for (const each of referencesIn(components[kind]?.[name])) needed.add(each);
  }
  const keep = (kind: string) =>
    Object.entries(components[kind] ?? {}).filter(([name]) => needed.has(`${kind}/${name}`));
  return Object.fromEntries(
    Object.keys(components).map((kind) => [kind, Object.fromEntries(keep(kind))]),
  );
};

/** The document with what the client needs: operations and their schemas. */
const slimDocument = ({ webhooks, paths, components, ...document }: Json): Json => {
  const slimPaths = mapValues(paths, (methods) => mapValues(methods, slimOperation));
  const slimComponents = neededComponents(components as Record<string, Json>, slimPaths);
  return { ...document, paths: slimPaths, components: slimComponents };
};

/**
 * What the file `CLIENT_TYPES` must hold for a document.
 *
 * @throws Error if the document cannot be read as OpenAPI 3.1
 */
export const generateClientTypes = async (document: Json): Promise<string> => {
  const input = join(temporaryFolder(), 'openapi.json');
  writeFileSync(input, JSON.stringify(slimDocument(document)));
  // It needs TypeScript 5, which is a dependency of the workspace alone.
  const command = join(WORKSPACE, 'node_modules/openapi-typescript/bin/cli.js');
  const options = { cwd: WORKSPACE, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [command, input], options);
  return HEAD + stdout.replaceAll(UNUSED, '');
};

if (process.argv[1] === import.meta.filename) {
  const document = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  writeFileSync(CLIENT_TYPES, await generateClientTypes(document));
}
