import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { MIGRATIONS } from '../../adapters/persistence/schema/migrations/index.ts';
import { mainBody } from '../support/api.ts';
import { freePort, rowsIn } from '../support/postgres.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const sale = mainBody();

const PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

const count = async (url: string, table: string): Promise<number> => {
  const [row] = await rowsIn<{ count: number }>(url, `select count(*)::int as count from ${table}`);
  return row?.count ?? -1;
};

const PRODUCTION = {
  APP_ENV: 'production',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  PUBLIC_URL: 'https://api.example.com',
  SIGNING_KEY: PRIVATE_KEY,
  PAYMENT_GATEWAY: 'asaas',
  ASAAS_API_URL: 'https://api.asaas.com',
  ASAAS_API_KEY: 'key',
  ASAAS_WEBHOOK_TOKEN: 'token',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'seguros@example.com',
};

describe('services on one PostgreSQL', () => {
  const running: ServiceProcess[] = [];
  const start = (url: string, over: Record<string, string> = {}): ServiceProcess => {
    const service = new ServiceProcess({ DATABASE_URL: url, DATA_DIR: 'memory:', ...over });
    running.push(service);
    return service;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.end('SIGKILL')));
  });

  it('create tables and first clients once when three start together', async () => {
    const url = await sharedPostgres.database();
    const services = [start(url), start(url), start(url)];
    await Promise.all(services.map((each) => each.ready()));
    expect(services.filter((each) => each.credentials('Demo partner'))).to.have.length(1);
    expect(services.filter((each) => each.credentials('Administrator'))).to.have.length(1);
    const tables = ['mikro_orm_migrations', 'api_client', 'product', 'channel'];
    expect(await Promise.all(tables.map((table) => count(url, table)))).to.deep.equal([
      MIGRATIONS.length,
      2,
      4,
      1,
    ]);
  });

  it('start with the operator’s administrator, and never change its secret', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const named = {
      BOOTSTRAP_ADMIN_CLIENT_ID: 'root',
      BOOTSTRAP_ADMIN_CLIENT_SECRET: 'chosen by the operator',
    };
    const first = start(url, named);
    await first.ready();
    expect(first.credentials('Administrator')).to.equal(undefined);
    expect(first.output).not.to.include('chosen by the operator');
    await first.end();
    const second = start(url, { ...named, BOOTSTRAP_ADMIN_CLIENT_SECRET: 'another one' });
    const baseUrl = await second.ready();
    const login = (client_secret: string): Promise<Response> =>
      fetch(`${baseUrl}/seguros/auth/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_id: 'root', client_secret }),
      });
    expect((await login('chosen by the operator')).status).to.equal(200);
    expect((await login('another one')).status).to.equal(401);
  });

  it('make one sale of simultaneous copies, and find each other’s sales', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const shared = {
      PUBLIC_URL: 'http://sales.test',
      DATA_DIR: 'memory:',
      SIGNING_KEY: PRIVATE_KEY,
    };
    const one = start(url, shared);
    await one.ready();
    const other = start(url, shared);
    await other.ready();
    const credentials = one.credentials('Demo partner');
    const partners = [one, other].map((each) => new Partner(`${each.address}/api`, credentials));
    const token = (await partners[0]?.token()) ?? '';

    const copies = Array.from({ length: 100 }, (_, index) =>
      partners[index % 2]?.sell(token, sale, 'same-order'),
    );
    const answers = await Promise.all(
      (await Promise.all(copies)).map(async (each) => [each?.status, await each?.text()].join(' ')),
    );
    expect(new Set(answers).size).to.equal(1);
    expect(answers[0]).to.match(/^200 /);
    expect(await count(url, 'sale')).to.equal(1);
    // The number may be above 1: refused copies use numbers too.
    const { data } = JSON.parse(answers[0]?.slice('200 '.length) ?? '');
    expect((await partners[1]?.status(token, data.transaction_id))?.status).to.equal(200);
  });

  it('answer live but not ready while another one migrates, and serve afterwards', async () => {
    const url = await sharedPostgres.database();
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query(`select pg_advisory_lock(hashtext('insurance-sales'))`);
    const port = await freePort();
    const service = start(url, { PORT: String(port) });
    const ask = (): Promise<Response | undefined> =>
      fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    const early = await within(ask, (answer) => answer !== undefined);
    expect(early?.status).to.equal(503);
    expect(early?.headers.get('Retry-After')).to.equal('1');
    expect(await early?.json()).to.include({ success: false, status_code: '503' });
    const live = await fetch(`http://127.0.0.1:${port}/health/live`);
    expect([live.status, await live.json()]).to.deep.equal([200, { status: 'ok' }]);
    await holder.end();
    await service.ready();
    expect((await ask())?.status).to.equal(200);
  });

  it('lose no acknowledged sale and make none twice when one is killed', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const shared = { PUBLIC_URL: 'http://sales.test', SIGNING_KEY: PRIVATE_KEY, RATE_LIMIT: 'off' };
    const first = start(url, shared);
    await first.ready();
    const credentials = first.credentials('Demo partner');
    const atFirst = new Partner(`${first.address}/api`, credentials);
    const token = await atFirst.token();
    const acknowledged = new Map<string, number>();
    const seller = async (name: number): Promise<void> => {
      for (let order = 1; ; order += 1) {
        const key = `seller-${name}-order-${order}`;
        const response = await atFirst.sell(token, sale, key);
        const { data } = (await response.json()) as { data: { transaction_id: number } };
        acknowledged.set(key, data.transaction_id);
        if (acknowledged.size === 200) await first.end('SIGKILL');
      }
    };
    await Promise.allSettled(Array.from({ length: 16 }, (_, name) => seller(name)));

    const second = start(url, shared);
    await second.ready();
    const atSecond = new Partner(`${second.address}/api`, credentials);
    expect(acknowledged.size).to.be.at.least(200);
    for (const [key, id] of acknowledged) {
      const again = await atSecond.sell(token, sale, key);
      expect(again.headers.get('Idempotent-Replayed'), key).to.equal('true');
      expect(await again.json()).to.deep.nested.include({ 'data.transaction_id': id });
    }
    expect(await count(url, 'sale')).to.be.within(acknowledged.size, acknowledged.size + 16);
    expect(new Set(acknowledged.values()).size).to.equal(acknowledged.size);
  });

  it('report why the database refused the credentials, without showing them', async function () {
    // A given server may accept any password.
    if (process.env['TEST_DATABASE_URL'] !== undefined) this.skip();
    const url = new URL(await sharedPostgres.migratedDatabase());
    url.password = 's3cr3t-but-wrong';
    const service = start(url.href);
    expect(await service.ended()).to.equal(1);
    expect(service.errors).to.match(/DATABASE_URL names a user, a password .+ \(SQLSTATE 28P01\)/);
    expect(service.errors).not.to.include('s3cr3t');
  });

  it('refuse to start in production on a database with the demo catalogue', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const demo = start(url);
    await demo.ready();
    const production = start(url, PRODUCTION);
    expect(await production.ended()).to.equal(1);
    expect(production.errors).to.match(/demo catalogue/);
  });

  it('open no inspector in production on SIGUSR1', async () => {
    const production = start(await sharedPostgres.migratedDatabase(), PRODUCTION);
    await production.ready();
    process.kill(production.pid, 'SIGUSR1');
    expect((await fetch(`${production.address}/health/live`)).status).to.equal(200);
    expect(await production.end()).to.equal(0);
    expect(production.errors).not.to.match(/debugger/i);
  });
});
