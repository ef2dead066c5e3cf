import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

const writeDocuments = (...args: readonly string[]) =>
  run(process.execPath, ['bootstrap/openapi.ts', ...args]);

describe('the command that writes the OpenAPI documents', () => {
  it('writes both into a folder, with the address of the guides', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      const folder = join(parent, 'new');
      await writeDocuments(folder);
      for (const name of ['openapi.json', 'openapi-admin.json']) {
        const { servers, paths } = JSON.parse(await readFile(join(folder, name), 'utf8'));
        expect(servers).to.deep.equal([{ url: 'http://127.0.0.1:3000/api' }]);
        expect(paths).to.have.property('/seguros/auth/token');
      }
    } finally {
      await rm(parent, { recursive: true });
    }
  });

  it('says how to use it where no folder is named', async () => {
    const outcome = await writeDocuments().catch((error: Error) => error);
    expect(String(outcome)).to.include('usage: npm run openapi -- FOLDER');
  });
});
