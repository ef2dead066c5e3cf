import { CREATE, mainBody, quickStartBody, STATUS } from './api.ts';
import { SALE, saleOrder } from './generic-sales.ts';
import { artistOrder, byCard, creditCard, phoneOrder } from './orders.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

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

const SEED = 20_261_122;
let random = randomFrom(SEED);

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

/** Days after the fixed date of the service, so that the answers are the same on every day. */
const festival = (over: Record<string, unknown> = {}) =>
  artistOrder({
    ...{ assemblyStartDate: '2026-12-05', eventStartDate: '2026-12-06' },
    ...{ eventEndDate: '2026-12-07', disassemblyEndDate: '2026-12-08' },
    ...over,
  });

const BODIES: readonly (readonly [string, () => Record<string, unknown>])[] = [
  [CREATE, mainBody],
  [CREATE, quickStartBody],
  ['/seguros/seguro-celular/create', phoneOrder],
  ['/seguros/seguro-celular/create', () => phoneOrder({ creditCard: creditCard() })],
  ['/seguros/artista-protegido/create', festival],
  ['/seguros/artista-protegido/create', () => festival({ payment: byCard() })],
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

/** The odd request with this number. Ask for them in order, from 0: each depends on those before it. */
export const oddRequest = (index: number, authorization: string): Sent => {
  if (index === 0) random = randomFrom(SEED);
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
