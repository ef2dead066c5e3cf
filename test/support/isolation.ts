import { pino } from 'pino';
import { type Channel, type Product, unwrap } from '#domain';
import { EVENT_TYPES } from '../../application/events/partner-events.ts';
import {
  manageCatalogue,
  manageClients,
  replayEvents,
} from '../../bootstrap/composition/channel-use-cases.ts';
import { eventPlaces } from '../../bootstrap/composition/infrastructure.ts';
import { clock, deliveries } from '../../bootstrap/composition/ports.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { type OpenService, openService } from '../../bootstrap/processes/open-service.ts';
import { readConfig } from '../../bootstrap/settings/config.ts';
import { mainBody } from './api.ts';
import { grant, plan, product } from './catalogue.ts';
import { temporaryFolder } from './children.ts';
import { saleOrder } from './generic-sales.ts';
import { ADMINISTRATOR } from './identity.ts';
import { artistOrderToday, byCard, phoneOrder } from './orders.ts';
import { rowsIn } from './postgres.ts';
import { runLog } from './run-log.ts';
import { sharedPostgres } from './shared.ts';
import { within } from './stores.ts';
import { inDays } from './today.ts';

export type Fields = Readonly<Record<string, unknown>>;

type Sold = 'ticket' | 'artist' | 'phone' | 'trip' | 'kept' | 'cancelled' | `${Keyed}Keyed`;
type Keyed = 'ticket' | 'artist' | 'phone';

export type Thing =
  | ('channelLink' | 'insured' | 'taxId' | 'email' | 'phone' | 'product' | 'quote')
  | ('clientId' | 'clientSecret' | 'accessToken' | 'refreshToken')
  | ('failedRequest' | 'soldRequest' | 'importedName')
  | ('webhook' | 'webhookUrl' | 'webhookSecret' | 'removable' | 'delivery' | 'event' | 'testEvent')
  | `${Sold}${'Name' | 'Id' | 'Ticket'}`;

/** What a channel has: its identifiers, credentials and personal data. No other may see them. */
export type Things = Readonly<Record<Thing, string>>;

/** An operation of the API, as the OpenAPI documents name it. */
interface Operation {
  readonly method: string;
  /** With each parameter in braces. */
  readonly path: string;
  /** Undefined where the operation takes no bearer token. */
  readonly scope: string | undefined;
}

/** What a request adds to its operation. */
export interface Sent {
  /** The parameters of the path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** A text is sent as NDJSON. */
  readonly body?: Fields | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Order = (of: Things, over: Fields) => Fields;

const collected: Order = ({ channelLink, insured, taxId, email, phone }) => ({
  ...{ channelLink, nameOrRazao: insured, cpfOrCnpj: taxId, email, phone },
});

/** A valid body of each operation that sells. */
export const ORDERS = {
  createIngressoSale: (of, over) =>
    mainBody({
      ...{ nomeCompleto: of.insured, cpfCnpj: of.taxId, email: of.email, telefone: of.phone },
      ...{ dataPagamento: inDays(0), dataEvento: inDays(30), channelLink: of.channelLink },
      ...over,
    }),
  createArtistaSale: (of, over) =>
    artistOrderToday({ ...collected(of, {}), payment: byCard(), ...over }),
  createCelularSale: (of, over) => phoneOrder({ ...collected(of, {}), ...over }),
  createSale: ({ insured: name, taxId: cpfOrCnpj, email, channelLink }, over) =>
    saleOrder({
      ...{ channelLink, insured: { name, cpfOrCnpj, email } },
      ...{ payment: { status: 'paid', method: 'pix', paidAt: inDays(0) }, ...over },
    }),
} as const satisfies Record<string, Order>;

export const line = (body: Fields): string => `${JSON.stringify(body)}\n`;

const PEOPLE: readonly Pick<Things, 'insured' | 'taxId' | 'email' | 'phone'>[] = [
  {
    ...{ insured: 'Ana Pereira Lima', taxId: '11144477735' },
    ...{ email: 'ana.lima@example.com', phone: '11933334444' },
  },
  {
    ...{ insured: 'Zeca Moreira Dias', taxId: '39053344705' },
    ...{ email: 'zeca.dias@example.com', phone: '21944445555' },
  },
  {
    ...{ insured: 'Maria Souza Alves', taxId: '52998224725' },
    ...{ email: 'maria.alves@example.com', phone: '31955556666' },
  },
];

/** Sales and deliveries are numbered from here, because smaller numbers occur in any answer. */
const [FIRST_SALE, FIRST_DELIVERY] = [3_001, 7_001];

/** The service as bootstrap composes it, on PostgreSQL and in this process. It does no jobs. */
export class ChannelsOnPostgres {
  readonly #url: string;
  readonly #open: OpenService;
  readonly operations = new Map<string, Operation>();

  constructor(url: string, open: OpenService) {
    this.#url = url;
    this.#open = open;
  }

  static async open(): Promise<ChannelsOnPostgres> {
    const url = await sharedPostgres.migratedDatabase();
    await rowsIn(url, `alter table sale alter column id restart with ${FIRST_SALE}`);
    await rowsIn(
      url,
      `alter table webhook_delivery alter column id restart with ${FIRST_DELIVERY}`,
    );
    const settings = { ROLE: 'web', PORT: '0', RATE_LIMIT: 'off' };
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: temporaryFolder(), ...settings });
    const log = pino({ level: 'debug' }, { write: (text: string) => runLog.add(text) });
    const open = await openService(config, log);
    await open.serve();
    const channels = new ChannelsOnPostgres(url, open);
    for (const document of ['openapi.json', 'openapi-admin.json']) await channels.#read(document);
    channels.operations.set('listSandboxCharges', {
      ...{ method: 'get', path: '/sandbox/charges', scope: 'sales' },
    });
    return channels;
  }

  close(): Promise<void> {
    return this.#open.stop();
  }

  /** @param name of each parameter of the path that `sent` does not give */
  async request(
    operationId: string,
    caller: Pick<Things, 'accessToken'> | undefined,
    { path = {}, query = '', body, headers = {} }: Sent = {},
    name = '',
  ): Promise<Answered> {
    const operation = this.operations.get(operationId);
    if (operation === undefined) throw new Error(`no operation ${operationId}`);
    const place = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter) =>
      encodeURIComponent(path[parameter] ?? name),
    );
    const authorization = operation.scope && caller && `Bearer ${caller.accessToken}`;
    const isText = typeof body === 'string';
    const response = await fetch(`${this.#open.address}${place}${query}`, {
      method: operation.method.toUpperCase(),
      headers: {
        ...(body !== undefined && {
          'Content-Type': isText ? 'application/x-ndjson' : 'application/json',
        }),
        ...(authorization && { Authorization: authorization }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** A digest of the channel's rows in each table that partners write to. */
  async digestRowsOf({ channelLink, clientId }: Things): Promise<object | undefined> {
    const sales = 'sale_id in (select id from sale where channel_link = $1)';
    const webhooks = 'endpoint_id in (select id from webhook_endpoint where channel_link = $1)';
    const digests = Object.entries({
      ...{ sale: 'channel_link = $1', mailing: sales, cancellation_mailing: sales },
      ...{ webhook_endpoint: 'channel_link = $1', new_partner_event: 'channel_link = $1' },
      ...{ webhook_delivery: webhooks, webhook_replay: webhooks, token_family: 'client_id = $2' },
    }).map(
      ([table, which]) =>
        `(select md5(string_agg(${table}::text, '' order by ${table}::text)) from ${table} where ${which}) as ${table}`,
    );
    const found = await rowsIn(this.#url, `select ${digests}`, [channelLink, clientId]);
    return found[0];
  }

  /** Makes channels that each have one of everything that a path or a body can name. */
  async fill(channelLinks: readonly string[]): Promise<readonly Things[]> {
    const filled: Things[] = [];
    for (const [index, channelLink] of channelLinks.entries())
      filled.push(await this.#fillOne(index, channelLink));

    const { service } = this.#open;
    const now = service.get(clock).now();
    const givePlaces = () => service.get(eventPlaces).givePlaces(now);
    await within(givePlaces, (outcome) => outcome === 'done');
    const leased = () => rowsIn(this.#url, 'select 1 from sale where lease_holder is not null');
    await within(leased, (rows) => rows.length === 0);
    const from = `${inDays(-1)}T00:00:00Z`;
    for (const [index, things] of filled.entries()) {
      filled[index] = { ...things, ...(await this.#answerTests(things)) };
      await this.request('replayWebhookEvents', things, { body: { from } }, things.webhook);
    }
    await within(
      () => service.get(replayEvents)(1_000),
      (outcome) => outcome === 'done',
    );
    return filled;
  }

  async #read(document: string): Promise<void> {
    const response = await fetch(`${this.#open.address}/${document}`);
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { operationId: string; security?: Fields[] }>>;
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { operationId, security = [] }] of Object.entries(methods)) {
        const [scope] = (security.find(({ oauth }) => oauth)?.['oauth'] ?? []) as string[];
        const name = path.startsWith('/admin/') ? `${operationId} (admin)` : operationId;
        this.operations.set(name, { method, path: `/api${path}`, scope });
      }
  }

  /** A channel with a product of its own, and its client. */
  async #register(index: number, channelLink: string) {
    const { service } = this.#open;
    const catalogue = service.get(manageCatalogue);
    const code = `EXCLUSIVO_${'ABC'[index]}`;
    const own: Product = product({
      id: 90 + 10 * index,
      code,
      plans: [plan({ id: 91 + 10 * index, name: `Plano ${code}` })],
    });
    const grants = [...DEMO_CHANNEL.grants, grant(code)];
    const channel: Channel = { ...DEMO_CHANNEL, channelLink, name: `Loja ${channelLink}`, grants };
    await catalogue.putProduct(own, ADMINISTRATOR);
    await catalogue.putChannel(channel, ADMINISTRATOR);
    const request = { name: channelLink, channelLink, scopes: ['sales'] as const, active: true };
    const { client, clientSecret } = unwrap(
      await service.get(manageClients).create(request, ADMINISTRATOR),
    );
    return { channelLink, product: code, clientId: client.clientId, clientSecret };
  }

  async #fillOne(index: number, channelLink: string): Promise<Things> {
    const registered = await this.#register(index, channelLink);
    const things = { ...registered, ...PEOPLE[index] } as Record<Thing, string>;
    const send = async (operationId: string, sent: Sent, name?: string) => {
      const answered = await this.request(operationId, things, sent, name);
      if (answered.status >= 300) throw new Error(`${operationId}: ${answered.text}`);
      return JSON.parse(answered.text.split('\n')[0] ?? '');
    };
    const { clientId: client_id, clientSecret: client_secret } = things;
    const login = await send('createToken', { body: { client_id, client_secret } });
    Object.assign(things, { accessToken: login.access_token, refreshToken: login.refresh_token });

    const sell = async (operation: keyof typeof ORDERS, sale: Sold, headers = {}) => {
      const name = `${channelLink}-${sale}`;
      const named = sale.endsWith('Keyed') ? {} : { externalSaleId: name };
      const key = sale.endsWith('Keyed') ? { 'Idempotency-Key': name } : {};
      const body = ORDERS[operation](things, named);
      const sold = await send(operation, { body, headers: { ...key, ...headers } });
      const { transaction_id: id, ticket } = (sold.response ?? sold).data;
      Object.assign(things, {
        ...{ [`${sale}Name`]: name, [`${sale}Id`]: String(id), [`${sale}Ticket`]: ticket },
      });
    };
    things.soldRequest = `${channelLink}-sold-request`;
    things.failedRequest = `${channelLink}-failed-request`;
    await sell('createIngressoSale', 'ticket');
    await sell('createIngressoSale', 'ticketKeyed');
    await sell('createArtistaSale', 'artist');
    await sell('createArtistaSale', 'artistKeyed');
    await sell('createCelularSale', 'phone');
    await sell('createCelularSale', 'phoneKeyed');
    await sell('createSale', 'trip', { 'X-Request-Id': things.soldRequest });
    await sell('createSale', 'kept');
    await sell('createSale', 'cancelled');
    await send('cancelSale', { body: {} }, things.cancelledName);
    things.importedName = `${channelLink}-imported`;
    const imported = ORDERS.createSale(things, { externalSaleId: things.importedName });
    await send('importSales', { body: line(imported) });
    const failing = { body: {}, headers: { 'X-Request-Id': things.failedRequest } };
    await this.request('createSale', things, failing);
    const quoted = await send('createQuote', { body: { product: { code: things.product } } });
    things.quote = quoted.data.quote_id;

    things.webhookUrl = `https://${channelLink}.example/hook`;
    const created = await send('createWebhook', {
      body: {
        url: things.webhookUrl,
        events: EVENT_TYPES.filter((type) => type !== 'webhook.test'),
      },
    });
    Object.assign(things, { webhook: created.data.id, webhookSecret: created.data.secret });
    const removable = { url: `${things.webhookUrl}-2`, events: ['sale.expired'] };
    things.removable = (await send('createWebhook', { body: removable })).data.id;
    const test = await send('testWebhook', { body: { wrongSignature: true } }, things.webhook);
    things.testEvent = test.data.event_id;
    await send('testWebhook', { body: {} }, things.webhook);
    return things;
  }

  /** Notes that the webhook has refused the wrongly signed test, and taken the other one. */
  async #answerTests(things: Things): Promise<Pick<Things, 'delivery' | 'event'>> {
    const { service } = this.#open;
    const [known, now] = [service.get(deliveries), service.get(clock).now()];
    const listed = await known.list({ endpointId: things.webhook, limit: 50 });
    for (const { id, event } of listed.filter((each) => each.event.type === 'webhook.test')) {
      const status = event.id === things.testEvent ? 400 : 200;
      await known.note(id, { at: now, status, ms: 1 }, { kind: 'delivered' });
    }
    const first = listed.at(-1);
    return { delivery: String(first?.id), event: String(first?.event.id) };
  }
}
