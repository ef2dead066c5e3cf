import { expect } from 'chai';
import { Market, type SaleRow } from '../support/market.ts';
import { phoneOrder } from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { Partner, type ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

interface Call {
  readonly provider: string;
  readonly question: string;
  readonly answer: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into bodies of several shapes
const dataOf = async (answer: Response): Promise<any> =>
  ((await answer.json()) as { response?: { data?: object } }).response?.data;

describe('a sale that is stuck, on two services', function () {
  this.timeout(300_000);
  let market: Market;
  let one: ServiceProcess;
  let other: ServiceProcess;
  before(async () => {
    market = await Market.open(await sharedPostgres.migratedDatabase());
    [one, other] = [await market.service(), await market.service()];
    await market.notify(other);
  });
  after(() => market?.close());

  /** Calls an endpoint for administrators. */
  const administer = async (
    service: ServiceProcess,
    path: string,
    body?: object,
  ): Promise<Response> => {
    const client = new Partner(`${service.address}/api`, one.credentials('Administrator'));
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return client.call(path, await client.token(), init);
  };
  /** Sells by link, and pays, while the insurer is down. */
  const sellUnissued = async (key: string): Promise<SaleRow> => {
    await market.insurer.set({ down: true });
    const partner = market.partner(other);
    await partner.call('/seguros/seguro-celular/create', await partner.token(), {
      method: 'POST',
      body: JSON.stringify(phoneOrder()),
      headers: { 'Idempotency-Key': key },
    });
    await market.pay((await market.sale(key)) as SaleRow);
    return market.until(key, /paid/);
  };
  /** Gives up, again while a job has the sale. @returns the status of the answer */
  const giveUp = async (service: ServiceProcess, { id }: SaleRow): Promise<number> => {
    const path = `/admin/transactions/${id}/give-up`;
    const order = async () => (await administer(service, path, { reason: 'stuck' })).status;
    return market.asMinutesPass(order, (status) => status !== 409);
  };

  it('shows on any service each question to a provider and its answer, and is retried', async () => {
    const sale = await sellUnissued('retried');
    const path = `/admin/transactions/${sale.id}`;
    const look = async () => dataOf(await administer(one, path));
    const shown = await within(
      look,
      ({ provider_calls: calls }) =>
        calls.some(({ question }: Call) => /papers|issue/.test(question)) &&
        calls.some(({ answer }: Call) => answer.startsWith('approved')),
    );
    expect(shown).to.deep.nested.include({ status: 'paid', 'next.action': 'issue' });
    expect(shown.job.tries).to.be.at.least(1);
    const unanswered = shown.provider_calls.filter(({ provider }: Call) => provider !== 'asaas');
    expect(unanswered[0].answer).to.match(/^no(t reached| answer)$/);

    await market.insurer.set({ down: false });
    const outcome = await market.asMinutesPass(
      async () => dataOf(await administer(one, `${path}/retry`, {})),
      (data) => data?.outcome === 'settled',
    );
    expect(outcome).to.deep.include({ outcome: 'settled', status: 'issued' });
    await market.expectSound((await market.sale('retried')) as SaleRow, 'retried');
  });

  it('is given up although the service is killed while the gateway hangs', async () => {
    const sale = await sellUnissued('killed');
    await market.asaas.set({ habits: ['hang-before', 'hang-before', 'hang-before'] });
    const givenUp = giveUp(one, sale).catch(() => 'cut');
    await market.until('killed', /cancelled/);
    await one.end('SIGKILL');
    expect(await givenUp).to.equal('cut');

    await market.asaas.set({ habits: [] });
    await market.insurer.set({ down: false });
    // A step of before may still issue the policy; the refund does not wait for its withdrawal.
    await market.asMinutesPass(
      async () => [(await market.sale('killed'))?.status, await market.policiesInForce(sale)],
      ([status, inForce]) => status === 'refunded' && inForce === 0,
    );
    await market.expectSound((await market.sale('killed')) as SaleRow, 'killed');
    const [mail] = await rowsIn<{ count: number }>(
      market.url,
      'select count(*)::int as count from cancellation_mailing where sale_id = $1',
      [sale.id],
    );
    expect(mail?.count).to.equal(1);
  });
});
