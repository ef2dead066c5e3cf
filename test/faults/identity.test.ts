import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { runOperator } from '../support/operator-command.ts';
import { rowsIn } from '../support/postgres.ts';
import { CountingProxy } from '../support/postgres-proxy.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { leastTimeOf } from '../support/timing.ts';

const SIGNING_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

/** Each process must know a change within 1 s, ms. */
const SECOND = 1_000;

type Credentials = { client_id: string; client_secret: string };

describe('identity at two services on one PostgreSQL', () => {
  let url: string;
  let proxy: CountingProxy;
  let one: ServiceProcess;
  let other: ServiceProcess;
  let administrator: Partner;
  let adminToken: string;
  before(async () => {
    url = await sharedPostgres.migratedDatabase();
    proxy = new CountingProxy(url);
    const shared = {
      ...{ PUBLIC_URL: 'http://sales.test', SIGNING_KEY, DATA_DIR: 'memory:' },
      // These tests poll, also with tokens that are refused.
      RATE_LIMIT: 'off',
    };
    one = new ServiceProcess({ ...shared, DATABASE_URL: url });
    await one.ready();
    other = new ServiceProcess({ ...shared, DATABASE_URL: await proxy.start() });
    await other.ready();
    administrator = new Partner(`${one.address}/api`, one.credentials('Administrator'));
    adminToken = await administrator.token();
  });
  after(async () => {
    await Promise.all([one.end('SIGKILL'), other.end('SIGKILL')]);
    proxy.stop();
  });

  const client = async (): Promise<Credentials> => {
    const body = JSON.stringify({ name: 'Bilheteria', channelLink: 'canal-demo' });
    const created = await administrator.call('/admin/api-clients', adminToken, {
      method: 'POST',
      body,
    });
    return ((await created.json()) as { response: { data: Credentials } }).response.data;
  };
  const act = (clientId: string, action: string, body = '{}') =>
    administrator.call(`/admin/api-clients/${clientId}/${action}`, adminToken, {
      method: 'POST',
      body,
    });
  const at = (process: ServiceProcess, credentials: Credentials) =>
    new Partner(`${process.address}/api`, credentials);

  /** Polls until the token is refused. @returns milliseconds until then */
  const refusedAfter = async (partner: Partner, token: string): Promise<number> => {
    const began = performance.now();
    const asked = await within(
      () => partner.status(token, 1),
      ({ status }) => status === 401,
    );
    expect(asked.status).to.equal(401);
    return performance.now() - began;
  };

  /** A new client with a token that the other service accepts. */
  const known = async () => {
    const credentials = await client();
    const token = await at(one, credentials).token();
    const partner = at(other, credentials);
    const { status } = await within(
      () => partner.status(token, 1),
      (answer) => answer.status === 404,
    );
    expect(status, 'the other service does not know the client').to.equal(404);
    return { credentials, partner, token };
  };

  it('refuses a deactivated or revoked client at the other service within a second', async () => {
    const refused = () =>
      known().then(async ({ credentials: { client_id }, partner, token }) => {
        await act(client_id, 'deactivate');
        return refusedAfter(partner, token);
      });
    expect(await leastTimeOf(SECOND, refused)).to.be.below(SECOND);

    const { credentials, partner, token } = await known();
    await act(credentials.client_id, 'deactivate');
    await refusedAfter(partner, token);
    expect(await partner.token()).to.equal(undefined);
    await act(credentials.client_id, 'activate');
    const again = await at(one, credentials).token();
    const letIn = await within(
      () => partner.status(again, 1),
      ({ status }) => status === 404,
    );
    expect(letIn.status).to.equal(404);
    expect((await partner.status(token, 1)).status, 'tokens from before stay invalid').to.equal(
      401,
    );
    await act(credentials.client_id, 'revoke');
    await refusedAfter(partner, again);
    expect(await partner.token()).to.equal(undefined);
  });

  it('ends a revoked login at the other service, and no other login', async () => {
    const credentials = await client();
    const partner = at(other, credentials);
    const [ended, going] = [await at(one, credentials).token(), await at(one, credentials).token()];
    expect(
      (
        await within(
          () => partner.status(ended, 1),
          ({ status }) => status === 404,
        )
      ).status,
    ).to.equal(404);
    const revoked = await fetch(`${one.address}/api/seguros/auth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ ...credentials, token: ended }),
    });
    expect(revoked.status).to.equal(200);
    await refusedAfter(partner, ended);
    expect((await partner.status(going, 1)).status).to.equal(404);
  });

  it('sends no query to the database per request', async () => {
    const { partner, token } = await known();
    const ask = () =>
      partner.call('/seguros/ingresso-protegido/create', token, { method: 'POST', body: '{}' });
    await ask();
    // Also right after a change that the service made itself.
    const created = {
      method: 'POST',
      body: JSON.stringify({ name: 'X', channelLink: 'canal-demo' }),
    };
    expect((await partner.call('/admin/api-clients', adminToken, created)).status).to.equal(201);
    proxy.roundTrips = 0;
    const began = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async () => (await ask()).status),
    );
    const seconds = (performance.now() - began) / 1000;
    expect(new Set(statuses)).to.deep.equal(new Set([422]));
    // Background queries: changes, counters of the rate limit, polls for jobs, notes of requests.
    expect(proxy.roundTrips).to.be.below(150 + 40 * seconds);
  });

  it('reaches the other service without notifications from PostgreSQL', async () => {
    const LISTENERS = `from pg_stat_activity
      where datname = current_database() and query like 'listen insurance_sales%'`;
    const haveListeners = async (): Promise<void> => {
      const listening = () => rowsIn(url, `select ${LISTENERS}`);
      expect(await within(listening, ({ length }) => length === 2)).to.have.length(2);
    };
    const refusedWithout = async (): Promise<number> => {
      const { credentials, partner, token } = await known();
      await haveListeners();
      // A listener reconnects 1 s after it was cut off: cut it right before the change.
      await rowsIn(url, `select pg_terminate_backend(pid) ${LISTENERS}`);
      await act(credentials.client_id, 'deactivate');
      return refusedAfter(partner, token);
    };
    expect(await leastTimeOf(SECOND, refusedWithout)).to.be.below(SECOND);
    await haveListeners();
  });

  it('answers a hundred simultaneous refreshes alike, and revokes the login at a replay', async () => {
    const { credentials } = await known();
    const login = await fetch(`${one.address}/api/seguros/auth/token`, {
      method: 'POST',
      body: new URLSearchParams(credentials),
    });
    const first = (await login.json()) as { access_token: string; refresh_token: string };
    const refresh = async (process: ServiceProcess, refresh_token: string) => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token });
      const answer = await fetch(`${process.address}/api/seguros/auth/token`, {
        method: 'POST',
        body,
      });
      return {
        status: answer.status,
        ...((await answer.json()) as { access_token: string; refresh_token: string }),
      };
    };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        refresh(index % 2 === 0 ? one : other, first.refresh_token),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(answers.map((each) => each.refresh_token)).size).to.equal(1);
    const [successor] = answers;
    expect((await at(other, credentials).status(successor?.access_token ?? '', 1)).status).to.equal(
      404,
    );
    const families = `select from token_family where client_id = '${credentials.client_id}' and revoked_at is null`;
    // This login, and the first one of the client.
    expect(await rowsIn(url, families)).to.have.length(2);

    const third = await refresh(other, successor?.refresh_token ?? '');
    expect(third.status).to.equal(200);
    // As if the minute had passed in which a retry is allowed.
    await rowsIn(
      url,
      `update refresh_token set rotated_at = rotated_at - interval '61 seconds' where rotated_at is not null`,
    );
    expect((await refresh(one, first.refresh_token)).status).to.equal(400);
    expect((await refresh(other, third.refresh_token)).status).to.equal(400);
    expect(await rowsIn(url, families)).to.have.length(1);
    await refusedAfter(at(other, credentials), third.access_token);
    const audit = await administrator.call('/admin/audit?action=token.reused', adminToken);
    const { response } = (await audit.json()) as { response: { data: { subject: string }[] } };
    expect(response.data.map(({ subject }) => subject)).to.deep.equal([
      `api-client/${credentials.client_id}`,
    ]);
  });

  describe('npm run admin', () => {
    const environment = () => ({ DATABASE_URL: url, DATA_DIR: 'memory:' });
    const admin = async (...words: string[]) => {
      const { code, output, errors } = await runOperator(words, environment());
      expect(code, errors).to.equal(0);
      return JSON.parse(output);
    };

    it('creates, lists, shows, rotates and revokes clients of a running service', async () => {
      const made = await admin(
        'create-client',
        '--name',
        'Feita no terminal',
        '--channel',
        'canal-demo',
      );
      const partner = at(other, made);
      // The other service knows the client within a second.
      const token = await within(
        () => partner.token(),
        (issued) => issued !== undefined,
      );
      const letIn = await within(
        () => partner.status(token, 1),
        ({ status }) => status === 404,
      );
      expect(letIn.status).to.equal(404);
      expect(
        (await admin('list', '--status', 'active')).map(({ client_id }: Credentials) => client_id),
      ).to.include(made.client_id);
      expect(await admin('show', made.client_id)).to.include({
        name: 'Feita no terminal',
        status: 'active',
      });
      const rotated = await admin('rotate', made.client_id, '--grace-hours', '0');
      await refusedAfter(partner, token);
      const renewed = await at(other, rotated).token();
      expect(await admin('deactivate', made.client_id)).to.include({ status: 'inactive' });
      await refusedAfter(partner, renewed);
      expect(await admin('activate', made.client_id)).to.include({ status: 'active' });
      expect(await admin('revoke', made.client_id)).to.deep.include({
        status: 'revoked',
        secrets: [],
      });

      const audit = await administrator.call(
        `/admin/audit?subject=api-client%2F${made.client_id}`,
        adminToken,
      );
      const { response } = (await audit.json()) as {
        response: { data: { action: string; actor: { kind: string } }[] };
      };
      expect(response.data.map(({ action, actor }) => `${actor.kind} ${action}`)).to.deep.equal([
        'operator client.revoked',
        'operator client.activated',
        'operator client.deactivated',
        'operator client.secret_rotated',
        'operator client.created',
      ]);
    });

    it('exits with 1 and a reason when it fails', async () => {
      const FAULTS: readonly [string[], RegExp][] = [
        [['rotate', 'unknown'], /there is no such client/],
        [['create-client', '--name', 'X'], /--channel is needed/],
        [['create-client', '--channel', 'x'], /--name/],
        [
          ['create-client', '--name', 'X', '--channel', 'canal-dem'],
          /there is no channel canal-dem: the nearest is canal-demo/,
        ],
        [['list', '--status', 'gone'], /Allowed choices are active, inactive, revoked/],
        [['rotate', 'x', '--grace-hours', '169'], /from 0 to 168/],
        [['frobnicate'], /unknown command/],
      ];
      for (const [words, message] of FAULTS) {
        const failed = await runOperator(words, environment());
        expect(failed.code, words.join(' ')).to.equal(1);
        expect(failed.errors).to.match(message);
      }
    });
  });
});

describe('the rate limit of two services on one PostgreSQL', () => {
  const running: ServiceProcess[] = [];
  after(() => Promise.all(running.map((each) => each.end('SIGKILL'))));

  it('counts their requests together', async () => {
    const shared = {
      DATABASE_URL: await sharedPostgres.migratedDatabase(),
      PUBLIC_URL: 'http://sales.test',
      SIGNING_KEY,
      RATE_LIMIT: '20',
    };
    for (let count = 0; count < 2; count += 1) {
      const service = new ServiceProcess(shared);
      running.push(service);
      await service.ready();
    }
    const partners = running.map(
      (each) => new Partner(`${each.address}/api`, running[0]?.credentials('Demo partner')),
    );
    const token = (await partners[0]?.token()) ?? '';
    for (let count = 0; count < 18; count += 1)
      expect((await partners[0]?.status(token, 1))?.status).to.equal(404);
    const statuses: number[] = [];
    const ask = async () => {
      const answer = await (partners[1] as Partner).status(token, 1);
      statuses.push(answer.status);
      return answer;
    };
    const refused = await within(ask, ({ status }) => status === 429);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 60);
    // The first service's count reaches the second within a second: a few requests pass until then.
    expect(statuses.filter((status) => status === 404).length).to.be.below(20);
  });
});
