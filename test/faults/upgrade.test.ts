import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { MIGRATIONS } from '../../adapters/persistence/schema/migrations/index.ts';
import { mainBody } from '../support/api.ts';
import { temporaryFolder } from '../support/children.ts';
import { expectError } from '../support/expected-error.ts';
import { phoneOrder } from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

/**
 * The commit of the previous release. Update it at each release. It runs with the packages of this
 * one: a package that only the previous release needs stays in devDependencies until then.
 */
const PREVIOUS = '595d1a912cbdc007503b508390a330c4203d2551';

const ROOT = new URL('../..', import.meta.url).pathname;

const git = (...words: string[]) =>
  spawnSync('git', words, { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 });

const SIGNING_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('an upgrade under load, with the previous release on the same database', () => {
  let url: string;
  let previous: string;
  const running: ServiceProcess[] = [];
  const start = async (folder: string): Promise<ServiceProcess> => {
    const settings = {
      DATABASE_URL: url,
      DATA_DIR: 'memory:',
      PUBLIC_URL: 'http://sales.test',
      SIGNING_KEY,
      RATE_LIMIT: 'off',
    };
    const service = new ServiceProcess(settings, [
      process.execPath,
      join(folder, 'bootstrap/main.ts'),
    ]);
    running.push(service);
    await service.ready();
    return service;
  };
  before(async function () {
    if (git('cat-file', '-e', `${PREVIOUS}^{commit}`).status !== 0) {
      process.stdout.write(
        '    skipped: the history of this checkout does not reach back to the previous release\n',
      );
      return this.skip();
    }
    url = await sharedPostgres.database();
    previous = temporaryFolder();
    execFileSync('tar', ['-x', '-C', previous], { input: git('archive', PREVIOUS).stdout });
    symlinkSync(join(ROOT, 'node_modules'), join(previous, 'node_modules'));
  });
  after(() => Promise.all(running.map((each) => each.end('SIGKILL'))));

  /** Whether this release has a migration that keeps the previous one from starting again. */
  const removes = (): boolean =>
    MIGRATIONS.some(
      ({ name }) =>
        name.includes('-contract-') &&
        !existsSync(join(previous, `adapters/persistence/schema/migrations/${name}.ts`)),
    );

  /** Cancels the sales while both releases work. @returns the states of the mails that tell of it */
  const cancelBeside = async (
    partner: Partner,
    token: string,
    sales: readonly { readonly ticket: string }[],
  ) => {
    for (const { ticket } of sales) {
      const path = `/private/integration/sale/${ticket}/cancel`;
      const answer = await partner.call(path, token, { method: 'POST', body: '{}' });
      expect(answer.status).to.equal(200);
    }
    const statuses = () =>
      rowsIn<{ status: string }>(url, 'select status from cancellation_mailing');
    return within(statuses, (rows) => rows.every(({ status }) => status === 'sent'));
  };

  it('fails no request while this release migrates and takes over, nor after a rollback, unless that is refused', async () => {
    const older = await start(previous);
    const credentials = older.credentials('Demo partner');
    const partnerOf = (service: ServiceProcess): Partner =>
      new Partner(`${service.address}/api`, credentials);
    const token = await partnerOf(older).token();
    const serving: Partner[] = [partnerOf(older)];
    const failures: string[] = [];
    const sold = new Map<string, number>();
    let isOver = false;
    /** The order that each seller is at. */
    const begun: number[] = [];

    const sell = async (key: string, partner: Partner): Promise<void> => {
      const answer = await partner.sell(token, mainBody(), key);
      const body = (await answer.json()) as { data?: { transaction_id: number } };
      const id = body.data?.transaction_id;
      if (answer.status !== 200 || id === undefined)
        failures.push(`${key}: ${answer.status} ${JSON.stringify(body)}`);
      else if ((sold.get(key) ?? id) !== id)
        failures.push(`${key}: sold twice, as ${sold.get(key)} and ${id}`);
      else sold.set(key, id);
    };
    const seller = async (name: number): Promise<void> => {
      for (let order = 1; !isOver; order += 1) {
        begun[name] = order;
        const key = `seller-${name}-order-${order}`;
        // Send each sale to every release that serves.
        for (const partner of [...serving]) await sell(key, partner);
        const [id] = [sold.get(key) ?? 0];
        for (const partner of [...serving]) {
          const { status } = await partner.status(token, id);
          if (status !== 200) failures.push(`status of ${key}: ${status}`);
        }
      }
    };
    const sellers = Promise.all(Array.from({ length: 4 }, (_, name) => seller(name)));
    await within(
      async () => sold.size,
      (count) => count > 100,
    );

    const newer = await start(ROOT);
    serving.push(partnerOf(newer));
    await wait(1_000);
    const phones: { ticket: string }[] = [];
    for (const partner of serving) {
      const answer = await partner.call('/seguros/seguro-celular/create', token, {
        method: 'POST',
        body: JSON.stringify(phoneOrder()),
      });
      expect(answer.status).to.equal(200);
      phones.push(((await answer.json()) as { data: { ticket: string } }).data);
    }
    for (const partner of serving)
      for (const { ticket } of phones)
        expect(
          (await partner.call(`/seguros/seguro-celular/status/${ticket}`, token)).status,
        ).to.equal(200);
    for (const [index, partner] of serving.entries())
      await cancelBeside(partner, token, phones.slice(index, index + 1));

    serving.shift();
    // Let it answer its last requests before SIGTERM: each seller must be at a later order.
    const atShift = [...begun];
    await within(
      async () => [...begun],
      (orders) => orders.every((order, name) => order > (atShift[name] ?? 0)),
    );
    expect(await older.end('SIGTERM')).to.equal(0);
    await wait(500);
    if (removes())
      expect(String(await expectError(start(previous)))).to.include('the database is too new');
    else serving.push(partnerOf(await start(previous)));
    await wait(1_000);
    isOver = true;
    await sellers;
    expect(failures).to.deep.equal([]);
    const waiting = () =>
      rowsIn(
        url,
        'select number from new_registration union all select number from new_partner_event',
      );
    await within(waiting, ({ length }) => length === 0);
    // Both releases store events, and give them their places.
    const wronglyTold = await rowsIn(
      url,
      `select sale.id, array_agg(type order by place) as told
       from sale left join partner_event on sale_id = sale.id group by sale.id
       having min(place) is distinct from min(place) filter (where type = 'sale.registered')
         or count(*) <> count(distinct type)`,
    );
    expect(wronglyTold).to.deep.equal([]);
    const cancelled = await rowsIn(
      url,
      `select 1 from partner_event where type = 'sale.cancelled'`,
    );
    expect(cancelled).to.have.length(phones.length);
    const [row] = await rowsIn<{ count: number }>(
      url,
      'select count(*)::int as count from sale where idempotency_key is not null',
    );
    expect(row?.count).to.equal(sold.size);
  }).timeout(240_000);
});

describe('a hung process among several on one port', () => {
  let service: ServiceProcess;
  after(() => service.end('SIGKILL'));

  it('is killed and replaced, while the other processes answer', async () => {
    const database = await sharedPostgres.database();
    service = new ServiceProcess({
      DATABASE_URL: database,
      DATA_DIR: 'memory:',
      WEB_CONCURRENCY: '2',
      RATE_LIMIT: 'off',
    });
    const baseUrl = await service.ready();
    const listening = (): readonly number[] =>
      [...service.output.matchAll(/"pid":(\d+),[^\n]*"msg":"listening"/g)].map(([, pid]) =>
        Number(pid),
      );
    await within(
      async () => listening(),
      ({ length }) => length === 2,
    );
    const [first] = listening();
    process.kill(first as number, 'SIGSTOP');
    await within(
      async () => listening(),
      ({ length }) => length === 3,
    );
    await service.logged(
      new RegExp(`"process":${first},"silentMs":1\\d{4},"msg":"a process hangs, and is killed"`),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${baseUrl.replace(/\/api$/, '')}/health/live`)),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
  }).timeout(240_000);
});
