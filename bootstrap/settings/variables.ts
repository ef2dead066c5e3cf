import type { KeyObject } from 'node:crypto';
import { makeValidator, str } from 'envalid';
import addressparser from 'nodemailer/lib/addressparser';
import { parseEmail } from '#domain';
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
        `must be a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`,
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

/** The environment variables: allowed values and defaults. */
export const VARIABLES = {
  PORT: integer(0, 65_535)({ default: 3_000 }),
  HOST: str({ default: '127.0.0.1' }),
  PUBLIC_URL: publicUrl({ default: undefined }),
  MAX_CONNECTIONS: integer(10, 100_000)({ default: 4_000 }),
  DRAIN_SECONDS: integer(0, 300)({ default: undefined }),
  TRUST_PROXY: trustedProxies({ default: NO_PROXY }),
  APP_ENV: oneOf('test', 'production')({ default: 'test' }),
  DATABASE_URL: databaseUrl({ default: undefined }),
  DATABASE_DIRECT_URL: databaseUrl({ default: undefined }),
  DATABASE_READ_URL: databaseUrl({ default: undefined }),
  DATA_DIR: str({ default: '.data' }),
  DATABASE_POOL: integer(2, 500)({ default: 10 }),
  BOOTSTRAP_ADMIN_CLIENT_ID: str({ default: undefined }),
  BOOTSTRAP_ADMIN_CLIENT_SECRET: str({ default: undefined }),
  SIGNING_KEY: privateKey({ default: undefined }),
  SIGNING_KEY_PREVIOUS: publicKeys({ default: [] as readonly KeyObject[] }),
  SECRETS_KEY: secretsKey({ default: undefined }),
  SECRETS_KEY_PREVIOUS: secretsKeys({ default: undefined }),
  SMTP_URL: url(['smtp:', 'smtps:'])({ default: undefined }),
  MAIL_FROM: sender({ default: undefined }),
  MAIL_PER_MINUTE: integer(1, 1_000_000)({ default: undefined }),
  ALERT_MAIL: addresses({ default: [] as readonly string[] }),
  ALERT_WEBHOOK: postUrl({ default: undefined }),
  PAYMENT_GATEWAY: oneOf('sandbox', 'asaas')({ default: 'sandbox' }),
  ASAAS_API_URL: webUrl({ default: undefined }),
  ASAAS_API_KEY: str({ default: undefined }),
  ASAAS_WEBHOOK_TOKEN: str({ default: undefined }),
  POLICY_ISSUER: oneOf('local', 'http')({ default: 'local' }),
  ISSUER_URL: webUrl({ default: undefined }),
  ISSUER_TOKEN: str({ default: undefined }),
  DOCUMENT_LINK_TTL: duration({ default: 7 * 86_400 }),
  RATE_LIMIT: rateLimit({ default: 600 }),
  LOG_LEVEL: oneOf(
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'fatal',
    'silent',
  )({ default: 'info' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl({ default: undefined }),
  METRICS: oneOf('on', 'off')({ default: 'on' }),
  WEBHOOK_LOOPBACK: oneOf('on', 'off')({ default: undefined }),
  METRICS_PORT: integer(0, 65_535)({ default: undefined }),
  WEB_CONCURRENCY: integer(1, 64)({ default: 1 }),
  ROLE: oneOf('all', 'web', 'worker')({ default: 'all' }),
} as const;
