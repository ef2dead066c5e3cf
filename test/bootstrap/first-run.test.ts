import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { expectError } from '../support/expected-error.ts';
import { bash, Partner, ServiceProcess, temporaryFolder } from '../support/service.ts';
import { embeddedDataFolder } from '../support/shared.ts';

const sale = mainBody();

describe('the first run, in an empty folder', () => {
  const folder = temporaryFolder();
  const environment = { DATA_DIR: join(folder, 'data') };
  const running: ServiceProcess[] = [];
  after(() => Promise.all(running.map((each) => each.end('SIGKILL'))));

  const start = async (
    over: Record<string, string> = {},
  ): Promise<{ service: ServiceProcess; baseUrl: string }> => {
    const service = new ServiceProcess({ ...environment, ...over });
    running.push(service);
    return { service, baseUrl: await service.ready() };
  };

  let partner: { client_id: string; client_secret: string } | undefined;
  const partnerAt = (baseUrl: string): Partner => new Partner(baseUrl, partner);

  it('prints where to read, and three lines that get a token, sell and show the sale', async function () {
    // Starts three services; the first one creates a database.
    this.timeout(60_000);
    const { service, baseUrl } = await start();
    partner = service.credentials('Demo partner');
    expect(service.credentials('Administrator')).not.to.equal(undefined);
    for (const [, address = ''] of service.output.matchAll(/^ {2}\w+: +(http\S+)$/gm))
      expect((await fetch(address)).status, address).to.equal(200);
    expect(service.output).to.include(`Guide:     ${baseUrl.replace('/api', '/docs')}`);

    const lines = service.output.split('\n');
    const first = lines.findIndex((line) => line.startsWith('TOKEN='));
    expect(lines[first + 3], 'after three lines').to.equal('');
    const printed = (await bash(lines.slice(first, first + 3).join('\n'))).trim().split('\n');
    const [created, found] = printed.map((line) => JSON.parse(line));
    expect(created.data).to.deep.include({ transaction_id: 1, status: 'paid' });
    expect(created.data.amounts).to.deep.include({ net_premium: 188.6, iof: 13.92, total: 202.52 });
    expect(found.data).to.deep.include({
      external_sale_id: 'first-sale',
      ticket: created.data.ticket,
    });
    const mail = join(environment.DATA_DIR, 'mail');
    await service.logged(/"msg":"mail kept"/);
    const [kept = ''] = readdirSync(mail);
    expect(readFileSync(join(mail, kept), 'utf8')).to.match(/^Message-ID: <1-[^>]*-0@/m);

    const other = new ServiceProcess(environment);
    running.push(other);
    expect(await other.ended(), 'a second process on the same folder').to.equal(1);
    expect(other.errors).to.match(/in use by another process/);

    expect((await fetch(`${baseUrl.replace('/api', '')}/health/ready`)).status).to.equal(200);
    expect(await service.end()).to.equal(0);
    expect(service.output).to.match(/"msg":"stopped"/);
  });

  it('stores its signing key readable by its user only', () => {
    const key = readdirSync(environment.DATA_DIR).find((name) => name.endsWith('.pem')) ?? '';
    expect(statSync(join(environment.DATA_DIR, key)).mode & 0o777).to.equal(0o600);
  });

  it('shows the secrets once: a restart keeps the client and the sale, and prints no secret', async () => {
    const { service, baseUrl } = await start();
    expect(service.credentials('Demo partner')).to.equal(undefined);
    expect(service.output).not.to.include('client_secret');
    const token = await partnerAt(baseUrl).token();
    expect(await (await partnerAt(baseUrl).status(token, 1)).json()).to.deep.equal({
      success: true,
      data: { transaction_id: 1, status: 'paid', external_sale_id: 'first-sale' },
    });
    await service.end();
  });

  it('loses no acknowledged sale and no token to kill -9', async () => {
    const first = await start({ PUBLIC_URL: 'http://sales.test' });
    const atFirst = partnerAt(`${first.service.address}/api`);
    const token = await atFirst.token();
    const { data } = (await (await atFirst.sell(token, sale, 'kill-9')).json()) as {
      data: { transaction_id: number };
    };
    await first.service.end('SIGKILL');

    const command = new ServiceProcess(environment, [
      process.execPath,
      'bootstrap/admin.ts',
      'list',
    ]);
    expect(await command.ended(), command.errors).to.equal(0);
    expect(JSON.parse(command.output)).to.have.length(2);

    const second = await start({ PUBLIC_URL: 'http://sales.test' });
    const atSecond = partnerAt(`${second.service.address}/api`);
    expect((await atSecond.status(token, data.transaction_id)).status).to.equal(200);
    const replay = await atSecond.sell(token, sale, 'kill-9');
    expect(replay.headers.get('Idempotent-Replayed')).to.equal('true');
    expect(await replay.json()).to.deep.nested.include({
      'data.transaction_id': data.transaction_id,
    });
    expect(await second.service.end(), 'exit code after a kill').to.equal(0);
  });
});

describe('npm start', () => {
  it('stops cleanly when npm gets SIGTERM', async () => {
    const service = new ServiceProcess({ DATA_DIR: await embeddedDataFolder() }, ['npm', 'start']);
    const baseUrl = await service.ready();
    await service.end('SIGTERM');
    expect(service.output).to.match(/"msg":"stopped"/);
    await expectError(fetch(baseUrl));
  });
});

describe('a start that fails', () => {
  it('reports every fault of the configuration by variable', async () => {
    const service = new ServiceProcess({ PORT: 'eighty', RATE_LIMIT: '0', DATA_DIR: 'memory:' });
    expect(await service.ended()).to.equal(1);
    expect(service.errors)
      .to.match(/PORT must be a whole number/)
      .and.match(/RATE_LIMIT must be/);
    expect(service.output).to.equal('');
  });

  it('writes nothing when the port is taken, so that the next start shows the credentials', async () => {
    const environment = { DATA_DIR: join(temporaryFolder(), 'data') };
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const blocked = new ServiceProcess({ ...environment, PORT: String(port) });
    expect(await blocked.ended()).to.equal(1);
    holder.close();
    expect(blocked.errors).to.match(/PORT is taken/);
    expect(existsSync(environment.DATA_DIR)).to.equal(false);
  });

  const UNUSABLE: readonly (readonly [string, string, RegExp])[] = [
    [
      'HOST',
      'no such host',
      /^the service could not start: HOST is no address of this machine \(E/,
    ],
    [
      'HOST',
      '203.0.113.1',
      /^the service could not start: HOST is no address of this machine \(EADDRNOTAVAIL\)/,
    ],
    [
      'DATA_DIR',
      '/dev/null',
      /^the service could not start: DATA_DIR cannot be written to \(EEXIST\)/,
    ],
    [
      'DATA_DIR',
      '/dev/null/data',
      /^the service could not start: DATA_DIR cannot be written to \(ENOTDIR\)/,
    ],
  ];
  for (const [name, value, words] of UNUSABLE) {
    it(`reports the fault of ${name}=${JSON.stringify(value)}`, async () => {
      const service = new ServiceProcess({ DATA_DIR: 'memory:', [name]: value });
      expect(await service.ended()).to.equal(1);
      expect(service.errors).to.match(words);
    });
  }

  it('ends without showing the password of a database it cannot reach', async () => {
    const service = new ServiceProcess({ DATABASE_URL: 'postgres://user:s3cr3t@127.0.0.1:1/none' });
    expect(await service.ended()).to.equal(1);
    expect(service.errors)
      .to.match(/database out of reach: is DATABASE_URL right/)
      .and.not.match(/s3cr3t/);
  });
});
