import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { reason } from '../../bootstrap/settings/opening.ts';
import { mainBody } from '../support/api.ts';
import { temporaryFolder } from '../support/children.ts';
import { expectError } from '../support/expected-error.ts';
import { runOperator } from '../support/operator-command.ts';
import { bash, LocalService, Partner, ServiceProcess } from '../support/service.ts';
import { inDays, taxedToday } from '../support/today.ts';

const sale = mainBody({ dataEvento: inDays(30) });

/** A new folder, whose database PGlite creates, which takes seconds. */
describe('the first run, in an empty folder', () => {
  const folder = temporaryFolder();
  const DATA_DIR = join(folder, 'data');
  const environment = { DATA_DIR, PUBLIC_URL: 'http://sales.test' };
  const running: ServiceProcess[] = [];
  after(() => Promise.all(running.map((each) => each.end('SIGKILL'))));

  const start = async (
    command?: string[],
    over: Readonly<Record<string, string>> = environment,
  ): Promise<{ service: ServiceProcess; partner: Partner }> => {
    const service = new ServiceProcess(over, command);
    running.push(service);
    await service.ready();
    credentials ??= service.credentials('Demo partner');
    return { service, partner: new Partner(`${service.address}/api`, credentials) };
  };

  let credentials: ReturnType<ServiceProcess['credentials']>;
  let token: string;

  it('prints where to read, and three lines that sell and end with the certificate', async () => {
    const umask = `umask 000; exec "${process.execPath}" bootstrap/main.ts`;
    const { service } = await start(['bash', '-c', umask], { DATA_DIR });
    expect(service.credentials('Administrator')).not.to.equal(undefined);
    for (const [, address = ''] of service.output.matchAll(/^ {2}\w+: +(http\S+)$/gm))
      expect((await fetch(address)).status, address).to.equal(200);
    expect(service.output).to.include(`Guide:     ${service.address}/docs`);
    await service.logged(
      /"msg":"ready"\}\n(?:\{.*\n)*\nReady: http.*\/\nStop: {2}Ctrl-C, or kill \d+\n/,
    );
    expect(service.output).to.include(`\nReady: ${service.address}/\nStop:`);
    const levels = service.output.split('\n').filter((line) => line.startsWith('{'));
    const warnings = levels.filter((line) => JSON.parse(line).level >= 40);
    expect([warnings, service.errors]).to.deep.equal([[], '']);

    const lines = service.output.split('\n');
    const first = lines.findIndex((line) => line.startsWith('TOKEN='));
    expect(lines[first + 3], 'after three lines').to.equal('');
    const printed = (await bash(lines.slice(first, first + 3).join('\n'))).trim().split('\n');
    const created = JSON.parse(printed[0] ?? '');
    expect(created.data).to.deep.include({ transaction_id: 1, status: 'paid' });
    expect(created.data.amounts).to.deep.include({ net_premium: 188.6, ...taxedToday(18_860) });
    const [, link = ''] = /^Certificate: (http\S+)$/.exec(printed.at(-1) ?? '') ?? [];
    const certificate = await fetch(link);
    expect([certificate.status, certificate.headers.get('content-type')]).to.deep.equal([
      200,
      'application/pdf',
    ]);
    const mail = join(DATA_DIR, 'mail');
    await service.logged(/"msg":"mail kept"/);
    const [kept = ''] = readdirSync(mail);
    expect(readFileSync(join(mail, kept), 'utf8')).to.match(/^Message-ID: <1-[^>]*-0@/m);

    const other = new ServiceProcess(environment);
    running.push(other);
    expect(await other.ended(), 'a second process on the same folder').to.equal(1);
    expect(other.errors).to.match(/in use by another process/);

    expect((await fetch(`${service.address}/health/ready`)).status).to.equal(200);
    expect(await service.end()).to.equal(0);
    expect(service.output).to.match(/"msg":"stopped"/);
  });

  it('keeps its key, and all files, readable by its user only, with any umask', () => {
    const modeOf = (name: string): number => statSync(join(DATA_DIR, name)).mode & 0o777;
    expect(modeOf('signing-key.pem')).to.equal(0o600);
    const open = readdirSync(DATA_DIR, { recursive: true, encoding: 'utf8' })
      .filter((name) => (modeOf(name) & 0o077) !== 0)
      // PGlite's files have open permissions, but their folder has not.
      .filter((name) => !name.startsWith('database/'));
    expect(readdirSync(DATA_DIR)).to.include.members(['database', 'database.lock', 'mail']);
    expect(open).to.deep.equal([]);
  });

  it('shows the secrets once: a restart keeps the client and the sale, and prints no secret', async () => {
    const { service, partner } = await start();
    expect(service.credentials('Demo partner')).to.equal(undefined);
    expect(service.output).not.to.include('client_secret');
    token = await partner.token();
    expect(await (await partner.status(token, 1)).json()).to.deep.equal({
      success: true,
      data: { transaction_id: 1, status: 'paid', external_sale_id: 'first-sale' },
    });
  });

  it('loses no acknowledged sale and no token to kill -9, and stops when npm gets SIGTERM', async () => {
    const [killed] = running.slice(-1);
    const before = new Partner(`${killed?.address}/api`, credentials);
    const { data } = (await (await before.sell(token, sale, 'kill-9')).json()) as {
      data: { transaction_id: number };
    };
    await killed?.end('SIGKILL');

    const command = new ServiceProcess(environment, [
      process.execPath,
      'bootstrap/admin.ts',
      'list',
    ]);
    expect(await command.ended(), command.errors).to.equal(0);
    expect(JSON.parse(command.output)).to.have.length(2);

    const { service, partner } = await start(['npm', 'start']);
    const beside = await runOperator(['list'], { DATA_DIR });
    expect(beside.code, beside.errors).to.equal(0);
    expect((await partner.status(token, data.transaction_id)).status).to.equal(200);
    const replay = await partner.sell(token, sale, 'kill-9');
    expect(replay.headers.get('Idempotent-Replayed')).to.equal('true');
    expect(await replay.json()).to.deep.nested.include({
      'data.transaction_id': data.transaction_id,
    });
    await service.end('SIGTERM');
    expect(service.output).to.match(/"msg":"stopped"/);
    await expectError(fetch(service.address));
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

  it('ends without showing the password of a database it cannot reach', async () => {
    const service = new ServiceProcess({ DATABASE_URL: 'postgres://user:s3cr3t@127.0.0.1:1/none' });
    expect(await service.ended()).to.equal(1);
    expect(service.errors)
      .to.match(/^the service could not start: database out of reach: is DATABASE_URL right/)
      .and.not.match(/s3cr3t/);
  });

  /** The reason that the person who starts the service is shown. */
  const reasonOf = async (environment: Readonly<Record<string, string>>): Promise<string> =>
    reason(await expectError(LocalService.start(environment)));

  it('writes nothing when the port is taken, so that the next start shows the credentials', async () => {
    const DATA_DIR = join(temporaryFolder(), 'data');
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    expect(await reasonOf({ DATA_DIR, PORT: String(port) })).to.match(/^PORT is taken/);
    holder.close();
    expect(existsSync(DATA_DIR)).to.equal(false);
  });

  const UNUSABLE: readonly (readonly [string, string, RegExp])[] = [
    ['HOST', 'no such host', /^HOST is no address of this machine \(E/],
    ['HOST', '203.0.113.1', /^HOST is no address of this machine \(EADDRNOTAVAIL\)/],
    ['DATA_DIR', '/dev/null', /^DATA_DIR cannot be written to \(EEXIST\)/],
    ['DATA_DIR', '/dev/null/data', /^DATA_DIR cannot be written to \(ENOTDIR\)/],
  ];
  for (const [name, value, words] of UNUSABLE) {
    it(`reports the fault of ${name}=${JSON.stringify(value)}`, async () => {
      expect(await reasonOf({ DATA_DIR: 'memory:', [name]: value })).to.match(words);
    });
  }
});
