import type { KeyObject } from 'node:crypto';
import { makeValidator, str } from 'envalid';
import addressparser from 'nodemailer/lib/addressparser';
import { type Cents, cents, centsFromText, parseEmail } from '#domain';
import { NO_PROXY, readTrustedProxies } from '../../adapters/kit/web/pipeline/request-origin.ts';
import {
  readPublicKeys,
  readSecretsKey,
  readSecretsKeys,
  readSigningKey,
} from '../../adapters/security/service-keys.ts';

const integer = (least: number, most: number) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return value;
  });

/** The fault never contains the value, which may hold a password. */
const readUrl =
  (protocols: readonly string[]) =>
  (text: string): string => {
    const known = URL.canParse(text) && protocols.includes(new URL(text).protocol);
    if (!known)
      throw new Error(
        `must be a URL that begins with ${protocols.map((each) => (each === 'mailto:' ? each : `${each}//`)).join(' or ')}`,
      );
    return text;
  };
const url = (protocols: readonly string[]) => makeValidator<string>(readUrl(protocols));
const postgresUrl = readUrl(['postgres:', 'postgresql:']);
const webUrl = url(['http:', 'https:']);

/** A URL of PostgreSQL. */
const databaseUrl = makeValidator<string>((text) => {
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(text) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const [, named = ''] = /[?&]host=([^&]*)/.exec(text) ?? [];
  if (/,|%2c/i.test(host + named))
    throw new Error('must name one host: put a balancer such as HAProxy before several');
  // A user without a host, as for a socket in `host=`, is no URL for a browser.
  postgresUrl(text.replace('@/', '@localhost/'));
  return text;
});

/** What a shell could read as more than a part of an address: guides show it in lines to paste. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
const UNSAFE_IN_ADDRESS = /[\s\u0000-\u001f\u007f$'"\\`();&|<>]/;

/** The address as URLs are written: host in lower case, special characters encoded. */
const publicUrl = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !/[?#]/.test(text);
  if (!isPlain || /\/api\/*$/.test(url.pathname))
    throw new Error(
      'must be a URL that begins with http:// or https://, has no query, and ends before the /api that is added to it',
    );
  if (url.username !== '' || url.password !== '')
    throw new Error('must not hold a user or a password');
  // The host of a URL is decoded: `%24` in it becomes `$`.
  if (UNSAFE_IN_ADDRESS.test(text) || UNSAFE_IN_ADDRESS.test(url.href))
    throw new Error(
      'must not hold spaces, control characters, quotes or any of $ \\ ` ( ) ; & | < >',
    );
  return url.href;
});

const oneOf = <const Choice extends string>(...choices: readonly Choice[]) =>
  makeValidator<Choice>((text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return chosen;
  });

const rateLimit = makeValidator<number | 'off'>((text) => {
  if (text === 'off') return 'off';
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error('must be "off" or the requests per minute and client');
  return Number(text);
});

const trustedProxies = makeValidator((text) => {
  try {
    return readTrustedProxies(text);
  } catch {
    throw new Error(
      'must be addresses, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal, separated by commas',
    );
  }
});

const reais = makeValidator<Cents>((text) => {
  const amount = centsFromText(text);
  if (amount === undefined || amount < 0)
    throw new Error('must be an amount in reais such as 1000.00');
  return amount;
});

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

const duration = makeValidator<number>((text) => {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit ?? ''] ?? 0);
  if (!(seconds > 0)) throw new Error('must be a duration such as 12h or 7d');
  return seconds;
});

const key = <Key>(read: (textOrPath: string) => Key, form: string) =>
  makeValidator<Key>((text) => {
    try {
      return read(text);
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      // What is no path of a file at all is a key in another form.
      if (syscall !== undefined && code !== 'ENOENT' && code !== 'ENAMETOOLONG')
        throw new Error(`names a file that this user cannot read (${code})`);
      throw new Error(`must be ${form}, or the path of a file that holds one`);
    }
  });
const PEM = 'the PEM of an ES256 (P-256) key';
const privateKey = key<KeyObject>(readSigningKey, PEM);
const publicKeys = key<readonly KeyObject[]>(readPublicKeys, PEM);
const RANDOM_BYTES = '32 random bytes in base64 (openssl rand -base64 32)';
const secretsKey = key<KeyObject>(readSecretsKey, RANDOM_BYTES);
const secretsKeys = key<readonly KeyObject[]>(
  readSecretsKeys,
  `${RANDOM_BYTES}, several with commas between them`,
);

/** An address, or a name and an address, for the mails' headers. */
const sender = makeValidator<{ readonly name: string; readonly address: string }>((text) => {
  const [parsed, ...others] = addressparser(text);
  const { name = '', address = '' } = parsed ?? {};
  if (others.length > 0 || parseEmail(address) === undefined || /\p{Cc}/u.test(text))
    throw new Error('must be an e-mail address such as "Seguros <seguros@example.com>"');
  return { name, address };
});

/** Addresses of operators, separated by commas. */
const addresses = makeValidator<readonly string[]>((text) => {
  const parsed = text.split(',').map((each) => parseEmail(each.trim()));
  if (parsed.some((each) => each === undefined))
    throw new Error('must be an e-mail address, or several separated by commas');
  return parsed as readonly string[];
});

/** An address to which the service posts. The fault never contains it: it is a secret. */
const postUrl = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error(
      'must be a URL that begins with http:// or https://, without a user and a password',
    );
  return text;
});

const contactUrl = url(['mailto:', 'https:']);

/** The environment variables: allowed values, defaults, and meanings for the operator's guide. */
export const VARIABLES = {
  PORT: integer(
    0,
    65_535,
  )({
    default: 3_000,
    desc: 'the port on which the process listens; 0 picks a free one and prints it',
  }),
  HOST: str({ default: '127.0.0.1', desc: 'the address on which the process listens' }),
  PUBLIC_URL: publicUrl({
    default: undefined,
    desc: 'the address that partners use, without the `/api` that is added to it: issuer of tokens, links in mails. It has no user, password, query, blank or quote. A request to another host name is answered 421',
  }),
  MAX_CONNECTIONS: integer(
    10,
    100_000,
  )({
    default: 4_000,
    desc: 'connections of clients to one process, 10 to 100,000; more are closed at once',
  }),
  DRAIN_SECONDS: integer(
    0,
    300,
  )({
    default: undefined,
    desc: 'seconds in which requests are still served after SIGTERM, 0 to 300. Default: 2 in production, 0 in test',
  }),
  SECURITY_CONTACT: contactUrl({
    default: undefined,
    desc: 'where to report a weakness, for `/.well-known/security.txt` (RFC 9116): `mailto:security@example.com` or `https://…`. Default: no such file',
  }),
  TRUST_PROXY: trustedProxies({
    default: NO_PROXY,
    desc: 'proxies whose `X-Forwarded-For` is believed: addresses, networks (`10.0.0.0/8`), `loopback`, `linklocal`, `uniquelocal`, with commas between them',
  }),
  APP_ENV: oneOf(
    'test',
    'production',
  )({
    default: 'test',
    desc: '`test` or `production`. Production needs `DATABASE_URL`, `PUBLIC_URL`, `SIGNING_KEY`, `SECRETS_KEY`, `PAYMENT_GATEWAY` with its variables, `SMTP_URL` and `MAIL_FROM`',
  }),
  DATABASE_URL: databaseUrl({
    default: undefined,
    desc: '`postgres://…` with one host, or `?host=/var/run/postgresql` for a socket. Default: an embedded database in `DATA_DIR`',
  }),
  DATABASE_DIRECT_URL: databaseUrl({
    default: undefined,
    desc: 'the server itself, if `DATABASE_URL` is a pooler in transaction mode',
  }),
  DATABASE_READ_URL: databaseUrl({
    default: undefined,
    desc: 'a standby that answers statements and lists. Default: the primary',
  }),
  DATA_DIR: str({
    default: '.data',
    desc: 'embedded database, mail files and generated keys, readable by their owner only. `memory:` keeps nothing',
  }),
  DATABASE_POOL: integer(
    2,
    500,
  )({
    default: 10,
    desc: 'connections of one process to PostgreSQL, 2 to 500, and one more on which it listens. The processes of `WEB_CONCURRENCY` together take no more than `max_connections` leaves room for',
  }),
  BOOTSTRAP_ADMIN_CLIENT_ID: str({
    default: undefined,
    desc: 'an administrator that is created at start if it is missing',
  }),
  BOOTSTRAP_ADMIN_CLIENT_SECRET: str({
    default: undefined,
    desc: 'the secret of that administrator, in production of 32 characters or more. An existing one keeps its secret',
  }),
  SIGNING_KEY: privateKey({
    default: undefined,
    desc: 'ES256 (P-256) private key that signs tokens: a PEM or the path of one. All processes need the same. Default in test: generated, and kept in `DATA_DIR`',
  }),
  SIGNING_KEY_PREVIOUS: publicKeys({
    default: [] as readonly KeyObject[],
    desc: 'public keys that are accepted as well: PEMs or a path',
  }),
  SECRETS_KEY: secretsKey({
    default: undefined,
    desc: 'seals the secrets of webhooks and of one-time codes in the database: 32 random bytes in base64 (`openssl rand -base64 32`), or the path of a file that holds them. All processes need the same. Default in test: generated, and kept in `DATA_DIR`',
  }),
  SECRETS_KEY_PREVIOUS: secretsKeys({
    default: undefined,
    desc: 'keys with which sealed secrets are still opened, in the same form, with commas between them',
  }),
  SMTP_URL: url(['smtp:', 'smtps:'])({
    default: undefined,
    desc: '`smtps://user:password@host:465`, or `smtp://…` with STARTTLS. Options of nodemailer may follow as a query (`?name=relay.example`). Default: mails are files in `DATA_DIR/mail`',
  }),
  MAIL_FROM: sender({
    default: undefined,
    desc: 'the sender: `Seguros <seguros@example.com>`. Required with `SMTP_URL`',
  }),
  MAIL_PER_MINUTE: integer(
    1,
    1_000_000,
  )({
    default: undefined,
    desc: 'mails to insured in a minute, of all processes together. Default: no limit',
  }),
  ALERT_MAIL: addresses({
    default: [] as readonly string[],
    desc: 'operators who get alerts by mail: an address, or several with commas between them',
  }),
  ALERT_WEBHOOK: postUrl({
    default: undefined,
    desc: 'URL to which alerts are posted as JSON. It is a secret: no log line holds it',
  }),
  CONSOLE_OIDC_ISSUER: webUrl({
    default: undefined,
    desc: 'the provider of OpenID Connect at which people sign in to the console; it says `email` and `email_verified`. Default: with passphrase and code',
  }),
  CONSOLE_OIDC_CLIENT_ID: str({
    default: undefined,
    desc: 'the id of the console there; it comes back to `PUBLIC_URL/console/openid-answer`',
  }),
  CONSOLE_OIDC_CLIENT_SECRET: str({ default: undefined, desc: 'the secret of the console there' }),
  CONSOLE_FOUR_EYES_ABOVE: reais({
    default: cents(100_000),
    desc: 'an act of the console that pays back more reais than this waits for a second person: `1000.00`. Default: `1000.00`',
  }),
  PAYMENT_GATEWAY: oneOf(
    'sandbox',
    'asaas',
    'mercadopago',
  )({
    default: 'sandbox',
    desc: 'the gateway of new charges: `sandbox`, which moves no money, `asaas` or `mercadopago`. Others are used while their variables are set',
  }),
  ASAAS_API_URL: webUrl({ default: undefined, desc: '`https://api.asaas.com`, without `/v3`' }),
  ASAAS_API_KEY: str({ default: undefined, desc: 'the key for requests to Asaas' }),
  ASAAS_WEBHOOK_TOKEN: str({
    default: undefined,
    desc: 'the token that the notices of Asaas carry',
  }),
  MERCADO_PAGO_API_URL: webUrl({
    default: 'https://api.mercadopago.com',
    desc: 'the address of Mercado Pago. Default: `https://api.mercadopago.com`',
  }),
  MERCADO_PAGO_ACCESS_TOKEN: str({
    default: undefined,
    desc: 'the access token of the Mercado Pago account: `APP_USR-…`',
  }),
  MERCADO_PAGO_WEBHOOK_SECRET: str({
    default: undefined,
    desc: 'the secret with which Mercado Pago signs its notices, from its panel',
  }),
  POLICY_ISSUER: oneOf(
    'local',
    'http',
  )({ default: 'local', desc: '`local` numbers policies itself; `http` asks the insurer' }),
  ISSUER_URL: webUrl({ default: undefined, desc: "the address of the insurer's API" }),
  ISSUER_TOKEN: str({ default: undefined, desc: "the bearer token of the insurer's API" }),
  DOCUMENT_LINK_TTL: duration({
    default: 7 * 86_400,
    desc: 'how long the address of a document works: `90m`, `12h`, `7d`',
  }),
  RATE_LIMIT: rateLimit({
    default: 600,
    desc: 'requests per minute of one client, in all processes together, logins included. Requests without a client are counted by network. `off` is for benchmarks only',
  }),
  LOG_LEVEL: oneOf(
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'fatal',
    'silent',
  )({ default: 'info', desc: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl({
    default: undefined,
    desc: 'the address of an OpenTelemetry collector, such as `http://127.0.0.1:4318`. Default: no traces',
  }),
  METRICS: oneOf('on', 'off')({ default: 'on', desc: '`off` measures nothing' }),
  WEBHOOK_LOOPBACK: oneOf(
    'on',
    'off',
  )({
    default: undefined,
    desc: '`on` or `off`: whether webhooks of partners may go to loopback addresses in the test environment. Default: on if `PUBLIC_URL` is of this machine or of tests (`*.test`)',
  }),
  METRICS_PORT: integer(
    0,
    65_535,
  )({
    default: undefined,
    desc: 'port on `HOST` that serves metrics without a login, also with `ROLE=worker`. Default: `/metrics` on `PORT`, for administrators only',
  }),
  WEB_CONCURRENCY: integer(
    1,
    64,
  )({
    default: 1,
    desc: 'processes that serve HTTP on one port, 1 to 64; more than 1 needs `DATABASE_URL`',
  }),
  ROLE: oneOf(
    'all',
    'web',
    'worker',
  )({
    default: 'all',
    desc: '`all`; `web` serves HTTP and does no jobs; `worker` does jobs, takes no port and needs `PUBLIC_URL`. `web` and `worker` need `DATABASE_URL`; run at least one `worker` or `all`',
  }),
} as const;
