import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import {
  type Api,
  CREATE,
  mainBody,
  quickStartBody,
  STATUS,
  withApi,
} from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/integration.ts';
import { artistOrder, byCard, creditCard, phoneOrder } from '../../../support/orders.ts';
import { within } from '../../../support/stores.ts';

/** `FUZZ=20000`: as many odd requests. */
const REQUESTS = Number(process.env['FUZZ'] ?? 1_500);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Each answer has a link, or tokens, of its own. */
const OWN = /\/documents\/link-\d+|"(access|refresh)_token":"[^"]+"/g;

const CHANGING_HEADERS = ['date', 'ratelimit-remaining', 'ratelimit-reset'];

const agent = new Agent({ keepAlive: true });

const exchange = (baseUrl: string, { method, path, headers, body }: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('latin1');
        const isOwn = body.search(OWN) >= 0 || method === 'HEAD';
        const ignored = [...CHANGING_HEADERS, ...(isOwn ? ['content-length'] : [])];
        const kept = Object.entries(response.headers).filter(([name]) => !ignored.includes(name));
        resolve({
          status: response.statusCode,
          headers: Object.fromEntries(kept),
          body: body.replaceAll(OWN, ''),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** Numbers from 0 to 1, always the same (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const random = randomFrom(20_261_122);
const oneOf = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const ODD_VALUES: readonly unknown[] = [
  ...[
    null,
    '',
    ' ',
    'x',
    'x'.repeat(300),
    '😀'.repeat(50),
    'a\u0000b',
    '\ud800',
    'ção',
    '2026-02-30',
  ],
  ...[0, -1, 1.005, 1e308, 2 ** 53, true, false, [], {}, [[[]]], { id: 1 }, { code: 'x' }, [{}]],
  ...[
    ['x'],
    { __proto__: null, constructor: 1 },
    '52998224725',
    '11222333000181',
    'credito',
    '1',
    7.38,
  ],
];

const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'Content-Type': 'application/json; charset=utf-8' },
  { 'Content-Type': 'application/json;charset=latin1' },
  { 'Content-Type': 'application/problem+json' },
  { 'Content-Type': 'text/plain' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'identity' },
  { 'Transfer-Encoding': 'chunked' },
  { Expect: '100-continue' },
  { Authorization: 'Bearer nonsense' },
  { Authorization: 'bearer' },
  { Authorization: '' },
  { Host: 'elsewhere.example' },
  { Host: 'LOCALHOST:1' },
  { 'X-Forwarded-For': '192.0.2.1' },
  { 'Idempotency-Key': ' ' },
  { 'Idempotency-Key': 'ç' },
  { 'Idempotency-Key': 'k'.repeat(256) },
  { Connection: 'close' },
  { Accept: 'text/html' },
];

const encode = (body: object): Buffer => {
  const bytes = Buffer.from(JSON.stringify(body));
  const chance = random();
  if (chance > 0.12) return bytes;
  if (chance > 0.1) return Buffer.concat([Buffer.from('\ufeff'), bytes]);
  if (chance > 0.08) return bytes.subarray(0, Math.floor(random() * bytes.length));
  if (chance > 0.06)
    return Buffer.concat([bytes, Buffer.from(oneOf([' ', '\n', 'x', ',', '{}', '\0']))]);
  if (chance > 0.04)
    return Buffer.from(oneOf(['[]', 'null', '1', '"x"', '', ' ', '{', '{}', '{"a":1,"a":2}']));
  const broken = Buffer.from(bytes);
  broken[Math.floor(random() * bytes.length)] = oneOf([0xff, 0xc0, 0x80, 0x00, 0x22]);
  return broken;
};

/** The body with some fields missing, odd or new; now and then inside a nested object. */
const distort = (body: Record<string, unknown>): Record<string, unknown> => {
  const changed = { ...body };
  for (let times = Math.floor(random() * 3); times > 0; times -= 1) {
    const name = oneOf([
      ...Object.keys(body),
      'unknown',
      '__proto__',
      'client_id',
      'client_secret',
    ]);
    const value = changed[name];
    if (random() < 0.3) delete changed[name];
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && random() < 0.7)
      changed[name] = distort(value as Record<string, unknown>);
    else
      Object.defineProperty(changed, name, {
        value: oneOf(ODD_VALUES),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return changed;
};

const BODIES: readonly (readonly [string, () => Record<string, unknown>])[] = [
  [CREATE, mainBody],
  [CREATE, quickStartBody],
  ['/seguros/seguro-celular/create', phoneOrder],
  ['/seguros/seguro-celular/create', () => phoneOrder({ creditCard: creditCard() })],
  ['/seguros/artista-protegido/create', artistOrder],
  ['/seguros/artista-protegido/create', () => artistOrder({ payment: byCard() })],
  [SALE, () => saleOrder({ externalSaleId: `pedido-${Math.floor(random() * 40)}` })],
  [`${SALE}/validate`, () => saleOrder({ externalSaleId: `pedido-${Math.floor(random() * 80)}` })],
];

const ODD_PATHS: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}?x=1`,
  (path) => `${path}#x`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/api', ''),
  (path) => `${path}%20`,
  (path) => path.replace(/.$/, '%31'),
  (path) => `/${path}`,
];

describe('the compiled execution of the routes that sell', function () {
  this.timeout(600_000);

  withApi(
    (api: () => Api) => {
      let authorization: string;
      before(async () => {
        await api().serveGeneral();
        ({ Authorization: authorization } = await api().bearer());
      });

      const oddRequest = (index: number): Sent => {
        const headers = {
          Authorization: authorization,
          'X-Request-Id': `request-${index}`,
          ...(random() < 0.15 && oneOf(ODD_HEADERS)),
        };
        const bend = random() < 0.08 ? oneOf(ODD_PATHS) : (path: string) => path;
        if (random() < 0.25) {
          const id = oneOf([
            '1',
            '2',
            '3',
            '999999',
            '0',
            '01',
            'x',
            '-1',
            '1.0',
            '%2e',
            'id-1',
            'pedido-1',
            '9'.repeat(30),
          ]);
          const path = oneOf([
            STATUS,
            '/seguros/seguro-celular/status',
            '/seguros/artista-protegido/status',
            SALE,
          ]);
          return {
            method: oneOf(['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE']),
            path: bend(`/api${path}/${id}`),
            headers,
            body: undefined,
          };
        }
        const [path, make] = oneOf(BODIES);
        const bytes = encode(random() < 0.4 ? make() : distort(make()));
        return {
          method: random() < 0.97 ? 'POST' : oneOf(['GET', 'PUT', 'OPTIONS', 'PATCH']),
          path: bend(`/api${path}`),
          headers: {
            'Content-Type': 'application/json',
            'Idempotency-Key': `key-${index % 97}-${bytes.length}`,
            ...('Transfer-Encoding' in headers ? {} : { 'Content-Length': String(bytes.length) }),
            ...headers,
          },
          body: bytes,
        };
      };

      it(`answers ${REQUESTS} odd requests with the status, headers and bytes that Koa answers`, async () => {
        const statuses = new Map<number | undefined, number>();
        for (let index = 0; index < REQUESTS; index += 1) {
          const sent = oddRequest(index);
          // A new sale answers otherwise than its repetition: both are asked to repeat it.
          if (sent.method === 'POST') await exchange(api().generalUrl, sent);
          const general = await exchange(api().generalUrl, sent);
          const either = await exchange(api().url, sent);
          const shown = `${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${sent.body?.toString()}`;
          expect(either, shown).to.deep.equal(general);
          statuses.set(general.status, (statuses.get(general.status) ?? 0) + 1);
        }
        expect([...statuses.keys()]).to.include.members([
          200, 400, 401, 404, 405, 409, 415, 421, 422,
        ]);
        expect([...statuses.keys()].every((status) => (status ?? 500) < 500)).to.equal(true);
        expect(api().plainAnswers).to.be.above(REQUESTS / 3);
      });

      it('takes a body that is cut off for a bad request, not for a fault of the service', async () => {
        const { hostname, port } = new URL(api().url);
        const head = [
          `POST /api${CREATE} HTTP/1.1`,
          `Host: ${hostname}`,
          `Authorization: ${authorization}`,
          'Content-Type: application/json',
          'Content-Length: 1000',
          'X-Request-Id: cut-off',
        ].join('\r\n');
        const plainBefore = api().plainAnswers;
        const socket = connect(Number(port), hostname, () => {
          socket.write(`${head}\r\n\r\n{"productId":1`, () =>
            setTimeout(() => socket.destroy(), 50),
          );
        });
        const lines = () => api().lines.filter((line) => line.includes('"cut-off"'));
        const [line = '', ...others] = await within(
          async () => lines(),
          ({ length }) => length > 0,
        );
        expect(JSON.parse(line)).to.deep.include({ msg: 'request', status: 400 });
        expect(others).to.deep.equal([]);
        expect(api().plainAnswers).to.equal(plainBefore + 1);
      });

      it('answers requests for tokens as Koa does, but for the tokens', async () => {
        const { client_id, client_secret } = await api().client('canal-demo');
        const credentials = { client_id, client_secret };
        const { body: granted } = await api().post('/seguros/auth/token', credentials);
        const form = (fields: Record<string, string>) => String(new URLSearchParams(fields));
        const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
        const token = granted.access_token as string;
        const bodies: readonly (readonly [string, string, Record<string, string>?])[] = [
          ['token', JSON.stringify(credentials)],
          ['token', form(credentials)],
          [
            'token',
            form({ grant_type: 'client_credentials' }),
            { Authorization: `Basic ${basic}` },
          ],
          ['token', form(credentials), { Authorization: `Basic ${basic}` }],
          ['token', form({ ...credentials, scope: 'admin' })],
          ['token', form({ ...credentials, grant_type: 'password' })],
          ['token', `${form(credentials)}&client_id=x`],
          ['token', `${form(credentials)}&x=%ff`],
          ['token', form({ ...credentials, filler: 'x'.repeat(17_000) })],
          ['token', JSON.stringify({ ...credentials, filler: 'x'.repeat(140_000) })],
          [
            'token',
            JSON.stringify(credentials),
            { 'Content-Type': 'application/x-www-form-urlencoded' },
          ],
          ['token', '{'],
          ['token', ''],
          ['token', JSON.stringify({ grant_type: 'refresh_token' })],
          ['token', JSON.stringify({ refresh_token: 'x' })],
          ['refresh', JSON.stringify({})],
          ['refresh', form(credentials)],
          ['introspect', form({ ...credentials, token })],
          ['introspect', JSON.stringify({ ...credentials, token: 'x' })],
          ['introspect', form({ token })],
          ['revoke', form({ ...credentials, token: 'x' })],
        ];
        const before = api().plainAnswers;
        for (const [endpoint, text, more] of bodies) {
          const type = text.startsWith('{')
            ? 'application/json'
            : 'application/x-www-form-urlencoded';
          const body = Buffer.from(text);
          const sent: Sent = {
            method: 'POST',
            path: `/api/seguros/auth/${endpoint}`,
            headers: {
              'Content-Type': type,
              'Content-Length': String(body.length),
              'X-Request-Id': 'the-same',
              ...more,
            },
            body,
          };
          const general = await exchange(api().generalUrl, sent);
          expect(
            await exchange(api().url, sent),
            `${endpoint} ${text.slice(0, 200)}`,
          ).to.deep.equal(general);
        }
        // Koa answers an empty body, two that are too large, and a form where JSON is expected.
        expect(api().plainAnswers - before).to.equal(bodies.length - 4);
      });
    },
    { rateLimit: 1_000_000 },
  );
});
