import { expect } from 'chai';
import { letMinutesPass, Market, type SaleRow } from '../support/market.ts';
import { address, artistOrderToday, byCard, creditCard, phoneOrder } from '../support/orders.ts';
import { PostgresServer, rowsIn } from '../support/postgres.ts';
import { bash, Partner, ServiceProcess } from '../support/service.ts';
import { embeddedDataFolder, sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { taxedToday } from '../support/today.ts';

const ARTIST = '/seguros/artista-protegido/create';
const PHONE = '/seguros/seguro-celular/create';

const artistByCard = artistOrderToday({ payment: byCard() });
const phoneByCard = phoneOrder({ address, creditCard: creditCard() });

const allSales = (url: string): Promise<SaleRow[]> =>
  rowsIn<SaleRow>(url, 'select id::int, ticket, status from sale order by id');

describe('two services whose gateway and insurer fail', () => {
  let market: Market;
  let one: ServiceProcess;
  let other: ServiceProcess;
  before(async () => {
    market = await Market.open(await sharedPostgres.migratedDatabase());
    [one, other] = [await market.service(), await market.service()];
    await market.notify(one);
  });
  after(() => market?.close());

  const post = async (
    service: ServiceProcess,
    path: string,
    body: object,
    key: string,
  ): Promise<Response> => {
    const partner = market.partner(service);
    return partner.call(path, await partner.token(), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Idempotency-Key': key },
    });
  };
  const sound = async (key: string, status: RegExp): Promise<SaleRow> => {
    const sale = await market.until(key, status);
    await market.expectSound(sale, key);
    return sale;
  };

  it('charge once when the gateway’s answer is lost', async () => {
    for (const [habit, path, body] of [
      ['cut-after', ARTIST, artistByCard],
      ['500-after', PHONE, phoneByCard],
      ['502-after', PHONE, phoneByCard],
    ] as const) {
      await market.asaas.set({ habits: [habit] });
      expect((await post(one, path, body, habit)).status, habit).to.equal(200);
      await sound(habit, /issued/);
    }
  });

  it('charge nothing while the gateway is down, and send the payment link afterwards', async () => {
    await market.asaas.set({ down: true });
    expect((await post(one, PHONE, phoneByCard, 'down-card')).status).to.be.oneOf([200, 422]);
    expect((await post(one, PHONE, phoneOrder(), 'down-link')).status).to.equal(200);
    await letMinutesPass(market.url);
    await market.asaas.set({ down: false });
    // After several failures the service sends a provider no requests for some seconds.
    const link = await market.asMinutesPass(
      () => market.sale('down-link'),
      (each) => each?.status === 'awaiting_payment',
    );
    expect(link?.status).to.equal('awaiting_payment');
    await sound('down-card', /refused|issued/);
    await market.pay(link as SaleRow);
    const issued = await market.asMinutesPass(
      () => market.sale('down-link'),
      (each) => each?.status === 'issued',
    );
    expect(issued?.status).to.equal('issued');
    await market.expectSound(issued as SaleRow, 'down-link');
  });

  it('charge no card while the insurer is down, and issue paid sales afterwards', async () => {
    const link = (await post(one, PHONE, phoneOrder(), 'insurer-link')).status;
    expect(link).to.equal(200);
    await market.insurer.set({ down: true });
    expect((await post(one, ARTIST, artistByCard, 'insurer-card')).status).to.equal(400);
    await market.pay((await market.sale('insurer-link')) as SaleRow);
    await market.until('insurer-link', /paid/);
    for (let round = 0; round < 6; round += 1) {
      await letMinutesPass(market.url);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect((await market.sale('insurer-link'))?.status).to.equal('paid');
    await market.insurer.set({ down: false });
    const issued = await market.asMinutesPass(
      () => market.sale('insurer-link'),
      (each) => each?.status === 'issued',
    );
    await market.expectSound(issued as SaleRow, 'insurer-link');
    await sound('insurer-card', /refused/);
  });

  it('issue one policy when the insurer’s answer is lost or invalid', async () => {
    await market.insurer.set({ habits: ['cut-after', 'nonsense', '500-after', 'cut-after'] });
    expect((await post(one, ARTIST, artistOrderToday(), 'lost')).status).to.equal(200);
    const sale = await market.asMinutesPass(
      () => market.sale('lost'),
      (each) => each?.status === 'awaiting_payment',
    );
    await market.pay(sale as SaleRow);
    const issued = await market.asMinutesPass(
      () => market.sale('lost'),
      (each) => each?.status === 'issued',
    );
    await market.expectSound(issued as SaleRow, 'lost');
  });

  it('show an unknown status of the insurer as Unknown, and raise an alert', async () => {
    await market.insurer.set({ words: { ACEITA: 'EM_AUDITORIA' } });
    const created = await post(one, ARTIST, artistOrderToday(), 'word');
    const { ticket } = ((await created.json()) as { response: { data: { ticket: string } } })
      .response.data;
    const partner = market.partner(one);
    const answer = await partner.call(
      `/seguros/artista-protegido/status/${ticket}`,
      await partner.token(),
    );
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.deep.nested.include({
      'response.data.proposal_status': 'Unknown',
    });
    await one.logged(/"kind":"status_unknown".*EM_AUDITORIA/);
    await market.insurer.set({ words: {} });
  });

  it('count a payment once when notices are repeated, out of order, late or forged', async () => {
    await market.notify(one, { copies: 3, reversed: true });
    await post(one, PHONE, phoneOrder(), 'notices');
    const sale = (await market.sale('notices')) as SaleRow;
    await market.pay(sale);
    await sound('notices', /issued/);
    const url = `${one.address}/webhooks/payments/asaas`;
    const notice = {
      id: 'evt_late',
      event: 'PAYMENT_OVERDUE',
      payment: { id: 'pay_x', externalReference: `${sale.id}-${sale.ticket}` },
    };
    const send = (token: string) =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'asaas-access-token': token },
        body: JSON.stringify(notice),
      });
    expect((await send('forged token')).status).to.equal(401);
    expect((await send('asaas-webhook-token-of-the-tests')).status).to.equal(200);
    expect((await send('asaas-webhook-token-of-the-tests')).status).to.equal(200);
    const outcome = () =>
      rowsIn<{ outcome: string }>(
        market.url,
        `select outcome from payment_notice where id = 'evt_late'`,
      );
    expect(await within(outcome, ([row]) => row?.outcome !== 'received')).to.deep.equal([
      { outcome: 'unchanged' },
    ]);
    await sound('notices', /issued/);
    const kept = await rowsIn(
      market.url,
      `select 1 from payment_notice where outcome = 'received'`,
    );
    expect(kept).to.deep.equal([]);
    await market.notify(one);
  });

  it('charge once for twenty simultaneous copies of an order, with notices and jobs', async () => {
    const copies = Array.from({ length: 20 }, (_, index) =>
      post(index % 2 === 0 ? one : other, ARTIST, artistByCard, 'copies'),
    );
    const statuses = (await Promise.all(copies)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).to.be.at.least(1);
    expect(new Set(statuses)).to.satisfy((seen: Set<number>) =>
      [...seen].every((status) => status === 200 || status === 409),
    );
    const sale = (await market.sale('copies')) as SaleRow;
    const notice = (id: number) => ({
      id: `evt_copy_${id}`,
      event: 'PAYMENT_CONFIRMED',
      payment: { externalReference: `${sale.id}-${sale.ticket}` },
    });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        fetch(`${(index % 2 === 0 ? one : other).address}/webhooks/payments/asaas`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'asaas-access-token': 'asaas-webhook-token-of-the-tests',
          },
          body: JSON.stringify(notice(index)),
        }),
      ),
    );
    await letMinutesPass(market.url);
    await sound('copies', /issued/);
  });

  it('refund once when both cancel at the same time', async () => {
    await post(one, PHONE, phoneByCard, 'cancel');
    const { ticket } = (await sound('cancel', /issued/)) as SaleRow;
    const cancel = async (service: ServiceProcess) => {
      const partner = market.partner(service);
      return partner.call(`/private/integration/sale/${ticket}/cancel`, await partner.token(), {
        method: 'POST',
        body: '{}',
      });
    };
    const answers = await Promise.all([one, other, one, other].map(cancel));
    expect(answers.map(({ status }) => status)).to.include(200);
    await letMinutesPass(market.url);
    const sale = await market.until('cancel', /refunded/);
    // The service waits before it asks a failed insurer again; then it cancels the policy.
    await market.asMinutesPass(
      () => market.policiesInForce(sale),
      (inForce) => inForce === 0,
    );
    await market.expectSound(sale, 'cancel');
  });
});

describe('a database that is down in the middle of sales', function () {
  this.timeout(240_000);

  it('loses no sale and no policy, and charges none twice', async function () {
    if (process.env['TEST_DATABASE_URL'] !== undefined) this.skip();
    const server = new PostgresServer();
    const market = await Market.open(await server.database());
    try {
      const service = await market.service();
      await market.notify(service);
      const partner = market.partner(service);
      const token = await partner.token();
      const post = (path: string, body: object, key: string) =>
        partner.call(path, token, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'Idempotency-Key': key },
        });
      const orders = Array.from({ length: 16 }, (_, index) => ({
        key: `order-${index}`,
        isArtist: index % 2 === 0,
      }));
      const send = ({ key, isArtist }: (typeof orders)[number]) =>
        post(isArtist ? ARTIST : PHONE, isArtist ? artistByCard : phoneByCard, key);
      const first = Promise.allSettled(orders.map(send));
      await within(
        async () => (await market.asaas.state()).payments.length,
        (count) => count > 2,
      );
      await server.outage(async () => {
        await new Promise((resolve) => setTimeout(resolve, 500));
      });
      await first;
      for (const each of orders) {
        await letMinutesPass(market.url);
        const answer = await within(
          () => send(each),
          ({ status }) => status !== 503 && status !== 409,
        );
        expect(answer.status, each.key).to.be.oneOf([200, 400, 422]);
      }
      for (const { key } of orders)
        await market.expectSound(await market.until(key, /issued|refused/), key);
      expect((await allSales(market.url)).length).to.equal(orders.length);
    } finally {
      await market.close();
      await server.stop();
    }
  });
});

describe('the embedded service with its sandbox', function () {
  this.timeout(240_000);

  it('issues the policy after a restart when it is killed right after the payment', async () => {
    const DATA_DIR = await embeddedDataFolder();
    const first = new ServiceProcess({ DATA_DIR, PUBLIC_URL: 'http://sales.test' });
    await first.ready();
    const credentials = first.credentials('Demo partner');
    const partner = new Partner(`${first.address}/api`, credentials);
    const created = await partner.call(PHONE, await partner.token(), {
      method: 'POST',
      body: JSON.stringify(phoneOrder()),
    });
    const { link, data } = (await created.json()) as {
      link: string;
      data: { transaction_id: number; ticket: string };
    };
    const paid = await fetch(first.address + new URL(link).pathname, {
      method: 'POST',
      body: new URLSearchParams({ action: 'pay', method: 'pix' }),
      redirect: 'manual',
    });
    expect(paid.status).to.equal(303);
    await first.end('SIGKILL');

    const second = new ServiceProcess({ DATA_DIR, PUBLIC_URL: 'http://sales.test' });
    await second.ready();
    const again = new Partner(`${second.address}/api`, credentials);
    const token = await again.token();
    const status = async () =>
      (await again.call(`/seguros/seguro-celular/status/${data.ticket}`, token)).json() as Promise<{
        data: { status: string };
      }>;
    expect(
      (await within(status, (answer) => answer.data.status === 'issued')).data.status,
    ).to.equal('issued');
    const ledger = await fetch(
      `${second.address}/sandbox/charges?transaction_id=${data.transaction_id}`,
      {
        headers: { Authorization: `Bearer ${token}` },
      },
    );
    expect(await ledger.json()).to.deep.nested.include({
      'charges.length': 1,
      'charges[0].status': 'paid',
      'charges[0].amount': taxedToday(2_990).total,
    });
    await second.end('SIGKILL');
    expect(await bash(`grep -rlaE '4111111111111111' ${DATA_DIR} | wc -l`)).to.equal('0\n');
  });
});
