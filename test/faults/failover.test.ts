import { expect } from 'chai';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { DatabaseClients } from '../../adapters/persistence/identity/clients.ts';
import { DatabaseRefreshTokens } from '../../adapters/persistence/identity/refresh-tokens.ts';
import { type AT, client, entry } from '../support/identity.ts';
import { PostgresServer, rowsIn } from '../support/postgres.ts';
import { Relay } from '../support/postgres-proxy.ts';
import { Sellers } from '../support/sellers.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { one, Pair } from '../support/standby.ts';
import { within } from '../support/stores.ts';

const numberOfClients = async (url: string): Promise<string> =>
  (await one<{ number: string }>(url, `select number from revision where topic = 'clients'`))
    .number;

const revoked = (logins: DatabaseRefreshTokens, familyId: string): Promise<boolean> =>
  within(
    () => Promise.resolve(logins.hasEnded(familyId)).catch(() => false),
    (each) => each,
  );

describe('a failover that loses the last commits', () => {
  const pair = new Pair();
  const opened: Database[] = [];
  const open = async (url: string): Promise<Database> => {
    const database = await openPostgres({ url, pool: 2 });
    opened.push(database);
    return database;
  };
  before(async () => {
    await pair.start();
  });
  after(async () => {
    await Promise.all(opened.map((each) => each.close().catch(() => {})));
    await pair.stop();
  });

  it('does not delay the end of a login or client by more than a second', async () => {
    const mine = await open(pair.relayUrl);
    await mine.migrate();
    const [logins, clients] = [new DatabaseRefreshTokens(mine), new DatabaseClients(mine)];
    const family = {
      clientId: 'a',
      scopes: ['sales' as const],
      generation: 0,
      expiresAt: '2199-01-01T00:00:00.000Z' as typeof AT,
    };
    const ids = Array.from({ length: 6 }, (_, index) => `family-${index}`);
    for (const familyId of ids) await logins.start({ ...family, familyId }, `hash of ${familyId}`);
    await clients.add(client('a'), entry());
    await clients.add(client('b'), entry());
    await pair.caughtUp();
    await pair.separate();

    // Three ended logins and two changed clients that are not replicated.
    for (const familyId of ids.slice(0, 3))
      await logins.revokeFamily(familyId, entry({ action: 'token.revoked' }));
    await clients.save({ ...client('a'), name: 'changed' }, entry());
    await clients.save({ ...client('a'), name: 'changed again', version: 2 }, entry());
    expect(await revoked(logins, 'family-2')).to.equal(true);
    expect((await clients.find('a'))?.name).to.equal('changed again');

    const known = await numberOfClients(pair.url);
    pair.relay?.cut();
    await pair.failOver();
    const theirs = await open(pair.standbyUrl);
    const [theirLogins, theirClients] = [
      new DatabaseRefreshTokens(theirs),
      new DatabaseClients(theirs),
    ];
    // This end has a lower number than the last that the process knows.
    await theirLogins.revokeFamily('family-3', entry({ action: 'token.revoked' }));
    // Two changes bring the clients' revision to the number that the process knows.
    await theirClients.save({ ...client('b'), status: 'inactive' }, entry());
    await theirClients.save({ ...client('b'), status: 'inactive', version: 2 }, entry());
    expect(await numberOfClients(pair.standbyUrl), 'equal revisions').to.equal(known);

    pair.relay?.pointAt(pair.standbyUrl);
    expect(await revoked(logins, 'family-3'), 'a login ended after the failover').to.equal(true);
    expect((await clients.find('b'))?.status, 'a client deactivated after the failover').to.equal(
      'inactive',
    );
    expect((await clients.find('a'))?.name, 'what was lost').to.equal(client('a').name);
    expect(await logins.hasEnded('family-0'), 'what was lost').to.equal(false);
    await theirLogins.revokeFamily('family-4', entry({ action: 'token.revoked' }));
    expect(await revoked(logins, 'family-4'), 'a second login').to.equal(true);
  });
});

const SERVICE = { DATA_DIR: 'memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'info' };

describe('a primary with a standby', () => {
  const pair = new Pair();
  let service: ServiceProcess | undefined;
  before(async () => {
    await pair.start();
  });
  after(async () => {
    await service?.end('SIGKILL');
    await pair.stop();
  });

  it('logs a warning without synchronous replication, and loses no acknowledged sale with it', async () => {
    const first = new ServiceProcess({ ...SERVICE, DATABASE_URL: pair.url });
    await first.ready();
    const credentials = first.credentials('Demo partner');
    await first.logged(/"level":40.*standbys are attached, but synchronous_standby_names is empty/);
    await first.end('SIGKILL');

    await rowsIn(pair.url, `alter system set synchronous_standby_names = 'standby'`);
    await rowsIn(pair.url, 'select pg_reload_conf()');
    const states = () =>
      rowsIn<{ sync_state: string }>(pair.url, 'select sync_state from pg_stat_replication');
    await within(states, ([state]) => state?.sync_state === 'sync');
    service = new ServiceProcess({ ...SERVICE, DATABASE_URL: pair.relayUrl });
    await service.ready();
    expect(service.output).not.to.include('synchronous_standby_names');

    const partner = new Partner(`${service.address}/api`, credentials);
    const token = await partner.token();
    const sellers = new Sellers(partner, token);
    await sellers.more(300);
    await pair.failOver();
    pair.relay?.pointAt(pair.standbyUrl);
    pair.relay?.cut();
    await sellers.more(100);
    await sellers.stop();
    const kept = await rowsIn<{ key: string }>(
      pair.standbyUrl,
      'select external_sale_id as key from sale',
    );
    const keys = kept.map(({ key }) => key);
    expect(new Set(keys).size, 'none twice').to.equal(keys.length);
    expect(
      [...sellers.acknowledged].filter((key) => !keys.includes(key)),
      'lost',
    ).to.deep.equal([]);
  });
});

describe('a database host that loses its network', () => {
  const server = new PostgresServer(undefined);
  let relay: Relay;
  let service: ServiceProcess;
  after(async () => {
    await service.end('SIGKILL');
    relay.stop();
    await server.stop();
  });

  it('sells on when new connections reach another host', async () => {
    relay = new Relay(await server.database());
    service = new ServiceProcess({ ...SERVICE, DATABASE_URL: await relay.start() });
    await service.ready();
    const partner = new Partner(`${service.address}/api`, service.credentials('Demo partner'));
    const token = await partner.token();
    for (const _ of ['once', 'and again']) {
      const sellers = new Sellers(partner, token);
      await sellers.more(100);
      relay.hang();
      const hungAt = performance.now();
      await within(
        async () => sellers.times.some((time) => time > hungAt + 500),
        (isSelling) => isSelling,
      );
      const gap = Math.min(...sellers.times.filter((time) => time > hungAt + 500)) - hungAt;
      await sellers.stop();
      // Ten times what an idle machine needs: without the limit on silence it takes minutes.
      expect(gap, 'ms without a sale').to.be.below(40_000);
    }
  });
});
