import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { mainBody } from '../support/api.ts';
import { startChild, temporaryFolder } from '../support/children.ts';
import { expectError } from '../support/expected-error.ts';
import { phoneOrder } from '../support/orders.ts';
import { freePort, rowsIn } from '../support/postgres.ts';
import { PostgresProxy } from '../support/postgres-proxy.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

/** A field of a message: its letter and its text. */
const field = (letter: string, text: string): string => `${letter}${text}\0`;

/** An error as PgBouncer sends it: without PostgreSQL's file, line and routine. */
const refusal = (message: string): Buffer => {
  const fields = Buffer.from(
    `${field('S', 'FATAL')}${field('C', '08P01')}${field('M', message)}\0`,
  );
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
};

/**
 * Behaves like a pooler: refuses unknown start-up settings, and all connections when full. Keeps
 * what clients send.
 */
class PoolerLike extends PostgresProxy {
  isFull = false;
  sent = '';

  protected override relay(client: Socket, server: Socket): void {
    client.once('data', (startUp: Buffer) => {
      const isUnknown = /statement_timeout|idle_in_transaction|lock_timeout|options/.test(
        startUp.toString('latin1'),
      );
      if (isUnknown || this.isFull) {
        client.end(
          refusal(isUnknown ? 'unsupported startup parameter' : 'no more connections allowed'),
        );
        server.destroy();
        return;
      }
      server.write(startUp);
      client.on('data', (chunk: Buffer) => {
        this.sent += chunk.toString('latin1');
      });
      client.pipe(server).pipe(client);
      client.once('close', () => server.destroy());
    });
  }
}

describe('a connection through a transaction pooler', () => {
  let pooler: PoolerLike;
  let database: Database;
  before(async () => {
    const directUrl = await sharedPostgres.database();
    pooler = new PoolerLike(directUrl);
    database = await openPostgres({ url: await pooler.start(), pool: 2, directUrl });
    await database.migrate();
  });
  after(async () => {
    await database.close();
    pooler.stop();
  });

  it('sends no start-up settings, sets time limits per transaction, and names no statement', async () => {
    const show = { name: 'limits', text: `select current_setting($1) as limit` };
    const limits = await Promise.all(
      ['statement_timeout', 'idle_in_transaction_session_timeout'].map((name) =>
        database.run<{ limit: string }>(show, [name]),
      ),
    );
    expect(limits.flat()).to.deep.equal([{ limit: '10s' }, { limit: '5s' }]);
    const inside = await database.transaction(
      async (work) => (await work.executeSql('show statement_timeout')).rows,
    );
    expect(inside).to.deep.equal([{ statement_timeout: '10s' }]);
    // The message for a named statement holds the name and a zero byte.
    expect(pooler.sent).not.to.include('limits\0');
  });

  it('reports a full pooler as unavailable, but not a fault in our own statement', async () => {
    const wrong = await expectError(database.run({ name: 'wrong', text: 'select $1::int' }, []));
    expect(wrong).to.be.an('error').that.is.not.instanceOf(Unavailable);
    pooler.isFull = true;
    pooler.cut();
    const refused = await within(
      () => database.check().catch((error: unknown) => error),
      (error) => error !== undefined,
    );
    expect(refused).to.be.instanceOf(Unavailable);
    pooler.isFull = false;
    await within(
      () =>
        database.check().then(
          () => true,
          () => false,
        ),
      (isBack) => isBack,
    );
  });
});

const VERSION = /PgBouncer ([\d.]+)/.exec(
  spawnSync('pgbouncer', ['--version']).stdout?.toString() ?? '',
)?.[1];

describe(`services behind PgBouncer ${VERSION ?? ''} in transaction mode`, () => {
  let bouncer: ChildProcess;
  let directUrl: string;
  let pooledUrl: string;
  const running: ServiceProcess[] = [];
  before(async function () {
    if (VERSION === undefined) {
      process.stdout.write('    skipped: pgbouncer is not installed\n');
      return this.skip();
    }
    directUrl = await sharedPostgres.migratedDatabase();
    const { hostname, port, pathname, username, password } = new URL(directUrl);
    const [listenPort, folder] = [await freePort(), temporaryFolder()];
    chmodSync(folder, 0o755);
    const target = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
    const settings = [
      'listen_addr=127.0.0.1',
      `listen_port=${listenPort}`,
      'unix_socket_dir=',
      'auth_type=any',
      'pool_mode=transaction',
    ];
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      [
        '[databases]',
        `sales = ${target}`,
        '[pgbouncer]',
        ...settings,
        'default_pool_size=4',
        '',
      ].join('\n'),
      {
        mode: 0o644,
      },
    );
    bouncer = startChild(
      'pgbouncer',
      [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let log = '';
    bouncer.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    await within(
      async () => log,
      (text) => text.includes('process up'),
    );
    pooledUrl = `postgres://anyone@127.0.0.1:${listenPort}/sales`;
  });
  after(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    if (bouncer === undefined) return;
    const ended = once(bouncer, 'exit');
    bouncer.kill('SIGKILL');
    await ended;
  });

  it('start, sell, follow changes, and abort a statement that hangs', async () => {
    const settings = {
      DATABASE_URL: pooledUrl,
      DATABASE_DIRECT_URL: directUrl,
      PUBLIC_URL: 'http://sales.test',
      RATE_LIMIT: 'off',
    };
    const DATA_DIR = temporaryFolder();
    for (const ROLE of ['all', 'web']) {
      const service = new ServiceProcess({ ...settings, DATA_DIR, ROLE });
      running.push(service);
      await service.ready();
    }
    const [first, second] = running as [ServiceProcess, ServiceProcess];
    const credentials = first.credentials('Demo partner');
    const partners = [first, second].map(
      (each) => new Partner(`${each.address}/api`, credentials),
    ) as [Partner, Partner];
    const token = await partners[0].token();
    const statuses = await Promise.all(
      Array.from(
        { length: 200 },
        async (_, order) =>
          (await (partners[order % 2] as Partner).sell(token, mainBody(), `order-${order % 150}`))
            .status,
      ),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await rowsIn(directUrl, 'select from sale')).to.have.length(150);
    const phone = await partners[1].call('/seguros/seguro-celular/create', token, {
      method: 'POST',
      body: JSON.stringify(phoneOrder()),
    });
    expect(phone.status).to.equal(200);
    const { data } = (await phone.json()) as { data: { ticket: string } };
    expect(
      (await partners[0].call(`/seguros/seguro-celular/status/${data.ticket}`, token)).status,
    ).to.equal(200);

    const holder = new pg.Client({ connectionString: directUrl });
    holder.on('error', () => {});
    await holder.connect();
    await holder.query('begin; lock table sale');
    expect((await partners[0].sell(token, mainBody(), 'held-up')).status).to.equal(503);
    await holder.end();
    expect((await partners[0].sell(token, mainBody(), 'held-up')).status).to.equal(200);

    const administrator = new Partner(`${first.address}/api`, first.credentials('Administrator'));
    const path = `/admin/api-clients/${credentials?.client_id}/deactivate`;
    const adminToken = await administrator.token();
    const deactivated = await administrator.call(path, adminToken, { method: 'POST', body: '{}' });
    expect(deactivated.status).to.equal(200);
    for (const partner of partners) {
      const answered = await within(
        () => partner.status(token, 1),
        ({ status }) => status === 401,
      );
      expect(answered.status).to.equal(401);
    }
  });
});
