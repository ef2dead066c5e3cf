import { createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { openEmbedded } from '../../adapters/persistence/engine/database.ts';
import { examineServer } from '../../adapters/persistence/engine/examine-server.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/operations/audit-log.ts';
import { readConfig } from '../../bootstrap/settings/config.ts';
import { reason } from '../../bootstrap/settings/opening.ts';
import { mainBody } from '../support/api.ts';
import { temporaryFolder } from '../support/children.ts';
import { expectError } from '../support/expected-error.ts';
import { entry } from '../support/identity.ts';
import { fileOf, IMPORT, numberedSales } from '../support/imports.ts';
import { localCertificate } from '../support/mail-server.ts';
import { phoneOrder } from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { LocalService, Partner } from '../support/service.ts';
import { embeddedDataFolder, sharedPostgres } from '../support/shared.ts';

/** What a database may be set to; the service must not depend on any of it. */
const OTHERWISE = {
  search_path: `'elsewhere'`,
  datestyle: `'SQL, DMY'`,
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  timezone: `'Asia/Kolkata'`,
  client_encoding: 'latin1',
  lock_timeout: '1',
  default_transaction_isolation: 'serializable',
};

const databaseWith = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  const url = await sharedPostgres.database();
  const name = new URL(url).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings))
    await rowsIn(url, `alter database ${name} set ${setting} = ${value}`);
  return url;
};

/** The text without what differs from one database and moment to the next. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z/g, (at) =>
      Math.abs(Date.parse(at) - Date.now()) < 600_000 ? 'NOW' : at.slice(0, 10),
    )
    .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, 'TICKET')
    .replaceAll(/https?:[^"\s]+/g, 'URL')
    .replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/"(?:secret|next_cursor|protocol|request_id|client_id|webhook_id)":"[^"]*"/g, '');

/** What a wrongly quoted text would end. */
const NAME = `it's \\' A`;

/** Some of a day's work. @returns all answers */
const workADay = async (databaseUrl: string, over: object = {}): Promise<readonly string[]> => {
  const service = await LocalService.start({
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: 'memory:', RATE_LIMIT: 'off', DATABASE_POOL: '6' },
    ...over,
  });
  try {
    const partner = new Partner(service.baseUrl, service.credentials('Demo partner'));
    const administrator = new Partner(service.baseUrl, service.credentials('Administrator'));
    const [token, admin] = [await partner.token(), await administrator.token()];
    const answers: string[] = [];
    const call = async (path: string, body?: object | string, by = token): Promise<string> => {
      const isText = typeof body === 'string';
      const init = body && {
        method: 'POST',
        body: isText ? body : JSON.stringify(body),
        ...(isText && { headers: { 'Content-Type': 'application/x-ndjson' } }),
      };
      const answer = await partner.call(path, by, init || {});
      const text = `${answer.status} ${withoutChance(await answer.text())}`;
      answers.push(`${path} ${text}`);
      return text;
    };
    await call(
      '/seguros/ingresso-protegido/create',
      mainBody({ nomeCompleto: 'Zoë ’ 李 \\ Silva' }),
    );
    await call('/seguros/seguro-celular/create', phoneOrder({ externalSaleId: NAME }));
    await call(IMPORT, fileOf(numberedSales('line', 5)));
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    for (const path of [
      '/private/integration/sales?limit=3',
      `/private/integration/sales?from=${today}&status=issued`,
      `/private/integration/sale/${encodeURIComponent(NAME)}`,
      `/private/integration/statement?month=${today.slice(0, 7)}`,
      '/private/integration/webhooks',
    ])
      await call(path);
    for (const path of ['/admin/audit?limit=3', '/admin/transactions?limit=2'])
      await call(path, undefined, admin);
    const names = Array.from({ length: 8 }, (_, at) => `pending-${at}`);
    const together = await Promise.all(
      names.map((externalSaleId) =>
        partner.call('/seguros/seguro-celular/create', token, {
          method: 'POST',
          body: JSON.stringify(phoneOrder({ externalSaleId })),
        }),
      ),
    );
    const cancelled = await Promise.all(
      [...names, ...names].map((name) =>
        partner.call(`/private/integration/sale/${name}/cancel`, token, {
          method: 'POST',
          body: '{}',
        }),
      ),
    );
    const endpoint = { url: 'https://partner.example/hook', events: ['sale.paid'] };
    const endpoints = await Promise.all(
      names.map(() =>
        partner.call('/private/integration/webhooks', token, {
          method: 'POST',
          body: JSON.stringify(endpoint),
        }),
      ),
    );
    // Whether two cancellations of a sale meet (409) is chance.
    for (const each of [together, cancelled, endpoints])
      answers.push(
        [...new Set(each.map(({ status }) => (status === 409 ? 200 : status)))].sort().join(),
      );
    // The feed gets its events a moment later.
    const feed = '/private/integration/events?limit=1';
    while (!(await call(feed)).includes('"type":"sale.')) answers.pop();
    answers.pop();
    return answers;
  } finally {
    await service.end();
  }
};

describe('a database that is set up otherwise', () => {
  let plain: readonly string[];
  before(async () => {
    plain = await workADay(await databaseWith({}));
    expect(plain.filter((each) => / 5\d\d\b/.test(each))).to.deep.equal([]);
  });

  it('gets the same answers', async () => {
    expect(await workADay(await databaseWith(OTHERWISE))).to.deep.equal(plain);
  });

  it('gets the same answers with German dates and repeatable reads', async () => {
    const settings = { datestyle: `'German'`, default_transaction_isolation: `'repeatable read'` };
    expect(await workADay(await databaseWith(settings))).to.deep.equal(plain);
  });

  it('gets the same answers behind a transaction pooler, where no session is set', async () => {
    const url = await databaseWith(OTHERWISE);
    expect(await workADay(url, { DATABASE_DIRECT_URL: url })).to.deep.equal(plain);
  });

  it('is used by a role that may not create schemas, if the schema of the jobs is there', async () => {
    const url = new URL(await sharedPostgres.database());
    const role = `narrow_${url.pathname.slice(6)}`;
    await rowsIn(url.href, `create role ${role} login password 'narrow'`);
    await rowsIn(url.href, `grant all on schema public to ${role}`);
    await rowsIn(url.href, `create schema jobs authorization ${role}`);
    await rowsIn(url.href, `alter role ${role} set search_path = ''`);
    [url.username, url.password] = [role, 'narrow'];
    expect(await workADay(url.href)).to.deep.equal(plain);
  });
});

describe('an embedded database that is set up otherwise', () => {
  it('gets its tables, and is read, as any other', async () => {
    const folder = join(await embeddedDataFolder(), 'database');
    const first = await openEmbedded(folder);
    for (const [setting, value] of Object.entries(OTHERWISE))
      await first.executor.executeSql(`alter database postgres set ${setting} = ${value}`);
    await first.close();

    const database = await openEmbedded(folder);
    await database.migrate();
    const log = new DatabaseAuditLog(database);
    await log.append(entry());
    expect((await log.list({ limit: 1 }))[0]).to.deep.include(entry());
    await database.close();
  });
});

describe('a new embedded database', () => {
  it('begins as a copy of the first one, with all tables and nothing that was sold there', async () => {
    const makeOne = async () => {
      const database = await openEmbedded(join(temporaryFolder(), 'database'));
      await database.migrate();
      const log = new DatabaseAuditLog(database);
      expect(await log.list({ limit: 1 })).to.deep.equal([]);
      await log.append(entry());
      const { rows } = await database.executor.executeSql(
        'select system_identifier from pg_control_system()',
      );
      await database.close();
      return rows;
    };
    await makeOne();
    expect(await makeOne()).to.deep.equal(await makeOne());
  });
});

describe('a database that the service cannot use', () => {
  const faultOf = async (url: string): Promise<string> =>
    reason(await expectError(examineServer(url, 'DATABASE_URL')));

  it('is refused by name: its encoding, or that it only reads', async () => {
    const url = new URL(await sharedPostgres.database());
    const name = `${url.pathname.slice(1)}_latin1`;
    await rowsIn(
      url.href,
      `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    url.pathname = `/${name}`;
    expect(await faultOf(url.href)).to.include(
      'DATABASE_URL names a database in the encoding LATIN1',
    );
    const readOnly = await databaseWith({ default_transaction_read_only: 'on' });
    expect(await faultOf(readOnly)).to.include('default_transaction_read_only');
    const untold = await databaseWith({ session_replication_role: 'replica' });
    expect(await faultOf(untold)).to.include('session_replication_role is replica');
  });

  it('is refused by name: no TLS, no trust, no such database, a wrong password, a missing file', async () => {
    const url = await sharedPostgres.database();
    expect(await faultOf(`${url}?sslmode=verify-full`)).to.include('asks for TLS (sslmode)');
    expect(await faultOf(`${url}?sslrootcert=/nowhere.pem`)).to.include('cannot be read (ENOENT)');
    const missing = new URL(url);
    missing.pathname = '/nothing';
    expect(await faultOf(missing.href)).to.include('names a database that does not exist');
    const wrong = new URL(url);
    wrong.password = 'wrong';
    expect(await faultOf(wrong.href)).to.include('names a user, a password');

    const { key, cert } = await localCertificate();
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('S');
        new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {});
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const untrusted = `postgres://user:pass@127.0.0.1:${port}/x?sslmode=verify-full`;
    expect(await faultOf(untrusted)).to.include('whose certificate is not trusted');
    server.close();
  });

  it('is refused before it is asked: several hosts', () => {
    for (const url of [
      'postgres://a:1,b:2/db',
      'postgres://u:p,q@a,b/db',
      'postgres:///db?host=a,b',
    ])
      expect(() => readConfig({ DATABASE_URL: url })).to.throw('DATABASE_URL must name one host');
    for (const url of ['postgres://u:p,q@a/db', 'postgres://u:p@/db?host=/var/run/postgresql'])
      expect(readConfig({ DATABASE_URL: url }).database).to.include({ url });
  });
});
