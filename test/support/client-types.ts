import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from './api.ts';
import { temporaryFolder } from './service.ts';

const WORKSPACE = new URL('../../adapters/http/client/', import.meta.url).pathname;

/** The types of the client, generated from the document for partners. */
export const CLIENT_TYPES = join(WORKSPACE, 'src/generated.ts');

const HEAD = `/**
 * The types of the API, generated from its OpenAPI document by \`npm run types\`: never edit them.
 */
`;

/** The declarations that the client does not use: it names operations, not paths. */
const UNUSED = /^export (interface (paths|webhooks) \{[\s\S]*?^\}|type \$defs = .*)\n/gm;

type Json = Record<string, unknown>;

const isSuccess = ([status]: [string, unknown]): boolean => status.startsWith('2');

/** An operation without what the client reads by other means: headers and the answers to errors. */
const slimOperation = ({ responses, ...operation }: Json): Json => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(responses as Json)
      .filter(isSuccess)
      .map(([status, answer]) => [status, { ...(answer as Json), headers: undefined }]),
  ),
});

/** The document without what makes the types long and is of no use to the client. */
const slimDocument = (document: Json): Json => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document['paths'] as Record<string, Record<string, Json>>)
      .filter(([path]) => !path.startsWith('/admin'))
      .map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [method, slimOperation(operation)]),
        ),
      ]),
  ),
});

/** The document for partners, as the service answers it. */
export const readPartnerDocument = async (): Promise<Json> => {
  const api = await new Api().start();
  try {
    return (await api.call('/openapi.json')).body;
  } finally {
    await api.stop();
  }
};

/** What the file `CLIENT_TYPES` must hold for a document. */
export const generateClientTypes = async (document: Json): Promise<string> => {
  const input = join(temporaryFolder(), 'openapi.json');
  writeFileSync(input, JSON.stringify(slimDocument(document)));
  const command = join(WORKSPACE, 'node_modules/openapi-typescript/bin/cli.js');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [command, input],
      { cwd: WORKSPACE, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve(HEAD + stdout.replaceAll(UNUSED, ''));
        else reject(new Error(stderr));
      },
    );
  });
};

if (process.argv[1] === import.meta.filename)
  writeFileSync(CLIENT_TYPES, await generateClientTypes(await readPartnerDocument()));
