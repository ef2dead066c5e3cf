import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { NO_PROXY } from '../adapters/http/pipeline/request-origin.ts';
import { AUDIENCES, DOCUMENT_PATHS } from '../adapters/http/reference/audiences.ts';
import { createKeyedHash } from '../adapters/security/keyed-hash.ts';
import { composeHttp } from './http.ts';
import { inMemory } from './in-memory.ts';
import { runRequest } from './work-context.ts';

/** The address in the documents, as in the guides. */
const PUBLIC_URL = 'http://127.0.0.1:3000';

/** Writes the OpenAPI documents to a folder, without a database or a listening port. */
const writeDocuments = async (folder: string): Promise<void> => {
  const memory = inMemory();
  memory.registry.bind('publicUrl', () => PUBLIC_URL);
  const { reference } = composeHttp({
    ...memory,
    log: pino({ level: 'silent' }),
    runRequest,
    trustProxy: NO_PROXY,
    fingerprint: createKeyedHash('of no sale'),
    environment: 'test',
    refusesUnknown: true,
    keySet: async () => ({ keys: [] }),
    checkReady: async () => {},
    readMetrics: async () => '',
  });

  await mkdir(folder, { recursive: true });
  for (const audience of AUDIENCES) {
    const file = join(folder, basename(DOCUMENT_PATHS[audience]));
    await writeFile(file, await reference.read(audience));
  }
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: npm run openapi -- FOLDER');
await writeDocuments(folder);
