import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ownHostCheck } from '../../../adapters/kit/web/pipeline/request-origin.ts';
import { serveMetrics } from '../../../adapters/metrics/metrics-server.ts';
import { CREATE, mainBody } from '../../support/api.ts';
import { startChild, temporaryFolder } from '../../support/children.ts';
import { freePort, rowsIn } from '../../support/postgres.ts';
import { Partner, ServiceProcess } from '../../support/service.ts';
import { sharedPostgres } from '../../support/shared.ts';
import { within } from '../../support/stores.ts';

const FOLDER = new URL('../../../adapters/metrics/', import.meta.url).pathname;
const RULES = readFileSync(join(FOLDER, 'alert-rules.yaml'), 'utf8');
const DASHBOARD = readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8');

/** The names of metrics in a dashboard or in rules. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/\b(insurance_sales|nodejs|process)_\w+/g));

/** The names of a scrape, with those of the parts of histograms. */
const namesOf = (scrape: string): ReadonlySet<string> =>
  new Set(
    [...scrape.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );

/** The sum of the values of a metric's series that have the labels. */
const sumOf = (scrape: string, name: string, labels = ''): number =>
  scrape
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;

/** A real Prometheus that scrapes a target every second, with rules that do not wait. */
class Prometheus {
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  /** @param access settings of the scrape, in YAML */
  static async start(target: string, rules: string, access = ''): Promise<Prometheus> {
    const [folder, port] = [temporaryFolder(), await freePort()];
    writeFileSync(join(folder, 'rules.yaml'), rules);
    writeFileSync(
      join(folder, 'prometheus.yaml'),
      `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
scrape_configs:
  - job_name: insurance-sales
    static_configs: [{ targets: ['${target}'] }]
    ${access}
`,
    );
    const started = startChild(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    return new Prometheus(started, `http://127.0.0.1:${port}/api/v1`);
  }

  async #get<Answer>(path: string): Promise<Answer | undefined> {
    const response = await fetch(`${this.#url}${path}`).catch(() => undefined);
    return response?.ok ? ((await response.json()) as { data: Answer }).data : undefined;
  }

  /** The value of an expression with one result. */
  async value(expression: string): Promise<number> {
    const path = `/query?query=${encodeURIComponent(expression)}`;
    const found = await this.#get<{ result: readonly { value: readonly [number, string] }[] }>(
      path,
    );
    return Number(found?.result[0]?.value[1] ?? Number.NaN);
  }

  async firing(): Promise<readonly Readonly<Record<string, string>>[]> {
    const found = await this.#get<{
      alerts: readonly { state: string; labels: Record<string, string> }[];
    }>('/alerts');
    return (found?.alerts ?? [])
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels);
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}

describe('a service of two processes with METRICS_PORT', () => {
  let service: ServiceProcess;
  let baseUrl: string;
  let metricsUrl: string;
  let database: string;

  before(async () => {
    database = await sharedPostgres.migratedDatabase();
    // It does no jobs, so that a job may wait.
    const settings = { WEB_CONCURRENCY: '2', ROLE: 'web', METRICS_PORT: '0', DATABASE_POOL: '3' };
    service = new ServiceProcess({
      ...settings,
      DATABASE_URL: database,
      DATA_DIR: temporaryFolder(),
    });
    baseUrl = await service.ready();
    const started = async () => service.output.match(/"msg":"ready"/g)?.length;
    expect(await within(started, (count) => count === 2)).to.equal(2);
    metricsUrl = /"metrics":"([^"]+)"/.exec(service.output)?.[1] ?? '';
    await rowsIn(
      database,
      `insert into jobs.job (name, start_after) values ('process-notice', now() - interval '1 hour')`,
    );
    await rowsIn(
      database,
      `insert into alert (kind, subject, details, first_at, last_at, times, raise_number, status)
       values ('sale_stuck', '6', '{}', now(), now(), 1, 1, 'open')`,
    );
    const partner = new Partner(baseUrl, service.credentials('Demo partner'));
    const token = await partner.token();
    const sell = (key: string): Promise<Response> =>
      partner.call(CREATE, token, {
        method: 'POST',
        body: JSON.stringify(mainBody()),
        // One connection per request: the connections alternate between the processes.
        headers: { Connection: 'close', 'Idempotency-Key': key },
      });
    const sold = await Promise.all(Array.from({ length: 20 }, (_, index) => sell(`${index}`)));
    expect(new Set(sold.map(({ status }) => status))).to.deep.equal(new Set([200]));
  });
  after(() => service.end('SIGKILL'));

  const scrape = async (): Promise<string> => {
    const response = await fetch(metricsUrl, { headers: { Connection: 'close' } });
    expect(response.status).to.equal(200);
    return response.text();
  };
  const SOLD = 'insurance_sales_sales_total';
  const processes = (): readonly number[] =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(service.pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number);

  it('covers both processes by one scrape', async () => {
    // A scrape leaves out a process that does not answer within 2 s, and counts those that did.
    const text = await within(scrape, (each) => /^insurance_sales_processes 2$/m.test(each));
    expect(sumOf(text, SOLD, 'status="paid"')).to.equal(20);
    expect(sumOf(text, 'insurance_sales_sales_registered_total')).to.equal(20);
    const requests = 'insurance_sales_http_request_duration_seconds_count';
    expect(sumOf(text, requests, `route="${CREATE}"`)).to.equal(20);
    expect(text).to.match(/^insurance_sales_processes 2$/m);
    expect(text).to.match(/^insurance_sales_database_up 1$/m);
    expect(text).to.match(/^insurance_sales_database_connections_max 6$/m);
    expect(text).to.include('insurance_sales_jobs{queue="process-notice",state="due"} 1');
    expect(sumOf(text, 'insurance_sales_job_oldest_due_seconds', 'process-notice')).to.be.above(
      3_599,
    );
    expect(text).to.include('insurance_sales_mails_waiting{kind="certificate"} 20');
    expect(text).to.include('insurance_sales_alerts_open{kind="sale_stuck"} 1');
    expect(text).not.to.match(/nan|null|undefined|52998224725|canal-demo/i);
  });

  it('has every metric of the dashboard and of the rules, and no other of its own', async () => {
    const scraped = namesOf(await scrape());
    const used = new Set([...namesIn(DASHBOARD), ...namesIn(RULES)]);
    expect([...used].filter((name) => !scraped.has(name))).to.deep.equal([]);
    const own = [...scraped].filter((name) => name.startsWith('insurance_sales_'));
    expect(own).to.have.length.above(15);
    const family = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
    const shown = new Set([...used].map(family));
    expect(own.filter((name) => !shown.has(family(name)))).to.deep.equal([]);
  });

  it('has no metrics on the main port, and nothing else on the other', async () => {
    const administrator = new Partner(baseUrl, service.credentials('Administrator'));
    const token = await administrator.token();
    expect((await administrator.call('/metrics', token)).status).to.equal(404);
    const ask = (path: string, method: string) => fetch(new URL(path, metricsUrl), { method });
    expect((await ask('/health/live', 'GET')).status).to.equal(404);
    expect((await ask('/metrics', 'POST')).status).to.equal(405);
    expect((await ask('/metrics', 'HEAD')).status).to.equal(200);
  });

  it('is scraped by Prometheus, which fires rules', async function fire() {
    if (!hasPrometheus) {
      process.stdout.write('    skipped: prometheus is not installed\n');
      this.skip();
    }
    const hasty = RULES.replaceAll(/for: \w+/g, 'for: 0s').replaceAll(/\[\d+m\]/g, '[10s]');
    const prometheus = await Prometheus.start(new URL(metricsUrl).host, hasty);
    try {
      const fired = await within(
        () => prometheus.firing(),
        (alerts) => {
          const names = alerts.map(({ alertname }) => alertname);
          return ['InsuranceSalesJobsLate', 'InsuranceSalesAlertOpen'].every((name) =>
            names.includes(name),
          );
        },
      );
      const open = fired.filter(({ alertname }) => alertname === 'InsuranceSalesAlertOpen');
      expect(open.map(({ kind }) => kind)).to.deep.equal(['sale_stuck']);
      const late = fired.filter(({ alertname }) => alertname === 'InsuranceSalesJobsLate');
      expect(late.map(({ queue, severity }) => [queue, severity])).to.deep.equal([
        ['process-notice', 'critical'],
      ]);
      expect(fired.map(({ alertname }) => alertname)).not.to.include('InsuranceSalesDown');
      expect(await prometheus.value(`sum(${SOLD}{status="paid"})`)).to.equal(20);
      expect(await prometheus.value('up')).to.equal(1);
    } finally {
      await prometheus.end();
    }
  });

  it('shows the database, whichever process hangs', async () => {
    const pids = processes();
    expect(pids).to.have.length(2);
    for (const hung of pids) {
      process.kill(hung, 'SIGSTOP');
      try {
        const text = await scrape();
        expect(text).to.match(/^insurance_sales_processes 1$/m);
        expect(text).to.match(/^insurance_sales_processes_wanted 2$/m);
        expect(text).to.match(/^insurance_sales_database_up 1$/m);
        expect(text).to.include('insurance_sales_jobs{queue="process-notice",state="due"} 1');
      } finally {
        process.kill(hung, 'SIGCONT');
      }
      const both = await within(scrape, (each) => each.includes('insurance_sales_processes 2'));
      expect(both).to.match(/^insurance_sales_database_up 1$/m);
    }
    expect(processes()).to.deep.equal(pids);
  });

  it('answers without a process that hangs, and loses no count with one that ends', async () => {
    const [hung = 0] = processes();
    process.kill(hung, 'SIGSTOP');
    const text = await scrape();
    expect(text).to.match(/^insurance_sales_processes 1$/m);
    expect(sumOf(text, SOLD), 'while it hangs').to.equal(20);

    process.kill(hung, 'SIGKILL');
    await service.logged(/and is replaced/);
    expect(sumOf(await scrape(), SOLD), 'after it has ended').to.equal(20);
    const both = await within(scrape, (each) => each.includes('insurance_sales_processes 2'));
    expect(both).to.include('insurance_sales_processes 2');
    expect(sumOf(both, SOLD), 'with the one in its place').to.equal(20);
  });
});

describe('a service of two processes without METRICS_PORT', () => {
  /** Prometheus gets a token as the guide shows. */
  const expectScrape = async (
    baseUrl: string,
    administrator: { client_id: string; client_secret: string } | undefined,
  ): Promise<void> => {
    if (!hasPrometheus) return;
    const { client_id: id, client_secret: secret } = administrator ?? {};
    const login = `client_id: '${id}', client_secret: '${secret}', scopes: [admin]`;
    const access = `oauth2: { ${login}, token_url: '${baseUrl}/seguros/auth/token' }`;
    const prometheus = await Prometheus.start(new URL(baseUrl).host, RULES, access);
    try {
      const count = () => prometheus.value('insurance_sales_processes');
      expect(await within(count, (found) => found === 2)).to.equal(2);
    } finally {
      await prometheus.end();
    }
  };

  it('shows an administrator the metrics of both, whichever is asked', async () => {
    const service = new ServiceProcess({
      ...{ WEB_CONCURRENCY: '2', DATABASE_POOL: '3', DATA_DIR: 'memory:' },
      DATABASE_URL: await sharedPostgres.migratedDatabase(),
    });
    try {
      const baseUrl = await service.ready();
      const started = async () => service.output.match(/"msg":"ready"/g)?.length;
      expect(await within(started, (count) => count === 2)).to.equal(2);
      const administrator = new Partner(baseUrl, service.credentials('Administrator'));
      const token = await administrator.token();
      const headers = { Authorization: `Bearer ${token}`, Connection: 'close' };
      const read = async () =>
        (await fetch(`${new URL(baseUrl).origin}/metrics`, { headers })).text();

      const texts = [await read(), await read(), ...(await Promise.all([read(), read()]))];
      for (const text of texts) expect(text).to.match(/^insurance_sales_processes 2$/m);
      await expectScrape(baseUrl, service.credentials('Administrator'));
      expect(await service.end()).to.equal(0);
    } finally {
      await service.end('SIGKILL');
    }
  });
});

describe('the port of the metrics', () => {
  it('answers to addresses, private names and the own host alone', async () => {
    const isOwnHost = ownHostCheck('https://sales.example.com');
    const address = await serveMetrics(
      { host: '127.0.0.1', port: 0, isOwnHost },
      async () => 'x 1',
    );
    const statusFor = (Host: string) =>
      new Promise<number | undefined>((resolve) => {
        get(`${address}/metrics`, { headers: { Host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
      });
    for (const host of [
      '127.0.0.1:9464',
      'sales.example.com',
      'sales-1:9464',
      'a.b.svc',
      'localhost',
    ])
      expect(await statusFor(host), host).to.equal(200);
    for (const host of ['evil.example', 'local.evil.example:9464', 'internal.example.com'])
      expect(await statusFor(host), host).to.equal(421);
  });
});

describe('METRICS_PORT', () => {
  it('stops the start if it is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const service = new ServiceProcess({
      ...{ METRICS_PORT: String(port), WEB_CONCURRENCY: '2', DATA_DIR: 'memory:' },
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    });
    try {
      expect(await service.ended()).to.equal(1);
      expect(service.errors).to.include('METRICS_PORT cannot be had (EADDRINUSE)');
    } finally {
      other.close();
      await service.end('SIGKILL');
    }
  });

  it('is served by a process that only does jobs', async () => {
    const service = new ServiceProcess({
      ...{ METRICS_PORT: '0', ROLE: 'worker', PUBLIC_URL: 'http://sales.example' },
      ...{ DATABASE_URL: await sharedPostgres.migratedDatabase(), DATA_DIR: temporaryFolder() },
    });
    try {
      await service.logged(/"msg":"ready"/);
      const url = /"metrics":"([^"]+)"/.exec(service.output)?.[1] ?? '';
      const text = await (await fetch(url)).text();
      expect(text).to.match(/^insurance_sales_processes 1$/m);
      expect(text).to.match(/^insurance_sales_processes_wanted 1$/m);
      expect(text).to.match(/^insurance_sales_database_up 1$/m);
      expect(await service.end()).to.equal(0);
    } finally {
      await service.end('SIGKILL');
    }
  });
});
