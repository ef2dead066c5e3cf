import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Api } from '../../support/api.ts';
import { temporaryFolder } from '../../support/children.ts';
import { saleOrder } from '../../support/generic-sales.ts';
import { npm, ownNode } from '../../support/npm.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const run = promisify(execFile);

const { dependencies } = JSON.parse(
  readFileSync(`${ROOT}adapters/partner/package.json`, 'utf8'),
) as { readonly dependencies: Readonly<Record<string, string>> };

describe('the package of the partner command, packed and installed into an empty folder', () => {
  let folder = '';

  before(async () => {
    const packed = temporaryFolder();
    await npm(['pack', '-w', 'adapters/partner', '--pack-destination', packed], ROOT);
    const tarball = join(packed, readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? '');
    folder = join(packed, 'empty');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    // Without a network: its packages come from the folder of this project.
    const packages = Object.keys(dependencies).map((name) => `${ROOT}node_modules/${name}`);
    const options = ['--offline', '--install-links', '--no-audit', '--no-fund'];
    await npm(['install', ...packages, tarball, ...options], folder);
  });

  it('has the compiled command, and what it uses of the client and the sheets', () => {
    const files = readdirSync(join(folder, 'node_modules/@insurance-sales/partner/dist'));
    expect(files.sort()).to.deep.equal(['client', 'kit', 'partner']);
  });

  it("runs with npx on the machine's Node.js", async () => {
    const { stdout } = await npm(
      ['exec', '--offline', '--', '@insurance-sales/partner', '--help'],
      folder,
    );
    expect(stdout).to.include('npx @insurance-sales/partner');
    for (const command of ['import', 'reconcile', 'statement', 'listen'])
      expect(stdout).to.include(command);
  });

  it("imports a file into the service, on the machine's Node.js", async () => {
    const api = await new Api().start();
    try {
      const { client_id, client_secret } = await api.client('canal-demo');
      const sale = saleOrder({ externalSaleId: 'package-1' });
      writeFileSync(join(folder, 'vendas.ndjson'), `${JSON.stringify(sale)}\n`);
      const program = join(folder, 'node_modules/@insurance-sales/partner/dist/partner/main.js');
      const { stdout } = await run(ownNode, [program, 'import', 'vendas.ndjson'], {
        cwd: folder,
        env: { SALES_URL: `${api.url}/api`, CLIENT_ID: client_id, CLIENT_SECRET: client_secret },
      });
      expect(stdout).to.match(/^Registradas agora: 1$/m);
    } finally {
      await api.stop();
    }
  });
});
