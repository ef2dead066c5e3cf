import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { Api } from '../../support/api.ts';
import { temporaryFolder } from '../../support/children.ts';
import { npm, ownNode } from '../../support/npm.ts';
import { blocks } from '../../support/readme.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const run = promisify(execFile);

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENT = '{"id":"evt_1","type":"sale.cancelled","data":{"external_sale_id":"x","version":2}}';

/** Calls the receiver of the README with a webhook. */
const callReceiver = (secret: string): string => {
  const at = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, EVENT),
  };
  const init = JSON.stringify({ method: 'POST', headers, body: EVENT });
  return `console.log((await receive(new Request('http://x', ${init}))).status);\n`;
};

describe('the client package, packed and installed into an empty folder', () => {
  let folder = '';
  let installed = '';
  let tarball = '';
  let api: Api;

  before(async () => {
    const packed = temporaryFolder();
    await npm(['pack', '-w', 'adapters/client', '--pack-destination', packed], ROOT);
    tarball = join(packed, readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? '');
    folder = join(packed, 'empty');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await npm(['install', tarball, '--offline', '--no-audit', '--no-fund'], folder);
    installed = join(folder, 'node_modules/@insurance-sales/client');
  });
  beforeEach(async () => {
    api = await new Api().start();
  });
  afterEach(() => api.stop());

  /** The examples of the README as one program, for this service. */
  const program = async (): Promise<string> => {
    const { client_id, client_secret } = await api.client('canal-demo');
    return blocks(readFileSync(join(installed, 'README.md'), 'utf8'), 'ts')
      .map(({ text }) => text)
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', api.url)
      .replace("clientId: '...'", `clientId: '${client_id}'`)
      .replace("clientSecret: '...'", `clientSecret: '${client_secret}'`)
      .concat(callReceiver(SECRET), callReceiver(`whsec_${btoa('another secret')}`));
  };

  const compile = async (source: string, outDir: string): Promise<string> => {
    writeFileSync(join(folder, 'example.ts'), source);
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: false },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [], outDir },
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['example.ts'] }),
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const outcome = run(process.execPath, [tsc, '--project', folder]);
    return (await outcome.catch((failure: { stdout: string }) => failure)).stdout;
  };

  it('is smaller than 80 kB, installs no other package, and names no module of Node.js', () => {
    expect(statSync(tarball).size).to.be.within(10_000, 80_000);
    const packages = readdirSync(join(folder, 'node_modules'));
    expect(packages.filter((name) => !name.startsWith('.'))).to.deep.equal(['@insurance-sales']);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    );
    expect([dependencies, peerDependencies]).to.deep.equal([undefined, undefined]);
    expect(readdirSync(installed)).to.have.members(['README.md', 'dist', 'package.json']);
    for (const file of readdirSync(join(installed, 'dist')).filter((each) => each.endsWith('.js')))
      expect(readFileSync(join(installed, 'dist', file), 'utf8'), file).not.to.match(
        /from '(?!\.\/)|\bprocess\.|\bBuffer\b|\brequire\(/,
      );
  });

  it('has types with which its README compiles, and which refuse wrong use', async () => {
    expect(await compile(await program(), 'dist')).to.equal('');
    const wrong = `import { type Body, createInsuranceClient, isCode } from '@insurance-sales/client';
      const client = createInsuranceClient({ baseUrl: '', clientId: '', clientSecret: '' });
      const failure: unknown = 1;
      isCode(failure, 'card_decline');
      if (isCode(failure, 'validation_failed')) { const id: number = failure.transactionId; id; }
      client.createIngressoSale({ productId: 1 });
      client.createSale({ externalSaleId: 1 } as const);
      client.listSales({ status: ['sold'] });
      client.getSale(7);
      client.createCelularSale({} as Body<'createCelularSale'>);
      client.createCelularSale({} as Body<'createCelularSale'>, { idempotencyKey: undefined });
    `;
    const faulty = [
      ...(await compile(wrong, 'wrong')).matchAll(/example\.ts\((\d+),\d+\): error/g),
    ];
    expect([...new Set(faulty.map(([, line]) => Number(line)))]).to.deep.equal([
      4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });

  it('runs its README on the Node.js of the machine and of the project', async () => {
    const text = readFileSync(join(installed, 'README.md'), 'utf8');
    const shown = blocks(text, 'text').map((block) => block.text);
    for (const node of new Set([ownNode, process.execPath])) {
      await compile(await program(), 'dist');
      const { stdout } = await run(node, [join(folder, 'dist/example.js')], { cwd: folder });
      expect(stdout, node).to.equal([...shown, 'x 2\n204\n401\n'].join(''));
      await api.stop();
      api = await new Api().start();
    }
  });
});
