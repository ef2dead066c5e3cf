/** Run as a program, this file writes the types of the client. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './children.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const WORKSPACE = join(ROOT, 'adapters/client');
const DOCUMENTS = join(ROOT, 'node_modules/.cache/openapi');
const CLIENT_TYPES = join(WORKSPACE, 'src/generated.ts');

const run = promisify(execFile);

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

/** Writes the types of the client from the document that this source tree serves to partners. */
const writeClientTypes = async (): Promise<void> => {
  await run(process.execPath, ['bootstrap/openapi.ts', DOCUMENTS], { cwd: ROOT });
  const document = JSON.parse(readFileSync(join(DOCUMENTS, 'openapi.json'), 'utf8'));
  const input = join(temporaryFolder(), 'openapi.json');
  writeFileSync(input, JSON.stringify(slimDocument(document)));
  // It needs TypeScript 5, which is a dependency of the workspace alone.
  const command = join(WORKSPACE, 'node_modules/openapi-typescript/bin/cli.js');
  const options = { cwd: WORKSPACE, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await run(process.execPath, [command, input], options);
  writeFileSync(CLIENT_TYPES, HEAD + stdout.replaceAll(UNUSED, ''));
};

/** Writes the types of the client where nothing has made them yet. */
export const ensureClientTypes = async (): Promise<void> => {
  if (!existsSync(CLIENT_TYPES)) await writeClientTypes();
};

if (process.argv[1] === import.meta.filename) await writeClientTypes();
