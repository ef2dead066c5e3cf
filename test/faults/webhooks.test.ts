import { createSecretKey, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { newSale, type Sale } from '#domain';
import { type Database, openPostgres } from '../../adapters/persistence/database.ts';
import { DatabaseSales } from '../../adapters/persistence/sales.ts';
import { DatabaseWebhookEndpoints } from '../../adapters/persistence/webhook-endpoints.ts';
import { AesSecretSeal } from '../../adapters/security/webhook-secret-seal.ts';
import type { WebhookEndpoint } from '../../application/webhooks/endpoints.ts';
import { entry } from '../support/identity.ts';
import { AT, terms } from '../support/sales.ts';
import { ServiceProcess, temporaryFolder } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { endpoint } from '../support/webhooks.ts';

const ENDPOINTS = 200;
const SALES_PER_CHANNEL = 3;

/** The delay below which 99 of 100 events arrive, ms. */
const P99_MS = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('webhooks', function () {
  this.timeout(120_000);
  const key = randomBytes(32);
  const seal = new AesSecretSeal(createSecretKey(key), []);
  const secret = seal.makeSecret();
  const receiver = new WebhookReceiver();
  const services: ServiceProcess[] = [];
  let url: string;
  let database: Database;
  let sales: DatabaseSales;
  let endpoints: DatabaseWebhookEndpoints;
  let tickets = 0;

  before(async () => {
    await receiver.start();
    url = await sharedPostgres.migratedDatabase();
    database = await openPostgres({ url, pool: 4 });
    sales = new DatabaseSales(database, async () => {});
    endpoints = new DatabaseWebhookEndpoints(database);
  });

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
  });

  after(async () => {
    receiver.stop();
    await database.close();
  });

  const start = async (databaseUrl = url): Promise<ServiceProcess> => {
    const service = new ServiceProcess({
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: temporaryFolder(), RATE_LIMIT: 'off' },
      ...{ SECRETS_KEY: key.toString('base64'), LOG_LEVEL: 'info' },
    });
    services.push(service);
    await service.ready();
    return service;
  };

  /** The endpoint of the channel of the same name. */
  const addEndpoint = async (id: string, over: Partial<WebhookEndpoint> = {}): Promise<void> => {
    const added = endpoint(id, {
      ...{ channelLink: id, url: receiver.urlOf(`/${id}`) },
      ...{ sealedSecret: seal.seal(secret, id), ...over },
    });
    expect(await endpoints.add(added, 20, entry())).to.equal('added');
  };

  /** Registers a sale that was paid to the channel: one event for its endpoint. */
  const register = async (channelLink: string): Promise<Sale> => {
    tickets += 1;
    const sold = newSale(`T-webhooks-${tickets}`, AT, terms({ channelLink }));
    const outcome = await sales.register(sold);
    if (outcome.kind !== 'registered') throw new Error(outcome.kind);
    return outcome.sale;
  };

  it(`reach ${ENDPOINTS} endpoints in less than a second while three of them are ill`, async () => {
    const channels = Array.from({ length: ENDPOINTS }, (_, index) => `channel-${index}`);
    const [hanging, failing, closing, ...healthy] = channels;
    await Promise.all(channels.map((channel) => addEndpoint(channel)));
    receiver.answer(`/${hanging}`, () => {});
    receiver.answer(`/${failing}`, (response) => response.writeHead(500).end('erro'));
    receiver.answer(`/${closing}`, (response) => response.destroy());
    const service = await start();
    // The first certificate starts the threads that render: later ones take no time from others.
    await register('without-endpoint');
    await service.logged(/mail kept/);

    const committedAt = new Map<string, number>();
    for (let round = 0; round < SALES_PER_CHANNEL; round += 1) {
      for (const channel of channels) {
        const { id } = await register(channel);
        committedAt.set(`${channel} ${id}`, performance.now());
        await pause(10);
      }
    }

    const isHealthy = ({ path }: { path: string }) => known.has(path);
    const known = new Set(healthy.map((channel) => `/${channel}`));
    const expected = healthy.length * SALES_PER_CHANNEL;
    await within(
      30_000,
      async () => receiver.arrivals.filter(isHealthy).length,
      (count) => count >= expected,
    );
    const arrivals = receiver.arrivals.filter(isHealthy);
    const delays = arrivals
      .map(({ path, body, at }) => {
        const { transaction_id: id } = JSON.parse(body).data;
        return at - (committedAt.get(`${path.slice(1)} ${id}`) ?? Number.NaN);
      })
      .sort((one, other) => one - other);
    expect(delays).to.have.length(expected);
    expect(delays[Math.ceil(0.99 * delays.length) - 1]).to.be.below(P99_MS);
    for (const channel of [hanging, failing, closing])
      expect(receiver.at(`/${channel}`)).not.to.have.length(0);
  });
});
