import { connect } from 'node:net';
import { expect } from 'chai';
import type { HeldQuotes, Instant } from '#domain';
import { refuse } from '#domain';
import { ERROR_CODES } from '../../../../../adapters/kit/contract/error-codes.ts';
import { Unavailable } from '../../../../../application/unavailable.ts';
import { Api, CREATE, mainBody, STATUS } from '../../../../support/api.ts';
import { findCodeFaults, readHead } from '../../../../support/error-answers.ts';
import { SALE, saleOrder } from '../../../../support/generic-sales.ts';
import { IMPORT } from '../../../../support/imports.ts';
import { artistOrder, creditCard, phoneOrder } from '../../../../support/orders.ts';

const CELULAR = '/seguros/seguro-celular/create';
const ARTISTA = '/seguros/artista-protegido/create';
const TOKEN = '/seguros/auth/token';
const WEBHOOKS = '/private/integration/webhooks';

/** The head and body of an answer, whichever way it was asked for. */
interface Seen {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

type Authorization = { readonly Authorization: string };

describe('every error code', () => {
  const codes = Object.keys(ERROR_CODES);
  const seen = new Set<string>();
  const apis: Api[] = [];
  let api: Api;
  let partner: Authorization;
  let admin: Authorization;

  const start = async (options = {}): Promise<Api> => {
    const started = await new Api(options).start();
    apis.push(started);
    return started;
  };
  before(async () => {
    api = await start();
    partner = await api.bearer();
    admin = await api.bearer(null);
  });
  after(() => Promise.all(apis.map((each) => each.stop())));

  const call = async (path: string, init: RequestInit = {}, of = api): Promise<Seen> => {
    const response = await fetch(path.startsWith('http') ? path : `${of.url}/api${path}`, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: new Map(response.headers),
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    };
  };
  const post = (path: string, body: unknown, headers: object = partner): Promise<Seen> =>
    call(path, {
      method: 'POST',
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  const put = (path: string, body: unknown): Promise<Seen> =>
    call(path, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...admin },
    });

  /** Sends bytes as they are. */
  const send = async (bytes: string, to = api): Promise<Seen> => {
    const { hostname, port } = new URL(to.url);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    const answer = (await socket.setEncoding('utf8').toArray()).join('');
    const [head = '', ...rest] = answer.split('\r\n\r\n');
    const headers = readHead(head);
    const length = Number(headers.get('content-length'));
    const body = Buffer.from(rest.join('')).subarray(0, length).toString();
    return { status: Number(head.slice(9, 12)), headers, body: JSON.parse(body) };
  };
  const head = (...headers: string[]): string =>
    ['GET /health/live HTTP/1.1', 'Connection: close', ...headers, '', ''].join('\r\n');

  const payByCard = (number: string): Promise<Seen> =>
    post(CELULAR, phoneOrder({ creditCard: creditCard({ number }) }));
  const sellPhone = async (): Promise<{ ticket: string; transaction_id: number; link: string }> => {
    const { body } = await api.post(CELULAR, phoneOrder(), { ...partner });
    return { ...body.data, link: body.link };
  };
  const sellTicket = async (): Promise<{ ticket: string; transaction_id: number }> =>
    (await api.post(CREATE, mainBody(), { ...partner })).body.data;
  const quoteTrip = async (): Promise<string> => {
    const product = { product: { code: 'LUA_DE_MEL' }, plan: { code: 'NACIONAL' } };
    return (await api.post('/private/integration/quotes', product, { ...partner })).body.data
      .quote_id;
  };
  const documentOf = async (ticket: string): Promise<string> =>
    (await api.get(`${SALE}/${ticket}`, { ...partner })).body.document_url;

  /** Replaces a function of an object for one request. */
  const instead = async <Owner extends object, Name extends keyof Owner>(
    owner: Owner,
    name: Name,
    stand: unknown,
    ask: () => Promise<Seen>,
  ): Promise<Seen> => {
    const usual = owner[name];
    owner[name] = stand as Owner[Name];
    try {
      return await ask();
    } finally {
      owner[name] = usual;
    }
  };

  const REQUESTS: Readonly<Record<string, () => Promise<Seen>>> = {
    invalid_json: () => post(CREATE, '{"a":'),
    invalid_csv: () => post(IMPORT, 'a,a\n', { ...partner, 'Content-Type': 'text/csv' }),
    invalid_encoding: () => post(CREATE, Buffer.from('{"a":"ação"}', 'latin1')),
    invalid_request: () => send(head()),
    invalid_idempotency_key: () =>
      post(CREATE, mainBody(), { ...partner, 'Idempotency-Key': 'with space' }),
    validation_failed: () => post(CREATE, {}),
    unsupported_grant_type: () => post(TOKEN, { grant_type: 'password' }),
    invalid_grant: () => post(TOKEN, { grant_type: 'refresh_token', refresh_token: 'x' }),
    invalid_scope: async () => post(TOKEN, { ...(await api.client('canal-demo')), scope: 'admin' }),
    unauthenticated: () => call(`${api.url}/sandbox/charges`),
    invalid_client: () => post(TOKEN, { client_id: 'x', client_secret: 'x' }),
    invalid_signature: () => post('/webhooks/payments/sandbox', {}, {}),
    insufficient_scope: () => call('/admin/audit', { headers: { ...partner } }),
    channel_mismatch: () => post(CREATE, mainBody({ channelLink: 'outro' })),
    channel_inactive: async () => {
      const channel = await api.channel('canal-inativo');
      const headers = await api.bearer('canal-inativo');
      await put('/admin/channels/canal-inativo', {
        ...{ name: channel.name, active: false },
        products: [{ code: 'INGRESSO', commissionRate: 1 }],
      });
      return post(CREATE, mainBody({ channelLink: 'canal-inativo' }), headers);
    },
    product_not_granted: async () => {
      await put('/admin/channels/canal-vazio', { name: 'Vazio', products: [] });
      const headers = await api.bearer('canal-vazio');
      return post(CREATE, mainBody({ channelLink: 'canal-vazio' }), headers);
    },
    foreign_origin: async () => {
      const { link } = await sellPhone();
      const address = `${api.url}${new URL(link).pathname}`;
      return call(address, { method: 'POST', headers: { Origin: 'https://evil.example' } });
    },
    not_found: () => call('/nada'),
    method_not_allowed: () => call(CREATE),
    request_timeout: async () => {
      const slow = await start({ requestTimeout: 200 });
      const headers = ['Host: localhost', 'Content-Type: application/json', 'Content-Length: 9'];
      const lines = [`POST /api${TOKEN} HTTP/1.1`, ...headers, '', '{'];
      return send(lines.join('\r\n'), slow);
    },
    content_conflict: async () => {
      await post(SALE, saleOrder({ externalSaleId: 'one' }));
      return post(SALE, saleOrder({ externalSaleId: 'one', attributes: { destination: 'Roma' } }));
    },
    still_running: async () => {
      const { ticket, transaction_id } = await sellPhone();
      const { clock, sales } = api.memory;
      const until = new Date(Date.parse(clock.now()) + 60_000).toISOString() as never;
      await sales.claim(transaction_id, { holder: 'a worker', until }, clock.now());
      return post(`${SALE}/${ticket}/cancel`, {});
    },
    not_cancellable: async () => {
      const refused = await payByCard('4000000000000002');
      return post(`${SALE}/${refused.body?.['ticket']}/cancel`, {});
    },
    nothing_to_give_up: async () => {
      const { transaction_id } = await sellTicket();
      const path = `/admin/transactions/${transaction_id}/give-up`;
      return post(path, { reason: 'stuck' }, { ...admin });
    },
    nothing_to_decide: async () => {
      const { transaction_id } = await sellTicket();
      const path = `/admin/transactions/${transaction_id}/payment-decision`;
      return post(path, { decision: 'accept', note: 'as promised' }, { ...admin });
    },
    nothing_to_refund: async () => {
      const refund = { amount: 1, on: api.memory.clock.today(), method: 'pix' };
      return post(`${SALE}/${(await sellTicket()).ticket}/refund-confirmed`, refund);
    },
    refund_changed: async () =>
      post(`${SALE}/${(await sellTicket()).ticket}/cancel`, { refundTotal: 1 }),
    second_copy_unavailable: async () =>
      post(`${SALE}/${(await sellPhone()).ticket}/second-copy`, {}),
    quote_expired: async () => {
      const { quoteSeal } = api.memory;
      const held = (await quoteSeal.open(await quoteTrip())) as HeldQuotes;
      const quoteId = await quoteSeal.seal({
        ...held,
        until: '2026-11-19T00:00:00.000Z' as Instant,
      });
      return post(SALE, saleOrder({ externalSaleId: 'late', quoteId }));
    },
    quote_mismatch: async () => {
      const quoteId = await quoteTrip();
      return post(SALE, saleOrder({ externalSaleId: 'phone', quoteId, product: { id: 3 } }));
    },
    version_conflict: async () => {
      const { body } = await api.get('/admin/products/CELULAR', { ...admin });
      return put('/admin/products/CELULAR', { ...body.response.data, version: 99 });
    },
    catalogue_conflict: async () => {
      const { body } = await api.get('/admin/products/CELULAR', { ...admin });
      return put('/admin/products/CELULAR', { ...body.response.data, commissionCap: 1 });
    },
    client_revoked: async () => {
      const { client_id } = await api.client('canal-demo');
      await post(`/admin/api-clients/${client_id}/revoke`, {}, admin);
      return post(`/admin/api-clients/${client_id}/activate`, {}, admin);
    },
    client_id_taken: () =>
      instead(
        api.memory.useCases.manageClients,
        'create',
        async () => refuse('client_id_taken'),
        () => post('/admin/api-clients', { name: 'X', channelLink: 'canal-demo' }, admin),
      ),
    own_client: async () => {
      const { body } = await api.get('/admin/api-clients?limit=200', { ...admin });
      const [own] = body.response.data.filter((each: { scopes: string[] }) =>
        each.scopes.includes('admin'),
      );
      return post(`/admin/api-clients/${own.client_id}/revoke`, {}, admin);
    },
    sale_takes_no_mail: async () => {
      const order = phoneOrder({ creditCard: creditCard({ number: '4000000000000002' }) });
      const refused = await api.post('/seguros/seguro-celular/create', order, { ...partner });
      const id = refused.body.transaction_id;
      return post(`/admin/transactions/${id}/correct-email`, { email: 'a@b.com' }, admin);
    },
    mailing_not_undelivered: async () => {
      const { transaction_id } = await sellTicket();
      return post(`/admin/mailings/${transaction_id}-0/retry`, {}, admin);
    },
    webhook_limit_reached: async () => {
      const webhook = (count: number) => ({
        url: `https://partner.example/${count}`,
        events: ['sale.paid'],
      });
      for (let count = 0; count < 20; count += 1) await post(WEBHOOKS, webhook(count));
      return post(WEBHOOKS, webhook(20));
    },
    webhook_disabled: async () => {
      const { body } = await api.get(WEBHOOKS, { ...partner });
      const path = `${WEBHOOKS}/${body.data[0].id}`;
      const headers = { 'Content-Type': 'application/json', ...partner };
      await call(path, { method: 'PATCH', headers, body: '{"status":"paused"}' });
      return post(`${path}/test`, {});
    },
    link_expired: async () => {
      const url = await documentOf((await sellTicket()).ticket);
      api.memory.clock.advance(8 * 86_400);
      partner = await api.bearer();
      admin = await api.bearer(null);
      return call(url);
    },
    cursor_expired: async () => {
      const { partnerEvents } = api.memory;
      await sellTicket();
      await partnerEvents.deleteBefore('2100-01-01T00:00:00.000Z' as Instant, 1);
      await sellTicket();
      await partnerEvents.deleteBefore('2100-01-01T00:00:00.000Z' as Instant, 9_999);
      return call('/private/integration/events?after=MQ', { headers: partner });
    },
    contract_ended: async () => {
      const { ticket } = await sellTicket();
      const url = await documentOf(ticket);
      await post(`${SALE}/${ticket}/cancel`, {});
      return call(url);
    },
    body_too_large: () => post(CREATE, { filler: 'x'.repeat(300 * 1024) }),
    unsupported_media_type: () => post(CREATE, 'x', { ...partner, 'Content-Type': 'text/plain' }),
    expectation_failed: () => send(head('Host: localhost', 'Expect: banana')),
    wrong_host: () => send(head('Host: elsewhere.example')),
    card_declined: () => payByCard('4000000000000002'),
    insufficient_funds: () => payByCard('4000000000009995'),
    expired_card: () => payByCard('4000000000000069'),
    gateway_unavailable: () => payByCard('4000000000000119'),
    payment_refused: () =>
      instead(
        api.memory.payments,
        'charge',
        async ({ amount }: { amount: number }) => [
          { status: 'declined', amount, reason: 'gateway_refused' },
        ],
        () => payByCard('4111111111111111'),
      ),
    proposal_refused: () =>
      instead(
        api.memory.issuer,
        'perform',
        async () => ({ quotation: { status: 'rejected', reason: 'risk' } }),
        () => post(ARTISTA, artistOrder()),
      ),
    rate_limited: async () => {
      const limited = await start({ rateLimit: 1 });
      await call('/nada', {}, limited);
      return call('/nada', {}, limited);
    },
    headers_too_large: () => send(head('Host: localhost', `X: ${'x'.repeat(40_000)}`)),
    internal: () =>
      instead(
        api.memory.sales,
        'findStatus',
        async () => {
          throw new Error('unexpected');
        },
        () => call(`${STATUS}/1`, { headers: { ...partner } }),
      ),
    unsupported_transfer_encoding: () => send(head('Host: localhost', 'Transfer-Encoding: gzip')),
    unavailable: () =>
      instead(
        api.memory.sales,
        'findStatus',
        async () => {
          throw new Unavailable('database out of reach');
        },
        () => call(`${STATUS}/1`, { headers: { ...partner } }),
      ),
  };

  for (const [code, ask] of Object.entries(REQUESTS)) {
    it(`${code} is in the header of its answer, and in a body in house style`, async () => {
      const answer = await ask();
      expect(answer.headers.get('x-error-code'), JSON.stringify(answer.body)).to.equal(code);
      expect(findCodeFaults(answer)).to.deep.equal([]);
      seen.add(code);
    });
  }

  it('has a request here that it answers', () => {
    expect([...seen].sort()).to.deep.equal([...codes].sort());
  });
});
