import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AUDIENCES, DOCUMENT_PATHS } from '../adapters/http/reference/audiences.ts';
import { memoryApi } from './composition/memory-api.ts';

/** The address in the documents, as in the guides. */
const PUBLIC_URL = 'http://127.0.0.1:3000';

/** Writes the OpenAPI documents to a folder, without a database or a listening port. */
const writeDocuments = async (folder: string): Promise<void> => {
  const { reference } = memoryApi({ publicUrl: PUBLIC_URL }).app;

  await mkdir(folder, { recursive: true });
  for (const audience of AUDIENCES) {
    const file = join(folder, basename(DOCUMENT_PATHS[audience]));
    await writeFile(file, await reference.read(audience));
  }
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: npm run openapi -- FOLDER');
await writeDocuments(folder);
