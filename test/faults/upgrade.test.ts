import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { expectError } from '../support/expected-error.ts';
import { CONTRACT, EXPAND, releaseWith } from '../support/made-up-migrations.ts';
import { rowsIn } from '../support/postgres.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const SIGNING_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('an upgrade under load, with three releases on the same database', () => {
  let url: string;
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
  before(async () => {
    url = await sharedPostgres.database();
  });
  after(() => Promise.all(running.map((each) => each.end('SIGKILL'))));

  it('fails no request while a release adds and the next one removes, and after a way back', async () => {
    const expanded = releaseWith(EXPAND);
    const contracted = releaseWith(EXPAND, CONTRACT);
    const [present, later] = [await start(ROOT), await start(expanded)];
    const credentials = present.credentials('Demo partner');
    const partnerOf = (service: ServiceProcess): Partner =>
      new Partner(`${service.address}/api`, credentials);
    const token = await partnerOf(present).token();
    const serving = new Map([
      [present, partnerOf(present)],
      [later, partnerOf(later)],
    ]);
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
        for (const partner of [...serving.values()]) await sell(key, partner);
        const id = sold.get(key) ?? 0;
        for (const partner of [...serving.values()]) {
          const { status } = await partner.status(token, id);
          if (status !== 200) failures.push(`status of ${key}: ${status}`);
        }
      }
    };
    const sellers = Promise.all(Array.from({ length: 4 }, (_, name) => seller(name)));
    /** Until each seller is at a later order: what it has begun is answered. */
    const goOn = async (orders: number): Promise<void> => {
      const now = [...begun];
      await within(
        async () => [...begun],
        (each) => each.every((order, name) => order > (now[name] ?? 0) + orders),
      );
    };
    const stop = async (service: ServiceProcess): Promise<void> => {
      serving.delete(service);
      await goOn(0);
      expect(await service.end('SIGTERM')).to.equal(0);
    };
    const serve = async (folder: string): Promise<ServiceProcess> => {
      const service = await start(folder);
      serving.set(service, partnerOf(service));
      await goOn(5);
      return service;
    };

    await goOn(20);
    await stop(present);
    const wayBack = await serve(ROOT);
    // What removes is refused beside a process that does not know what was added.
    expect(String(await expectError(start(contracted)))).to.include(
      'processes of a version before',
    );
    await goOn(5);
    await stop(wayBack);
    await serve(contracted);
    await stop(later);
    expect(String(await expectError(start(ROOT)))).to.include('the database is too new');
    await goOn(5);
    isOver = true;
    await sellers;
    expect(failures).to.deep.equal([]);

    const waiting = () =>
      rowsIn(
        url,
        'select number from new_registration union all select number from new_partner_event',
      );
    await within(waiting, ({ length }) => length === 0);
    // Every release stores events, and gives them their places.
    const wronglyTold = await rowsIn(
      url,
      `select sale.id, array_agg(type order by place) as told
       from sale left join partner_event on sale_id = sale.id group by sale.id
       having min(place) is distinct from min(place) filter (where type = 'sale.registered')
         or count(*) <> count(distinct type)`,
    );
    expect(wronglyTold).to.deep.equal([]);
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
      [...service.output.matchAll(/"pid":(\d+),[^\n]*"msg":"ready"/g)].map(([, pid]) =>
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
