import { expect } from 'chai';
import {
  type Answered,
  ChannelsOnPostgres,
  type Fields,
  line,
  ORDERS,
  type Sent,
  type Thing,
  type Things,
} from '../../support/isolation.ts';
import { within } from '../../support/stores.ts';
import { inDays } from '../../support/today.ts';

/** How a caller asks for each of these things of the owner. */
interface Ask {
  readonly of: readonly Thing[];
  /** The status of the answer to other channels, as for a thing that does not exist. */
  readonly status: number;
  /** By default, each parameter of the path is the name of the thing. */
  readonly sent?: (name: string, caller: Things, owner: Things) => Sent;
}

/** A call that answers what the caller's channel has. */
interface Own {
  readonly sent?: (caller: Things, owner: Things) => Sent;
  /** The things of the caller that the answer holds. */
  readonly holds: readonly Thing[];
}

type Order = (caller: Things, over: Fields) => Fields | string;

const byBody =
  (body: (name: string, caller: Things) => Fields | string) =>
  (name: string, caller: Things): Sent => ({ body: body(name, caller) });

/** Asks with an order that names a quote or a channel. The quote is for another product. */
const order = (write: Order, { refused = 422, forbidden = 403 } = {}): readonly Ask[] => [
  {
    ...{ of: ['quote'], status: refused },
    sent: byBody((quoteId, by) => write(by, { quoteId, externalSaleId: 'on-a-quote' })),
  },
  {
    ...{ of: ['channelLink'], status: forbidden },
    sent: byBody((channelLink, by) => write(by, { channelLink, externalSaleId: 'under-a-link' })),
  },
];

const credentials = ({ clientId, clientSecret }: Things) => ({
  ...{ client_id: clientId, client_secret: clientSecret },
});

const { createIngressoSale, createArtistaSale, createCelularSale, createSale } = ORDERS;
const importLine: Order = (by, over) => line(createSale(by, over));
const NAMES = (['ticket', 'artist', 'phone', 'trip', 'cancelled'] as const).flatMap(
  (sale) => [`${sale}Name`, `${sale}Ticket`] as const,
);
const PAID = { of: ['tripName', 'artistTicket'], status: 404 } as const;
const WEBHOOK = { of: ['webhook'], status: 404 } as const;
const EMPTY = byBody(() => ({}));

/** How other channels ask for what the owner has, by operation. */
const ASKS: Readonly<Record<string, readonly Ask[]>> = {
  createToken: [
    {
      ...{ of: ['clientId'], status: 401 },
      sent: byBody((client_id, by) => ({ ...credentials(by), client_id })),
    },
  ],
  introspectToken: [
    {
      ...{ of: ['accessToken', 'refreshToken'], status: 200 },
      sent: byBody((token, by) => ({ token, ...credentials(by) })),
    },
  ],
  createIngressoSale: order(createIngressoSale),
  getIngressoStatus: [{ of: ['ticketId', 'ticketTicket', 'ticketName'], status: 404 }],
  sendIngressoSecondCopy: [
    { of: ['ticketId'], status: 404, sent: byBody((id) => ({ transaction_id: Number(id) })) },
  ],
  createArtistaSale: order(createArtistaSale, { refused: 400 }),
  getArtistaStatus: [{ of: ['artistTicket', 'artistName'], status: 404 }],
  createCelularSale: order(createCelularSale),
  getCelularStatus: [{ of: ['phoneTicket', 'phoneName'], status: 404 }],
  createSale: order(createSale),
  validateSale: order(createSale),
  importSales: order(importLine, { refused: 200, forbidden: 200 }),
  getSale: [{ of: NAMES, status: 404 }],
  // A sale without a certificate: rendering one takes longer than all other requests.
  getSaleEvidence: [{ of: ['phoneName', 'phoneTicket'], status: 404 }],
  cancelSale: [
    { ...PAID, sent: byBody(() => ({ preview: true })) },
    { of: ['keptTicket'], status: 404, sent: EMPTY },
  ],
  sendSecondCopy: [{ ...PAID, sent: EMPTY }],
  correctSaleEmail: [{ ...PAID, sent: byBody(() => ({ email: 'right@example.com' })) }],
  confirmRefund: [
    {
      ...{ of: ['cancelledName', 'cancelledTicket'], status: 404 },
      sent: byBody(() => ({ amount: 1, on: inDays(0), method: 'pix' })),
    },
  ],
  getProduct: [{ of: ['product'], status: 404 }],
  getImportTemplate: [
    { of: ['product'], status: 404, sent: (product) => ({ query: `?product=${product}` }) },
  ],
  reconcileSales: [
    {
      ...{ of: ['ticketName', 'tripTicket', 'cancelledName'], status: 200 },
      sent: (externalSaleId) => ({
        query: `?from=${inDays(-1)}&to=${inDays(0)}`,
        body: line({ externalSaleId, total: 1 }),
      }),
    },
  ],
  createWebhook: [
    {
      ...{ of: ['webhookUrl'], status: 201 },
      sent: byBody((url) => ({ url, events: ['sale.paid'] })),
    },
  ],
  getWebhook: [WEBHOOK],
  changeWebhook: [{ ...WEBHOOK, sent: byBody(() => ({ description: 'changed' })) }],
  rotateWebhookSecret: [{ ...WEBHOOK, sent: EMPTY }],
  testWebhook: [{ ...WEBHOOK, sent: EMPTY }],
  listWebhookDeliveries: [WEBHOOK],
  retryWebhookDelivery: [
    { ...WEBHOOK, sent: (_, __, owner) => ({ path: { deliveryId: owner.delivery }, body: {} }) },
    {
      ...{ of: ['delivery'], status: 404 },
      sent: (_, caller) => ({ path: { webhookId: caller.webhook }, body: {} }),
    },
  ],
  replayWebhookEvents: [{ ...WEBHOOK, sent: byBody(() => ({ from: `${inDays(-1)}T00:00:00Z` })) }],
  deleteWebhook: [{ of: ['removable'], status: 404 }],
  getRequest: [{ of: ['failedRequest', 'soldRequest'], status: 404 }],
  listSandboxCharges: [
    {
      ...{ of: ['phoneId', 'artistId'], status: 200 },
      sent: (id) => ({ query: `?transaction_id=${id}` }),
    },
  ],
};

/** The order, and the owner's `externalSaleId` and key that others use as well, by operation. */
const NAMESAKES: Readonly<Record<string, readonly [Order, Thing, Thing?]>> = {
  createIngressoSale: [createIngressoSale, 'ticketName', 'ticketKeyedName'],
  createArtistaSale: [createArtistaSale, 'artistName', 'artistKeyedName'],
  createCelularSale: [createCelularSale, 'phoneName', 'phoneKeyedName'],
  createSale: [createSale, 'tripName'],
  validateSale: [createSale, 'keptName'],
  importSales: [importLine, 'importedName'],
};

const MONTH = inDays(0).slice(0, 7);
const SINCE = `?limit=100&updatedSince=${inDays(-1)}T00:00:00Z`;
const EVERY_SALE = [...NAMES, 'ticketKeyedTicket', 'importedName', 'keptTicket'] as const;
const query = (text: string) => (): Sent => ({ query: text });
const cursor = (place: string): string => Buffer.from(place).toString('base64url');

/** What a caller reads of its own channel, by operation. */
const OWN: Readonly<Record<string, readonly Own[]>> = {
  listSales: [
    { sent: query('?limit=100'), holds: EVERY_SALE },
    { sent: query(SINCE), holds: EVERY_SALE },
    { sent: query(`${SINCE}&productCode=CELULAR`), holds: ['phoneName'] },
    { sent: query('?limit=100&status=cancelled'), holds: ['cancelledName'] },
    { sent: (_, { tripId }) => ({ query: `?limit=100&cursor=${cursor(tripId)}` }), holds: [] },
  ],
  listEvents: [
    { sent: query('?limit=200'), holds: [...NAMES, 'event', 'testEvent'] },
    { sent: query('?limit=200&type=sale.cancelled'), holds: ['cancelledName'] },
  ],
  listWebhooks: [{ holds: ['webhook', 'webhookUrl', 'removable'] }],
  listWebhookDeliveries: [
    {
      sent: ({ webhook }) => ({ path: { webhookId: webhook } }),
      holds: ['delivery', 'event', 'testEvent'],
    },
  ],
  getStatement: [
    { sent: query(`?month=${MONTH}`), holds: ['tripName', 'cancelledName', 'importedName'] },
    { sent: query(`?month=${MONTH}&format=csv`), holds: ['tripName', 'cancelledName'] },
  ],
  getReadiness: [{ holds: ['soldRequest', 'testEvent'] }],
  listProducts: [{ holds: ['product'] }],
  createQuote: [
    { sent: ({ product }) => ({ body: { product: { code: product } } }), holds: ['product'] },
  ],
  noteDeclinedOffers: [
    { sent: ({ product }) => ({ body: { product: { code: product } } }), holds: ['product'] },
  ],
  listOwedRefunds: [{ holds: ['cancelledName'] }],
};

/** The operations that no table has, each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  receivePaymentNotice: 'The payment gateway calls it, and signs the notice: no channel does.',
  refreshToken: 'Has a test of its own: a token that another client presents may be stolen.',
  revokeToken: 'Has a test of its own: the refusal tells the holder of a token that it is valid.',
};

/** What each new sale and webhook has of its own: times, tickets, ids, numbers and links. */
const NEW = [
  /\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9A-HJKMNP-TV-Z]{26}\b|\b(whe|whsec|evt)_[\w+/=-]+/g,
  /(?<="(transaction_id|id|quotation_no|proposal_no|policy_no|ms)":)("[^"]*"|\d+)/g,
  /(?<=\/(documents|sandbox\/pay)\/)[\w.-]+/g,
];
const OF_THE_REQUEST = /^(x-request-id|date|content-length|ratelimit-.*)$/;

const headersOf = ({ headers }: Answered): string =>
  [...headers].filter(([name]) => !OF_THE_REQUEST.test(name)).join('\n');

/** The answer to a request for a name, without that name and the values that `NEW` matches. */
const comparable = (answered: Answered, name: string): string => {
  const text = `${answered.status}\n${headersOf(answered)}\n\n${answered.text}`;
  return NEW.reduce((left, each) => left.replaceAll(each, '…'), text.replaceAll(name, 'NAME'));
};

/** A name of the same form that no channel has used. */
const nothingLike = (name: string): string => {
  if (/^\d+$/.test(name)) return '9'.repeat(name.length);
  return `${name.slice(0, -2)}${name.at(-2)?.toLowerCase() === 'x' ? 'y' : 'x'}${name.slice(-1)}`;
};

/** Whether the text holds the thing; a number only as a whole. */
const holds = (text: string, thing: string): boolean =>
  /^\d{1,6}$/.test(thing)
    ? new RegExp(`(?<![\\w.])${thing}(?![\\w.])`).test(text)
    : text.includes(thing);

// Some statements compare channel and number as one row. So one of the other channels sorts before
// the owner's, and one after it.
describe('the isolation of channels, on PostgreSQL', () => {
  let channels: ChannelsOnPostgres;
  let owner: Things;
  let others: readonly Things[];
  before(async () => {
    channels = await ChannelsOnPostgres.open();
    const [first, second, third] = await channels.fill(['a-channel', 'm-channel', 'z-channel']);
    owner = second as Things;
    others = [first, third] as Things[];
  });
  after(() => channels?.close());

  /** Expects nothing that another channel has. `name`: what the caller has sent. */
  const expectNothingOfOthers = (answered: Answered, caller: Things, name?: string): void => {
    const text = `${headersOf(answered)}\n${answered.text}`;
    const shown = name === undefined ? text : text.replaceAll(name, 'NAME');
    const found = [owner, ...others]
      .filter((each) => each !== caller)
      .flatMap((other) => Object.entries(other).filter(([, thing]) => holds(shown, thing)));
    expect(found, shown).to.deep.equal([]);
  };

  /** Expects that the work changes no row of the owner's channel. */
  const expectNoChange = async (work: () => Promise<void>): Promise<void> => {
    const stored = await channels.digestRowsOf(owner);
    await work();
    expect(await channels.digestRowsOf(owner)).to.deep.equal(stored);
  };

  const send = (operation: string, caller: Things, { sent }: Ask, name: string) =>
    channels.request(operation, caller, sent?.(name, caller, owner), name);

  const askByOthers = async (operation: string, ask: Ask): Promise<void> => {
    for (const [thing, other] of ask.of.flatMap((each) =>
      others.map((by) => [each, by] as const),
    )) {
      const [name, nothing] = [owner[thing], nothingLike(owner[thing])];
      const foreign = await send(operation, other, ask, name);
      const absent = await send(operation, other, ask, nothing);
      expect(comparable(foreign, name), thing).to.equal(comparable(absent, nothing));
      expect(foreign.status, `${thing}: ${foreign.text}`).to.equal(ask.status);
      expectNothingOfOthers(foreign, other, name);
    }
  };

  /** Expects another answer to the owner than for a thing that does not exist. */
  const askByOwner = async (operation: string, ask: Ask): Promise<void> => {
    for (const thing of ask.of) {
      const [name, nothing] = [owner[thing], nothingLike(owner[thing])];
      const own = await send(operation, owner, ask, name);
      const absent = await send(operation, owner, ask, nothing);
      expect(comparable(own, name), thing).to.not.equal(comparable(absent, nothing));
    }
  };

  for (const [operation, calls] of Object.entries(OWN))
    it(`${operation} answers only what the caller's channel has`, async () => {
      for (const caller of [owner, ...others])
        for (const { sent, holds: held } of calls) {
          const ask = () => channels.request(operation, caller, sent?.(caller, owner));
          const hasAll = ({ text }: Answered) => held.every((thing) => holds(text, caller[thing]));
          const answered = await within(ask, hasAll);
          expect(hasAll(answered), answered.text).to.equal(true);
          expectNothingOfOthers(answered, caller);
        }
    });

  for (const [operation, asks] of Object.entries(ASKS))
    it(`${operation} answers about another channel's thing as if it did not exist`, async () => {
      await expectNoChange(async () => {
        for (const ask of asks) await askByOthers(operation, ask);
      });
      for (const ask of asks) await askByOwner(operation, ask);
    });

  it("refreshToken refuses another channel's token as an unknown one, and ends its login", async () => {
    for (const other of others) {
      const login = await channels.request('createToken', owner, { body: credentials(owner) });
      const { refresh_token: name } = JSON.parse(login.text);
      const refresh = (refresh_token: string, by: Things) =>
        channels.request('refreshToken', by, { body: { refresh_token, ...credentials(by) } });
      const [foreign, absent] = [
        await refresh(name, other),
        await refresh(nothingLike(name), other),
      ];
      expect(comparable(foreign, name)).to.equal(comparable(absent, nothingLike(name)));
      expectNothingOfOthers(foreign, other, name);
      expect([foreign.status, (await refresh(name, owner)).status]).to.deep.equal([400, 400]);
    }
  });

  it("revokeToken refuses another channel's tokens, which stay valid", () =>
    expectNoChange(async () => {
      for (const other of others)
        for (const token of [owner.accessToken, owner.refreshToken]) {
          const body = { token, ...credentials(other) };
          const refused = await channels.request('revokeToken', other, { body });
          expect(refused.status, refused.text).to.equal(400);
          expectNothingOfOthers(refused, other);
        }
    }));

  /** Sends the order twice, because only the repetition reads the sale that has the name. */
  const sellTwice = async (operation: string, caller: Things, sent: Sent) => [
    await channels.request(operation, caller, sent),
    await channels.request(operation, caller, sent),
  ];

  const useName = async (operation: string, write: Order, thing: Thing, caller: Things) => {
    const [name, fresh] = [owner[thing], nothingLike(owner[thing])];
    const sentAs = (used: string): Sent =>
      thing.endsWith('KeyedName')
        ? { body: write(caller, {}), headers: { 'Idempotency-Key': used } }
        : { body: write(caller, { externalSaleId: used }) };
    const answers = await sellTwice(operation, caller, sentAs(name));
    const expected = await sellTwice(operation, caller, sentAs(fresh));
    for (const [index, answered] of answers.entries()) {
      expect(answered.status, answered.text).to.be.below(300);
      expect(comparable(answered, name)).to.equal(comparable(expected[index] as Answered, fresh));
      expectNothingOfOthers(answered, caller, name);
    }
  };

  for (const [operation, [write, ...things]] of Object.entries(NAMESAKES))
    it(`${operation} lets a channel use a name that another channel has used`, () =>
      expectNoChange(async () => {
        for (const thing of things)
          for (const other of others) await useName(operation, write, thing as Thing, other);
      }));

  it('operations of administrators refuse the token of a channel with 403', () =>
    expectNoChange(async () => {
      const { channelLink, tripId: id, webhook: webhookId, clientId: client_id } = owner;
      const path = { channelLink, id, webhookId, client_id };
      for (const [operation, { method, scope }] of channels.operations)
        for (const caller of scope === 'admin' ? [owner, ...others.slice(1)] : []) {
          const sent = { path, ...(method !== 'get' && { body: {} }) };
          const refused = await channels.request(operation, caller, sent, owner.product);
          expect(refused.status, `${operation}: ${refused.text}`).to.equal(403);
          expect(refused.headers.get('X-Error-Code'), operation).to.equal('insufficient_scope');
          expectNothingOfOthers(refused, caller);
        }
    }));

  it('every operation of the OpenAPI documents is tested here', () => {
    const tables = [ASKS, OWN, NAMESAKES, ELSEWHERE].flatMap((table) => Object.keys(table));
    const described = [...channels.operations].filter(([, { scope }]) => scope !== 'admin');
    expect(new Set(tables)).to.deep.equal(new Set(described.map(([name]) => name)));
    expect(channels.operations.size - described.length).to.be.above(30);
  });
});
