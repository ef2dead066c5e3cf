import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigFaults, readConfig } from '../../bootstrap/settings/config.ts';
import { temporaryFolder } from '../support/children.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PRIVATE_PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const PUBLIC_PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const SECRETS_KEY = randomBytes(32).toString('base64');

const PRODUCTION = {
  APP_ENV: 'production',
  DATABASE_URL: 'postgres://u:p@db/sales',
  PUBLIC_URL: 'https://api.example.com/',
  SIGNING_KEY: PRIVATE_PEM,
  SECRETS_KEY,
  PAYMENT_GATEWAY: 'asaas',
  ASAAS_API_URL: 'https://api.asaas.com',
  ASAAS_API_KEY: 'key',
  ASAAS_WEBHOOK_TOKEN: 'token',
  SMTP_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'seguros@example.com',
};

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
  return [];
};

/** The variables at fault: each message begins with one. */
const named = (env: Record<string, string>): readonly string[] =>
  faultsOf(env).map((fault) => fault.slice(0, fault.indexOf(' ')));

describe('the configuration', () => {
  it('has defaults for a test environment', () => {
    expect(readConfig({})).to.deep.include({
      port: 3_000,
      host: '127.0.0.1',
      publicUrl: undefined,
      environment: 'test',
      dataFolder: '.data',
      database: { kind: 'embedded', folder: '.data/database' },
      administrator: undefined,
      rateLimit: 600,
      logLevel: 'info',
    });
  });

  it('treats an empty variable as unset', () => {
    expect(
      readConfig({ PORT: '', DATABASE_URL: '', SIGNING_KEY: '', SECRETS_KEY: '' }),
    ).to.deep.equal(readConfig({}));
  });

  it('reads the variables', () => {
    const config = readConfig({
      ...PRODUCTION,
      PORT: '0',
      DATABASE_POOL: '25',
      RATE_LIMIT: 'off',
      BOOTSTRAP_ADMIN_CLIENT_ID: 'root',
      BOOTSTRAP_ADMIN_CLIENT_SECRET: 's'.repeat(32),
      SIGNING_KEY_PREVIOUS: PUBLIC_PEM + PUBLIC_PEM,
    });
    expect(config).to.deep.include({
      port: 0,
      publicUrl: 'https://api.example.com',
      environment: 'production',
      database: { kind: 'postgres', url: 'postgres://u:p@db/sales', pool: 25 },
      administrator: { clientId: 'root', clientSecret: 's'.repeat(32) },
      rateLimit: 'off',
    });
    expect(config.signingKey?.type).to.equal('private');
    expect(config.previousKeys.map(({ type }) => type)).to.deep.equal(['public', 'public']);
  });

  it('stores nothing on disk when DATA_DIR is memory:', () => {
    expect(readConfig({ DATA_DIR: 'memory:' })).to.deep.include({
      dataFolder: undefined,
      database: { kind: 'embedded', folder: undefined },
    });
  });

  it('reads where alerts are sent to operators', () => {
    expect(readConfig({})).to.deep.include({ alertMail: [], alertWebhook: undefined });
    const hook = 'http://chat.internal:8065/hooks/x';
    const given = { ALERT_MAIL: 'ops@example.com, night@example.com', ALERT_WEBHOOK: hook };
    expect(readConfig(given)).to.deep.include({
      alertMail: ['ops@example.com', 'night@example.com'],
      alertWebhook: hook,
    });
  });

  it('reads where people sign in to the console, all or nothing, in production by HTTPS', () => {
    expect(readConfig({}).consoleOpenId).to.equal(undefined);
    const given = {
      ...{ CONSOLE_OIDC_ISSUER: 'http://id.test', CONSOLE_OIDC_CLIENT_ID: 'console' },
      CONSOLE_OIDC_CLIENT_SECRET: 's3cr3t',
    };
    expect(readConfig(given).consoleOpenId).to.deep.equal({
      ...{ issuer: 'http://id.test', clientId: 'console', clientSecret: 's3cr3t' },
    });
    for (const name of Object.keys(given))
      expect(faultsOf({ ...given, [name]: undefined }).join()).to.include(`${name} is missing`);
    expect(faultsOf({ ...given, APP_ENV: 'production' }).join()).to.include(
      'CONSOLE_OIDC_ISSUER must begin with https://',
    );
  });

  it('reads a key from a file, or from one line with \\n in it', () => {
    const file = join(temporaryFolder(), 'key.pem');
    writeFileSync(file, PRIVATE_PEM);
    for (const given of [file, PRIVATE_PEM, PRIVATE_PEM.replaceAll('\n', '\\n')]) {
      expect(readConfig({ SIGNING_KEY: given }).signingKey?.equals(privateKey)).to.equal(true);
    }
  });

  it('reads the key of stored secrets, and those before it, from texts or files', () => {
    const older = randomBytes(32).toString('base64');
    const file = join(temporaryFolder(), 'secrets-key');
    writeFileSync(file, `${SECRETS_KEY}\n`);
    for (const given of [SECRETS_KEY, ` ${SECRETS_KEY}\n`, file]) {
      const { secretsKey, previousSecretsKeys } = readConfig({
        SECRETS_KEY: given,
        SECRETS_KEY_PREVIOUS: `${older}, ${file}`,
      });
      expect(secretsKey?.export().toString('base64')).to.equal(SECRETS_KEY);
      expect(previousSecretsKeys.map((key) => key.export().toString('base64'))).to.deep.equal([
        older,
        SECRETS_KEY,
      ]);
    }
  });

  it('says how to make the key of stored secrets', () => {
    const { SECRETS_KEY: _, ...without } = PRODUCTION;
    expect(faultsOf(without)).to.have.length(1);
    expect(faultsOf(without)[0]).to.include('openssl rand -base64 32');
  });

  const WRONG: readonly [string, string][] = [
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['PUBLIC_URL', 'not a url'],
    ['APP_ENV', 'staging'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://u:s3cr3t@127.0.0.1:notaport/d'],
    ['DATABASE_POOL', '1'],
    ['BOOTSTRAP_ADMIN_CLIENT_ID', 'without its secret'],
    ['BOOTSTRAP_ADMIN_CLIENT_SECRET', 'without its id'],
    ['SIGNING_KEY', 'no-such-file.pem'],
    [
      'SIGNING_KEY',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
    [
      'SIGNING_KEY',
      generateKeyPairSync('ec', { namedCurve: 'P-384' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
    ['SIGNING_KEY_PREVIOUS', '-----BEGIN nothing'],
    ['SECRETS_KEY', 'no-such-file'],
    ['SECRETS_KEY', randomBytes(31).toString('base64')],
    ['SECRETS_KEY', randomBytes(33).toString('base64')],
    ['SECRETS_KEY', randomBytes(32).toString('hex')],
    ['SECRETS_KEY_PREVIOUS', `${SECRETS_KEY},nothing`],
    ['SMTP_URL', 'smtp//u:s3cr3t@mail'],
    ['ALERT_MAIL', 'ops@example.com, nobody'],
    ['ALERT_WEBHOOK', 'chat.example/s3cr3t'],
    ['ALERT_WEBHOOK', 'https://user:s3cr3t@chat.example/hook'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://api.example.com/api'],
    ['PUBLIC_URL', 'https://api.example.com/?x=1'],
    ['PUBLIC_URL', 'https://api.example.com/?'],
    ['PUBLIC_URL', 'https://user:password@api.example.com'],
    ['PUBLIC_URL', 'https://user@api.example.com'],
    ['PUBLIC_URL', 'https://:password@api.example.com'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/64'],
    ['CONSOLE_OIDC_ISSUER', 'id.example'],
    ['PAYMENT_GATEWAY', 'cash'],
    ['POLICY_ISSUER', 'fax'],
    ['DOCUMENT_LINK_TTL', '7'],
    ['DOCUMENT_LINK_TTL', '0d'],
    ['RATE_LIMIT', 'none'],
    ['LOG_LEVEL', 'loud'],
    ['WEB_CONCURRENCY', '0'],
    ['ROLE', 'boss'],
    ['DRAIN_SECONDS', '-1'],
    ['DRAIN_SECONDS', 'soon'],
    ['MAX_CONNECTIONS', '0'],
    ['DATABASE_DIRECT_URL', 'mysql://h/d'],
  ];
  for (const [variable, value] of WRONG) {
    it(`refuses ${variable}=${JSON.stringify(value).slice(0, 30)} and shows the name without the value`, () => {
      const faults = faultsOf({ [variable]: value });
      expect(faults.join(), 'no fault').to.include(variable);
      if (value.length > 3) expect(faults.join()).not.to.include(value.trim());
    });
  }

  it('refuses a public URL that means more to a shell than an address', () => {
    const unsafe = [...'$\'"\\`();&|<> \t\n\u0000\u007f'].map(
      (each) => `https://a.example/x${each}y`,
    );
    for (const url of [...unsafe, 'https://a.example/$(id)', 'https://%24%28id%29.example'])
      expect(faultsOf({ PUBLIC_URL: url }).join(), JSON.stringify(url)).to.match(
        /^PUBLIC_URL must not hold spaces/,
      );
    expect(faultsOf({ PUBLIC_URL: 'https://:p@a.example' }).join()).to.include('a password');
  });

  it('reads the public URL as URLs are written, without a slash at its end', () => {
    const WRITTEN = {
      'HTTPS://API.Example.com:443//': 'https://api.example.com',
      'https://api.example.com/Seguros/': 'https://api.example.com/Seguros',
      'http://[::1]:3000': 'http://[::1]:3000',
      'https://seguros.são.example/~a_b-c.d': 'https://seguros.xn--so-sia.example/~a_b-c.d',
    };
    for (const [given, read] of Object.entries(WRITTEN))
      expect(readConfig({ PUBLIC_URL: given }).publicUrl).to.equal(read);
  });

  it('keeps metrics apart from the port that has a login', () => {
    expect(faultsOf({ PORT: '3000', METRICS_PORT: '3000' }).join()).to.include('METRICS_PORT');
    expect(faultsOf({ METRICS: 'off', METRICS_PORT: '9464' }).join()).to.include('METRICS_PORT');
    expect(readConfig({ METRICS_PORT: '9464' })).to.include({
      metricsPort: 9_464,
      hasMetrics: true,
    });
    expect(readConfig({ PORT: '0', METRICS_PORT: '0' }).metricsPort).to.equal(0);
    expect(readConfig({}).metricsPort).to.equal(undefined);
    expect(readConfig({ METRICS: 'off' }).hasMetrics).to.equal(false);
  });

  it('reports all faults together, each variable once', () => {
    const faults = named({
      PORT: 'x',
      LOG_LEVEL: 'x',
      DATABASE_POOL: '0',
      APP_ENV: 'production',
      SMTP_URL: 'x',
      PAYMENT_GATEWAY: 'asaas',
    });
    expect(faults).to.have.members([
      'PORT',
      'LOG_LEVEL',
      'DATABASE_POOL',
      'SMTP_URL',
      'MAIL_FROM',
      'ASAAS_API_URL',
      'ASAAS_API_KEY',
      'ASAAS_WEBHOOK_TOKEN',
      'DATABASE_URL',
      'PUBLIC_URL',
      'SIGNING_KEY',
      'SECRETS_KEY',
    ]);
  });

  it('requires real providers, keys and URLs in production', () => {
    expect(faultsOf(PRODUCTION)).to.deep.equal([]);
    const { APP_ENV, ...needed } = PRODUCTION;
    const names = Object.keys(needed);
    const ofAsaas = names.filter((name) => name.startsWith('ASAAS'));
    expect(named({ APP_ENV }), 'all at once').to.have.members(
      names.filter((name) => !ofAsaas.includes(name)),
    );
    const { PAYMENT_GATEWAY } = PRODUCTION;
    expect(named({ APP_ENV, PAYMENT_GATEWAY })).to.include.members(ofAsaas);
    expect(named({ ...PRODUCTION, MERCADO_PAGO_ACCESS_TOKEN: 't' })).to.deep.equal([
      'MERCADO_PAGO_WEBHOOK_SECRET',
    ]);
    expect(
      named({
        ...PRODUCTION,
        BOOTSTRAP_ADMIN_CLIENT_ID: 'root',
        BOOTSTRAP_ADMIN_CLIENT_SECRET: 'short',
      }),
    ).to.deep.equal(['BOOTSTRAP_ADMIN_CLIENT_SECRET']);
  });

  it('derives the number of processes and their roles', () => {
    const of = (env: Record<string, string>) => {
      const { processes, servesHttp, doesJobs } = readConfig({
        DATABASE_URL: 'postgres://h/d',
        ...env,
      });
      return { processes, servesHttp, doesJobs };
    };
    expect(of({})).to.deep.equal({ processes: 1, servesHttp: true, doesJobs: true });
    expect(of({ WEB_CONCURRENCY: '4' })).to.deep.equal({
      processes: 4,
      servesHttp: true,
      doesJobs: true,
    });
    expect(of({ WEB_CONCURRENCY: '4', ROLE: 'web' })).to.deep.equal({
      processes: 4,
      servesHttp: true,
      doesJobs: false,
    });
    const worker = { WEB_CONCURRENCY: '4', ROLE: 'worker', PUBLIC_URL: 'https://sales.example' };
    expect(of(worker)).to.deep.equal({ processes: 1, servesHttp: false, doesJobs: true });
  });

  it('reads the mail server and the sender, or the folder for mail files', () => {
    const folder = {
      kind: 'files',
      from: { name: 'Seguros (ambiente de testes)', address: 'seguros@example.com' },
    };
    expect(readConfig({}).mail).to.deep.equal({ ...folder, folder: join('.data', 'mail') });
    expect(readConfig({ DATA_DIR: 'memory:' }).mail).to.deep.equal({
      ...folder,
      folder: undefined,
    });
    const from = (text: string) =>
      readConfig({ SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: text }).mail;
    expect(from('Seguros Ltda <seguros@example.com>')).to.deep.equal({
      ...{ kind: 'smtp', url: 'smtps://u:p@mail.example' },
      from: { name: 'Seguros Ltda', address: 'seguros@example.com' },
    });
    expect(from('seguros@example.com').from).to.deep.equal({
      name: '',
      address: 'seguros@example.com',
    });
    for (const text of [
      'Seguros',
      'a@b.example, c@d.example',
      'Grupo: a@b.example;',
      'a@b',
      '"x\r\nBcc: e" <a@b.example>',
    ])
      expect(() => from(text), text).to.throw('MAIL_FROM must be an e-mail address');
  });

  it('reads the gateway and the insurer with their settings', () => {
    const { gateways, issuer } = readConfig({
      ...{
        PAYMENT_GATEWAY: 'asaas',
        ASAAS_API_URL: 'https://api.asaas.com/',
        ASAAS_API_KEY: 'k',
        ASAAS_WEBHOOK_TOKEN: 't',
      },
      ...{ POLICY_ISSUER: 'http', ISSUER_URL: 'https://insurer.example/v1/', ISSUER_TOKEN: 'i' },
    });
    expect(gateways).to.deep.equal({
      ...{ standard: 'asaas', hasSandbox: true, mercadoPago: undefined },
      asaas: { url: 'https://api.asaas.com', key: 'k', webhookToken: 't' },
    });
    expect(issuer).to.deep.equal({ kind: 'http', url: 'https://insurer.example/v1', token: 'i' });
    expect(readConfig({})).to.deep.include({
      gateways: {
        ...{ standard: 'sandbox', hasSandbox: true },
        ...{ asaas: undefined, mercadoPago: undefined },
      },
      issuer: { kind: 'local' },
    });
  });

  it('drains for 2 s in production and 0 s in a test by default', () => {
    expect([readConfig({}).drainMs, readConfig(PRODUCTION).drainMs]).to.deep.equal([0, 2_000]);
    expect(readConfig({ ...PRODUCTION, DRAIN_SECONDS: '30' }).drainMs).to.equal(30_000);
    expect(readConfig({ ...PRODUCTION, DRAIN_SECONDS: '0' }).drainMs).to.equal(0);
  });

  it('reads the URL of the server behind a pooler', () => {
    const { database } = readConfig({
      DATABASE_URL: 'postgres://pooler/d',
      DATABASE_DIRECT_URL: 'postgres://server/d',
    });
    expect(database).to.deep.include({
      url: 'postgres://pooler/d',
      directUrl: 'postgres://server/d',
    });
    expect(named({ DATABASE_DIRECT_URL: 'postgres://server/d' })).to.deep.equal(['DATABASE_URL']);
  });

  it('reads the URL of a standby, which only requests are answered from', () => {
    const urls = { DATABASE_URL: 'postgres://a/d', DATABASE_READ_URL: 'postgres://b/d' };
    expect(readConfig(urls).database).to.deep.include({ readUrl: 'postgres://b/d' });
    const worker = { ...urls, ROLE: 'worker', PUBLIC_URL: 'https://sales.example.com' };
    expect(readConfig(worker).database).not.to.have.property('readUrl');
    expect(named({ DATABASE_READ_URL: 'postgres://b/d' })).to.deep.equal(['DATABASE_URL']);
  });

  it('requires settings that belong together', () => {
    expect(named({ SMTP_URL: 'smtp://localhost' })).to.deep.equal(['MAIL_FROM']);
    expect(named({ SECRETS_KEY_PREVIOUS: SECRETS_KEY })).to.deep.equal(['SECRETS_KEY']);
    expect(named({ POLICY_ISSUER: 'http' })).to.deep.equal(['ISSUER_URL', 'ISSUER_TOKEN']);
    expect(named({ WEB_CONCURRENCY: '2' })).to.deep.equal(['WEB_CONCURRENCY']);
    expect(named({ ROLE: 'web' })).to.deep.equal(['ROLE']);
    expect(
      named({ ROLE: 'web', DATABASE_URL: 'postgres://h/d', DATA_DIR: 'memory:' }),
    ).to.deep.equal(['SIGNING_KEY', 'SECRETS_KEY']);
    expect(named({ ROLE: 'worker', DATABASE_URL: 'postgres://h/d' })).to.deep.equal(['PUBLIC_URL']);
  });
});
