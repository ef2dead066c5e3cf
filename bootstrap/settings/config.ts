import { join } from 'node:path';
import { customCleanEnv, type ReporterOptions } from 'envalid';
import { VARIABLES } from './variables.ts';

/** The configuration, read once at start. */
export type Config = ReturnType<typeof readConfig>;

/** Every fault of the environment, each naming its variable. */
export class ConfigFaults extends Error {
  override readonly name = 'ConfigFaults';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `the service cannot start with this configuration:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.faults = faults;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

type Values = ReturnType<typeof cleanValues>;

const cleanValues = (env: Environment, faults: string[]) => {
  const reporter = ({ errors }: ReporterOptions<unknown>): void => {
    for (const [name, error] of Object.entries<Error>(errors))
      faults.push(`${name} ${error.message}`);
  };
  // An empty variable counts as unset: shells and compose files write it so.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  return customCleanEnv(given, VARIABLES, (values) => values, { reporter });
};

const OPEN_ID = [
  'CONSOLE_OIDC_ISSUER',
  'CONSOLE_OIDC_CLIENT_ID',
  'CONSOLE_OIDC_CLIENT_SECRET',
] as const;

const ASAAS = ['ASAAS_API_URL', 'ASAAS_API_KEY', 'ASAAS_WEBHOOK_TOKEN'] as const;

const MERCADO_PAGO = ['MERCADO_PAGO_ACCESS_TOKEN', 'MERCADO_PAGO_WEBHOOK_SECRET'] as const;

/** The variables of the payment gateways. */
export const GATEWAY_VARIABLES = [
  ...['PAYMENT_GATEWAY', 'MERCADO_PAGO_API_URL'],
  ...ASAAS,
  ...MERCADO_PAGO,
];

/** Variables that are only valid together. */
function* unfinished(values: Values): Generator<string> {
  const needed = (name: keyof Values, because: string): readonly string[] =>
    values[name] === undefined ? [`${name} is missing: ${because}`] : [];
  if (values.BOOTSTRAP_ADMIN_CLIENT_ID !== undefined)
    yield* needed('BOOTSTRAP_ADMIN_CLIENT_SECRET', 'BOOTSTRAP_ADMIN_CLIENT_ID is set');
  if (values.BOOTSTRAP_ADMIN_CLIENT_SECRET !== undefined)
    yield* needed('BOOTSTRAP_ADMIN_CLIENT_ID', 'BOOTSTRAP_ADMIN_CLIENT_SECRET is set');
  if (values.SECRETS_KEY_PREVIOUS !== undefined)
    yield* needed('SECRETS_KEY', 'SECRETS_KEY_PREVIOUS is set');
  // Report what production needs in the same run.
  const isProduction = values.APP_ENV === 'production';
  if (values.SMTP_URL !== undefined || isProduction)
    yield* needed('MAIL_FROM', 'mail is sent by a server');
  for (const [gateway, names] of Object.entries({ asaas: ASAAS, mercadopago: MERCADO_PAGO })) {
    const isStandard = values.PAYMENT_GATEWAY === gateway;
    if (!isStandard && names.every((name) => values[name] === undefined)) continue;
    for (const name of names)
      yield* needed(name, isStandard ? `payments are taken by ${gateway}` : `${gateway} is used`);
  }
  if (OPEN_ID.some((name) => values[name] !== undefined))
    for (const name of OPEN_ID) yield* needed(name, 'another CONSOLE_OIDC variable is set');
  if (values.POLICY_ISSUER === 'http') {
    for (const name of ['ISSUER_URL', 'ISSUER_TOKEN'] as const)
      yield* needed(name, 'POLICY_ISSUER is http');
  }
  if (values.DATABASE_DIRECT_URL !== undefined)
    yield* needed('DATABASE_URL', 'DATABASE_DIRECT_URL is set');
  if (values.DATABASE_READ_URL !== undefined)
    yield* needed('DATABASE_URL', 'DATABASE_READ_URL is set');
  if (values.DATABASE_URL === undefined && values.WEB_CONCURRENCY > 1)
    yield 'WEB_CONCURRENCY above 1 needs DATABASE_URL: the embedded database serves one process';
  if (values.DATABASE_URL === undefined && values.ROLE !== 'all')
    yield `ROLE ${values.ROLE} needs DATABASE_URL: the embedded database serves one process`;
  if (['web', 'worker'].includes(values.ROLE) && values.DATA_DIR.startsWith('memory:')) {
    for (const name of ['SIGNING_KEY', 'SECRETS_KEY'] as const)
      if (values[name] === undefined)
        yield `${name} must be set where ROLE is not all and DATA_DIR keeps nothing: all processes need the same key`;
  }
  if (values.METRICS_PORT !== undefined && values.METRICS === 'off')
    yield 'METRICS_PORT is set, but METRICS is off';
  // Port 0 is a free one for each, and a worker takes no PORT.
  if (values.METRICS_PORT && values.METRICS_PORT === values.PORT && values.ROLE !== 'worker')
    yield 'METRICS_PORT must not be PORT: it is served without login';
  if (values.PUBLIC_URL === undefined && values.ROLE === 'worker')
    yield 'PUBLIC_URL must be set where ROLE is worker: the links in its mails carry it';
}

const SHORTEST_SECRET = 32;

/** What is not allowed in production. */
function* unfitForProduction(values: Values): Generator<string> {
  if (values.APP_ENV !== 'production') return;
  if (values.DATABASE_URL === undefined)
    yield 'DATABASE_URL must be set in production: the embedded database is for tests';
  if (values.PUBLIC_URL === undefined)
    yield 'PUBLIC_URL must be set in production: tokens and links carry it';
  if (values.SIGNING_KEY === undefined)
    yield 'SIGNING_KEY must be set in production: a generated key is for tests';
  if (values.SECRETS_KEY === undefined)
    yield 'SECRETS_KEY must be set in production: it seals the secrets of webhooks. Make one with: openssl rand -base64 32';
  if (values.CONSOLE_OIDC_ISSUER?.startsWith('http:'))
    yield 'CONSOLE_OIDC_ISSUER must begin with https:// in production: who signs in depends on it';
  if (values.PAYMENT_GATEWAY === 'sandbox')
    yield 'PAYMENT_GATEWAY must be asaas or mercadopago in production: the sandbox moves no money';
  if (values.SMTP_URL === undefined)
    yield 'SMTP_URL must be set in production: mail to files reaches nobody';
  const secret = values.BOOTSTRAP_ADMIN_CLIENT_SECRET;
  if (secret !== undefined && secret.length < SHORTEST_SECRET)
    yield `BOOTSTRAP_ADMIN_CLIENT_SECRET must have at least ${SHORTEST_SECRET} characters in production`;
}

/** The administrator that is created at start if it is missing. */
const administratorOf = ({
  BOOTSTRAP_ADMIN_CLIENT_ID: clientId,
  BOOTSTRAP_ADMIN_CLIENT_SECRET: clientSecret,
}: Values) =>
  clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined;

/** The payment gateways that are used: those whose settings are there. */
const gatewaysOf = ({
  APP_ENV,
  PAYMENT_GATEWAY,
  ASAAS_API_URL = '',
  ASAAS_API_KEY: key,
  ASAAS_WEBHOOK_TOKEN: webhookToken = '',
  MERCADO_PAGO_API_URL,
  MERCADO_PAGO_ACCESS_TOKEN: token,
  MERCADO_PAGO_WEBHOOK_SECRET: webhookSecret = '',
}: Values) => ({
  /** The gateway at which new charges are made, unless their channel names another. */
  standard: PAYMENT_GATEWAY,
  hasSandbox: APP_ENV === 'test',
  asaas:
    key === undefined ? undefined : { url: ASAAS_API_URL.replace(/\/+$/, ''), key, webhookToken },
  mercadoPago:
    token === undefined
      ? undefined
      : { url: MERCADO_PAGO_API_URL.replace(/\/+$/, ''), token, webhookSecret },
});

const issuerOf = ({ POLICY_ISSUER, ISSUER_URL = '', ISSUER_TOKEN = '' }: Values) =>
  POLICY_ISSUER === 'local'
    ? { kind: POLICY_ISSUER }
    : { kind: POLICY_ISSUER, url: ISSUER_URL.replace(/\/+$/, ''), token: ISSUER_TOKEN };

/** The provider at which people sign in to the console; undefined: with a passphrase only. */
const openIdOf = ({
  CONSOLE_OIDC_ISSUER: issuer,
  CONSOLE_OIDC_CLIENT_ID: clientId = '',
  CONSOLE_OIDC_CLIENT_SECRET: clientSecret = '',
}: Values) => (issuer === undefined ? undefined : { issuer, clientId, clientSecret });

/** Default sender in the test environment. */
const TEST_SENDER = { name: 'Seguros (ambiente de testes)', address: 'seguros@example.com' };

/** Mail is sent by SMTP or written to files. */
const mailOf = ({ SMTP_URL, MAIL_FROM: from = TEST_SENDER }: Values, folder: string | undefined) =>
  SMTP_URL === undefined
    ? { kind: 'files' as const, folder: folder && join(folder, 'mail'), from }
    : { kind: 'smtp' as const, url: SMTP_URL, from };

const variableOf = (fault: string): string => fault.slice(0, fault.indexOf(' '));

/** @throws ConfigFaults */
export const readConfig = (env: Environment) => {
  const faults: string[] = [];
  const values = cleanValues(env, faults);
  const misread = new Set(faults.map(variableOf));
  faults.push(
    ...[...unfinished(values), ...unfitForProduction(values)].filter(
      (fault) => !misread.has(variableOf(fault)),
    ),
  );
  if (faults.length > 0) throw new ConfigFaults(faults);

  const { DATA_DIR, DATABASE_URL, DATABASE_POOL, DATABASE_DIRECT_URL, DATABASE_READ_URL } = values;
  const servesHttp = values.ROLE !== 'worker';
  const folder = DATA_DIR.startsWith('memory:') ? undefined : DATA_DIR;
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    maxConnections: values.MAX_CONNECTIONS,
    /** Time in which requests are still served after SIGTERM while readiness says 503, ms. */
    drainMs: 1_000 * (values.DRAIN_SECONDS ?? (values.APP_ENV === 'production' ? 2 : 0)),
    trustProxy: values.TRUST_PROXY,
    environment: values.APP_ENV,
    /** The contact in `security.txt`; undefined: there is no such file. */
    securityContact: values.SECURITY_CONTACT,
    /** Folder for what is not in a database; undefined: nothing is kept. */
    dataFolder: folder,
    database:
      DATABASE_URL === undefined
        ? {
            kind: 'embedded' as const,
            folder: folder === undefined ? undefined : join(folder, 'database'),
          }
        : {
            ...{ kind: 'postgres' as const, url: DATABASE_URL, pool: DATABASE_POOL },
            ...(DATABASE_DIRECT_URL !== undefined && { directUrl: DATABASE_DIRECT_URL }),
            // Only requests read statements and lists.
            ...(DATABASE_READ_URL !== undefined && servesHttp && { readUrl: DATABASE_READ_URL }),
          },
    administrator: administratorOf(values),
    signingKey: values.SIGNING_KEY,
    previousKeys: values.SIGNING_KEY_PREVIOUS,
    secretsKey: values.SECRETS_KEY,
    previousSecretsKeys: values.SECRETS_KEY_PREVIOUS ?? [],
    rateLimit: values.RATE_LIMIT,
    logLevel: values.LOG_LEVEL,
    /** Whether spans are sent to a collector. Its library reads the variables `OTEL_…` itself. */
    isTraced: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    hasMetrics: values.METRICS === 'on',
    /** The port on which metrics are served without login; undefined: only to administrators. */
    metricsPort: values.METRICS_PORT,
    consoleOpenId: openIdOf(values),
    /** What the console pays back above it needs a second person, in cents. */
    fourEyesAbove: values.CONSOLE_FOUR_EYES_ABOVE,
    gateways: gatewaysOf(values),
    issuer: issuerOf(values),
    mail: mailOf(values, folder),
    /** Mails to insured in a minute, of all processes together; undefined: no limit. */
    mailsPerMinute: values.MAIL_PER_MINUTE,
    /** The addresses to which alerts are sent. */
    alertMail: values.ALERT_MAIL,
    alertWebhook: values.ALERT_WEBHOOK,
    /** Whether webhooks may go to this machine in the test environment; undefined: if it is local. */
    webhookLoopback: values.WEBHOOK_LOOPBACK && values.WEBHOOK_LOOPBACK === 'on',
    documentLinkTtl: values.DOCUMENT_LINK_TTL,
    /** Number of processes that serve HTTP; a worker has one. */
    processes: values.ROLE === 'worker' ? 1 : values.WEB_CONCURRENCY,
    servesHttp,
    doesJobs: values.ROLE !== 'web',
  };
};

/** The configuration; with a fault, writes all of them to stderr and ends the process. */
export const readConfigOrExit = (env: Environment): Config => {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};
