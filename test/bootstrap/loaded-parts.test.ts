import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { asaasAt, KEYS, type Variables } from '../support/combinations.ts';
import { ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';

const ROOT = new URL('../..', import.meta.url).href;

/** Tells of each file that a process loads. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      process.stderr.write('loaded ' + url + '\\n');
      return next(url, context);
    },
  });`)}`;

const loadedBy = ({ errors }: ServiceProcess): readonly string[] =>
  [...errors.matchAll(/^loaded (\S+)/gm)].map(([, url = '']) => url.replace(ROOT, ''));

/** What each service loads before it is ready, and what it does not. Packages and folders. */
const SERVICES: readonly {
  readonly name: string;
  readonly variables: Variables;
  readonly loads: readonly string[];
  readonly others: readonly string[];
}[] = [
  {
    name: 'one that does all, with the sandbox',
    variables: {},
    loads: ['koa', '@mikro-orm/core', 'adapters/payment/sandbox', 'adapters/metrics', 'pg-boss'],
    others: [
      ...['adapters/payment/asaas', '@electric-sql/pglite'],
      // Loaded with the first certificate, mail, webhook or trace.
      ...['pdfkit', 'fontkit', 'piscina', 'nodemailer/lib/nodemailer', 'standardwebhooks'],
      ...['@opentelemetry/sdk-trace-node', 'marked', 'highlight.js'],
      // With the first request to the console.
      ...['adapters/console', 'openid-client'],
    ],
  },
  {
    name: 'one that serves, with Asaas, unmeasured',
    variables: { ROLE: 'web', METRICS: 'off', ...asaasAt('http://asaas.test') },
    loads: ['koa', '@mikro-orm/core', 'adapters/payment/asaas'],
    others: [
      ...['adapters/payment/mercado-pago', 'adapters/documents/render-document.ts', 'pdfkit'],
      ...['prom-client', 'adapters/metrics/service-metrics.ts', 'bootstrap/composition/workers.ts'],
    ],
  },
  {
    name: 'one that serves in production: it prints no link to the console',
    variables: {
      ...{ ROLE: 'web', APP_ENV: 'production', ...asaasAt('http://asaas.test') },
      ...{ SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'seguros@example.com' },
    },
    loads: ['koa', 'adapters/persistence/people'],
    others: [
      ...['adapters/console', 'application/people/sign-in.ts', 'otpauth'],
      'adapters/payment/sandbox',
    ],
  },
  {
    name: 'one that works',
    variables: { ROLE: 'worker', ...asaasAt('http://asaas.test') },
    loads: [...['pg-boss', 'adapters/payment/asaas', 'bootstrap/composition/workers.ts']],
    others: [
      ...['koa', '@koa/router', 'koa-bodyparser', 'csv-parse'],
      ...['adapters/http/http-app.ts', 'adapters/http/admin', 'adapters/http/products/ingresso'],
      ...['adapters/payment/mercado-pago', 'pdfkit'],
      // With the first entity: see `Database.entities`.
      ...['@mikro-orm/core', 'kysely', 'adapters/persistence/schema/entities.ts'],
    ],
  },
];

describe('a process on a database that has its tables', () => {
  const services: ServiceProcess[] = [];
  after(() => Promise.all(services.map((each) => each.end('SIGKILL'))));
  const start = async (variables: Variables): Promise<ServiceProcess> => {
    const environment = {
      DATABASE_URL: await sharedPostgres.migratedDatabase(),
      ...{ DATA_DIR: temporaryFolder(), PUBLIC_URL: 'http://sales.test', ...KEYS, ...variables },
    };
    const command = [process.execPath, '--import', TELL, 'bootstrap/main.ts'];
    const service = new ServiceProcess(environment, command);
    services.push(service);
    await service.logged(/"msg":"ready"/);
    return service;
  };

  for (const { name, variables, loads, others } of SERVICES)
    it(`loads what its role and settings need: ${name}`, async () => {
      const loaded = loadedBy(await start(variables));
      const has = (part: string): boolean =>
        loaded.some((file) => file.startsWith(part) || file.startsWith(`node_modules/${part}`));
      expect(loads.filter((part) => !has(part))).to.deep.equal([]);
      expect(others.filter(has)).to.deep.equal([]);
    });
});
