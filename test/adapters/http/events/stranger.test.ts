import { expect } from 'chai';
import { PartnerProcess } from '../../../support/partner-command.ts';
import { isInstalled, LANGUAGES, ReceiverProcess } from '../../../support/receivers.ts';
import { LocalService, Partner } from '../../../support/service.ts';
import { sharedPostgres } from '../../../support/shared.ts';

const WEBHOOKS = '/private/integration/webhooks';
const SALE = '/private/integration/sale';

/** A receiver that was written from the guide, and a service. */
describe("a stranger's receiver", () => {
  let service: LocalService;
  let baseUrl = '';
  let partner: Partner;
  let token = '';

  before(async () => {
    const DATABASE_URL = await sharedPostgres.migratedDatabase();
    service = await LocalService.start({ DATABASE_URL, DATA_DIR: 'memory:' });
    baseUrl = service.baseUrl;
    partner = new Partner(baseUrl, service.credentials('Demo partner'));
    token = await partner.token();
  });
  after(() => service.end());

  const call = async (method: string, path: string, body?: object) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await partner.call(path, token, init);
    const text = await response.text();
    expect(response.ok, `${method} ${path}: ${text}`).to.equal(true);
    return text === '' ? undefined : JSON.parse(text).data;
  };

  const sell = (externalSaleId: string) =>
    call('POST', SALE, {
      externalSaleId,
      product: { code: 'LUA_DE_MEL' },
      insured: { name: 'Maria da Silva', cpfOrCnpj: '52998224725', email: 'maria@example.com' },
      coverage: { startDate: '2199-12-01', endDate: '2199-12-15' },
      payment: { status: 'paid', method: 'pix' },
    });

  for (const language of LANGUAGES)
    it(`in ${language.name} takes deliveries, also while its secret is changed`, async function () {
      if (!isInstalled(language)) {
        process.stderr.write(`${language.name} is not installed here: its receiver is not run.\n`);
        this.skip();
      }
      // To find a free port; it ends before the endpoint is registered.
      const finder = await ReceiverProcess.start(language, 'whsec_AAAA');
      await finder.end();
      const events = ['sale.paid', 'webhook.test', 'certificate.sent'];
      const endpoint = await call('POST', WEBHOOKS, { url: finder.url, events });
      const first = await ReceiverProcess.start(language, endpoint.secret, finder.port);
      try {
        await sell(`stranger-${language.name}`);
        await first.hasPrinted('sale.paid');
        await first.hasPrinted('certificate.sent');
        const rotated = await call('POST', `${WEBHOOKS}/${endpoint.id}/rotate-secret`);
        expect(rotated.secret)
          .to.match(/^whsec_/)
          .and.not.equal(endpoint.secret);
        await call('POST', `${WEBHOOKS}/${endpoint.id}/test`);
        await first.hasPrinted('webhook.test');
        await first.end();

        const second = await ReceiverProcess.start(language, rotated.secret, finder.port);
        await call('POST', `${WEBHOOKS}/${endpoint.id}/test`);
        await second.hasPrinted('webhook.test').finally(() => second.end());
      } finally {
        await first.end();
        await call('DELETE', `${WEBHOOKS}/${endpoint.id}`);
      }
    });

  it('is the command of the repository, which registers itself and hears of sales', async () => {
    const { client_id = '', client_secret = '' } = service.credentials('Demo partner') ?? {};
    const environment = {
      SALES_URL: baseUrl,
      CLIENT_ID: client_id,
      CLIENT_SECRET: client_secret,
    };
    const types = 'sale.registered,sale.paid';
    const webhooks = new PartnerProcess(
      ['listen', '--port', '0', '--register', '--type', types, '--count', '2'],
      environment,
    );
    await webhooks.printed(/Escutando em/);
    await sell('stranger-listens');
    const { code, out, errors } = await webhooks.ended();
    expect([code, errors.split('\n').length]).to.deep.equal([0, 2]);
    const line = (type: string): RegExp =>
      new RegExp(`^\\S+ ${type} venda \\d+ \\(stranger-listens\\) status paid versão 1$`, 'm');
    expect(out).to.match(line('sale.registered')).and.to.match(line('sale.paid'));
    expect(out).to.include('2 eventos, 0 entregas recusadas.');
    expect(await call('GET', WEBHOOKS)).to.deep.equal([]);

    const feed = new PartnerProcess(
      ['listen', '--feed', '--from-start', '--type', 'sale.paid', '--count', '1', '--json'],
      environment,
    );
    const [body] = (await feed.ended()).out.split('\n');
    expect(JSON.parse(body ?? '')).to.include({ type: 'sale.paid' });
  });

  it('finds in the log of the service no secret and nothing about the customer', async () => {
    const log = service.output
      .split('\n')
      .filter((line) => line.startsWith('{"level"'))
      .join('\n');
    expect(log).to.include('/private/integration/webhooks');
    for (const word of ['whsec_', 'Maria', '52998224725', 'maria@example.com'])
      expect(log).not.to.include(word);
  });
});
