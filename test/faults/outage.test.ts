import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { PostgresServer } from '../support/postgres.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { within } from '../support/stores.ts';

const sale = mainBody();

describe('a database outage', () => {
  let server: PostgresServer;
  let service: ServiceProcess | undefined;
  before(function () {
    if (process.env['TEST_DATABASE_URL'] !== undefined) this.skip();
    server = new PostgresServer();
  });
  after(async () => {
    await service?.end('SIGKILL');
    await server?.stop();
  });

  it('causes answers of 503, but loses no sale, makes none twice and needs no restart', async () => {
    service = new ServiceProcess({ DATABASE_URL: await server.database(), DATA_DIR: 'memory:' });
    const baseUrl = await service.ready();
    const partner = new Partner(baseUrl, service.credentials('Demo partner'));
    const token = await partner.token();
    const { data } = (await (await partner.sell(token, sale, 'before')).json()) as {
      data: { transaction_id: number };
    };

    await server.outage(async () => {
      const refused = await partner.sell(token, sale, 'during');
      expect(refused.status).to.equal(503);
      expect(Number(refused.headers.get('Retry-After'))).to.be.above(0);
      expect(await refused.json()).to.include({ success: false, status_code: '503' });
      const { origin } = new URL(baseUrl);
      expect((await fetch(`${origin}/health/ready`)).status).to.equal(503);
      expect((await fetch(`${origin}/health/live`)).status).to.equal(200);
    });

    const again = await within(
      () => partner.sell(token, sale, 'during'),
      ({ status }) => status !== 503,
    );
    expect(again.status).to.equal(200);
    const before = await partner.sell(token, sale, 'before');
    expect(before.headers.get('Idempotent-Replayed')).to.equal('true');
    expect(await before.json()).to.deep.nested.include({
      'data.transaction_id': data.transaction_id,
    });
    const log = service.output.split('\n').filter((line) => line.startsWith('{'));
    expect(log.join('\n')).not.to.match(/5299822472|127\.0\.0\.1:\d+\/test_|postgres:\/\//);
  });

  it('stops requests; afterwards a deactivated client is refused at once', async () => {
    const known = service as ServiceProcess;
    const baseUrl = `${known.address}/api`;
    const [partner, administrator] = (['Demo partner', 'Administrator'] as const).map(
      (who) => new Partner(baseUrl, known.credentials(who)),
    ) as [Partner, Partner];
    const [token, adminToken] = [await partner.token(), await administrator.token()];
    // 422 for its content: the request needs the database only to authenticate the client.
    const ask = () =>
      partner.call('/seguros/ingresso-protegido/create', token, { method: 'POST', body: '{}' });
    expect((await ask()).status).to.equal(422);
    await server.outage(async () => {
      expect((await within(ask, ({ status }) => status === 503)).status).to.equal(503);
    });
    expect((await within(ask, ({ status }) => status === 422)).status).to.equal(422);
    const { client_id } = known.credentials('Demo partner') ?? {};
    await administrator.call(`/admin/api-clients/${client_id}/deactivate`, adminToken, {
      method: 'POST',
      body: '{}',
    });
    expect((await ask()).status).to.equal(401);
  });
});
