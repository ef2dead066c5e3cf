import { expect } from 'chai';
import { type Answer, Api } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { phoneOrder } from '../../../support/orders.ts';

const PHONE = '/admin/products/CELULAR';
const TRIP = '/admin/products/LUA_DE_MEL';
const CHANNEL = '/admin/channels/canal-demo';
const CREATE = '/seguros/seguro-celular/create';
const QUOTES = '/private/integration/quotes';

/** The last second of 3 December 2026 in São Paulo, three hours behind UTC. */
const LAST_SECOND = '2026-12-04T02:59:59.000Z';
const NEXT_DAY = '2026-12-04';

describe('the dated catalogue', () => {
  let api: Api;
  let admin: { Authorization: string };
  let partner: { Authorization: string };
  let count = 0;

  const startAt = async (now: string) => {
    api = await new Api({ now }).start();
    admin = await api.bearer(null);
    partner = await api.bearer();
  };
  beforeEach(() => startAt(LAST_SECOND));
  afterEach(() => api.stop());

  const midnight = () => api.memory.clock.advance(1);
  const dataOf = ({ body }: Answer) => body.response?.data ?? body.data;
  const read = async (path: string) => dataOf(await api.get(path, admin));
  /** Puts the definition in force with changes. */
  const put = async (path: string, over: object): Promise<Answer> => {
    const { version: _, effectiveFrom: __, ...present } = await read(path);
    return api.put(path, { ...present, ...over }, admin);
  };
  const withPrice = async (path: string, amount: number) => {
    const [first, ...others] = (await read(path)).plans;
    return { plans: [{ ...first, tariff: { kind: 'fixed', amount } }, ...others] };
  };
  const announcePrice = async (path: string, amount: number, effectiveFrom: string = NEXT_DAY) =>
    put(path, { ...(await withPrice(path, amount)), effectiveFrom });
  const withdraw = (path: string, day: string): Promise<Answer> =>
    api.call(`${path}/versions/${day}`, { method: 'DELETE', headers: admin });
  const sell = async (over: object = {}): Promise<Answer> =>
    api.post(SALE, saleOrder({ externalSaleId: `dated-${++count}`, ...over }), partner);
  const paidOn = (paidAt: string) => ({ payment: { status: 'paid', method: 'pix', paidAt } });
  const netOf = (answer: Answer): number => {
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
    return dataOf(answer).amounts.net_premium;
  };

  it('sells at the new price from the first second of the day, and at the old one what was paid before', async () => {
    await announcePrice(TRIP, 500);
    const before = netOf(await sell(paidOn('2026-12-03')));
    expect(before).not.to.equal(500);
    midnight();
    expect(netOf(await sell(paidOn('2026-12-04')))).to.equal(500);
    expect(netOf(await sell(paidOn('2026-12-03'))), 'paid before, registered late').to.equal(
      before,
    );
  });

  it('shows what is in force, what is announced, and another day', async () => {
    const announced = await announcePrice(TRIP, 500);
    expect(announced.status).to.equal(200);
    expect(dataOf(announced)).to.deep.include({ version: 2, effectiveFrom: NEXT_DAY });
    const upcoming = [
      { effectiveFrom: NEXT_DAY, version: 2, updated_at: dataOf(announced).updated_at },
    ];
    expect(await read(TRIP)).to.deep.include({ version: 1, effectiveFrom: '2026-12-03', upcoming });
    expect((await read(`${TRIP}?on=${NEXT_DAY}`)).plans[0].tariff.amount).to.equal(500);
    const items = await read('/admin/products');
    expect(items.find(({ code }: { code: string }) => code === 'LUA_DE_MEL')).to.deep.include({
      version: 1,
      upcoming,
    });
    midnight();
    expect(await read(TRIP)).to.deep.include({ version: 2, upcoming: [] });
  });

  it('replaces what was announced for a day; a change for now leaves it and names it', async () => {
    await announcePrice(TRIP, 500);
    expect(dataOf(await announcePrice(TRIP, 600)).version).to.equal(3);
    const now = await put(TRIP, await withPrice(TRIP, 700));
    expect(dataOf(now)).to.deep.include({ version: 4, effectiveFrom: '2026-12-03' });
    expect(dataOf(now).upcoming.map((each: { version: number }) => each.version)).to.deep.equal([
      3,
    ]);
    expect(netOf(await sell(paidOn('2026-12-03')))).to.equal(700);
    midnight();
    expect(netOf(await sell(paidOn(NEXT_DAY)))).to.equal(600);
  });

  it('takes the answer of a GET back as a change for now, or for its day', async () => {
    midnight();
    const present = await read(TRIP);
    expect(present.effectiveFrom).to.equal('2026-12-03');
    const renamed = await api.put(TRIP, { ...present, name: 'Outro nome' }, admin);
    expect(dataOf(renamed)).to.deep.include({ version: 2, effectiveFrom: NEXT_DAY });
    await announcePrice(TRIP, 500, '2026-12-10');
    const ahead = await read(`${TRIP}?on=2026-12-10`);
    expect(dataOf(await api.put(TRIP, ahead, admin)).version).to.equal(3);
    const changed = await api.put(TRIP, { ...ahead, name: 'Mais um nome' }, admin);
    expect(dataOf(changed)).to.deep.include({ version: 4, effectiveFrom: '2026-12-10' });
    const stale = await api.put(TRIP, ahead, admin);
    expect(stale.status).to.equal(409);
    expect(stale.body).to.include({ code: 'version_conflict', version: 4 });
  });

  it('refuses a day that is over, beside all other faults, and a text that is no day', async () => {
    const late = await put(TRIP, { effectiveFrom: '2026-12-02', name: '' });
    expect(late.status).to.equal(422);
    expect(late.body.errors).to.have.all.keys('effectiveFrom', 'name');
    expect(late.body.errors.effectiveFrom).to.deep.equal([
      'O campo effectiveFrom deve ser 2026-12-03 ou depois.',
    ]);
    for (const effectiveFrom of ['2026-02-30', '04/12/2026', 7])
      expect((await put(TRIP, { effectiveFrom })).status, String(effectiveFrom)).to.equal(422);
  });

  it('withdraws what is ahead, never what is in force', async () => {
    await announcePrice(TRIP, 500);
    expect((await withdraw(TRIP, '2026-12-05')).status).to.equal(404);
    expect((await withdraw(TRIP, 'amanha')).status).to.equal(404);
    expect((await withdraw(TRIP, '2026-12-03')).body.code).to.equal('catalogue_conflict');
    expect((await withdraw(TRIP, NEXT_DAY)).status).to.equal(204);
    expect((await withdraw(TRIP, NEXT_DAY)).status).to.equal(404);
    expect((await read(TRIP)).upcoming).to.deep.equal([]);
    midnight();
    expect(netOf(await sell(paidOn(NEXT_DAY)))).not.to.equal(500);
    const [last] = await read('/admin/audit?action=product.withdrawn');
    expect(last).to.deep.include({ subject: 'product/LUA_DE_MEL' });
  });

  it('keeps a product unknown until its first day, and says which that is', async () => {
    const { version: _, effectiveFrom: __, ...trip } = await read(TRIP);
    const plans = [{ ...trip.plans[0], id: 991, code: 'NOVO' }];
    const path = '/admin/products/NOVO';
    const own = { ...trip, code: 'NOVO', id: 990, name: 'Produto novo', plans, coverages: [] };
    const created = await api.put(path, { ...own, effectiveFrom: NEXT_DAY }, admin);
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    const granted = { code: 'NOVO', commissionRate: 10 };
    const grants = [...(await read(CHANNEL)).products, granted];
    const early = await put(CHANNEL, { products: grants });
    expect(early.status).to.equal(422);
    expect((await put(CHANNEL, { products: grants, effectiveFrom: NEXT_DAY })).status).to.equal(
      200,
    );
    const absent = await api.get(path, admin);
    expect(absent.status).to.equal(404);
    expect(absent.body.response).to.include(NEXT_DAY);
    // The channel needs it from that day on.
    const needed = await withdraw(path, NEXT_DAY);
    expect([needed.status, needed.body.code]).to.deep.equal([409, 'catalogue_conflict']);

    const product = { code: 'NOVO' };
    expect((await sell({ product, ...paidOn('2026-12-03') })).status).to.equal(422);
    midnight();
    expect((await sell({ product, ...paidOn(NEXT_DAY) })).status).to.equal(201);
    const tooEarly = await sell({ product, ...paidOn('2026-12-03') });
    expect(tooEarly.status, 'paid before its first day').to.equal(422);
  });

  it('ends quotes before what was announced, and not before what is announced later', async () => {
    const ask = async (over: object = {}) => {
      const wanted = {
        product: { code: 'LUA_DE_MEL' },
        plan: { id: 41 },
        coverage: saleOrder()['coverage'],
      };
      return dataOf(await api.post(QUOTES, { ...wanted, ...over }, partner));
    };
    const free = await ask();
    await announcePrice(TRIP, 500);
    const ending = await ask();
    expect(ending.valid_until).to.equal(LAST_SECOND);
    expect(free.valid_until > LAST_SECOND).to.equal(true);
    const ahead = await ask({ paymentDate: NEXT_DAY });
    expect(ahead.offers[0].amounts.net_premium).to.equal(500);

    const early = await sell({ quoteId: ahead.quote_id, ...paidOn('2026-12-03') });
    expect(early.status, 'paid before the quoted price begins').to.equal(422);
    expect(Object.keys(early.body.errors)).to.deep.equal(['payment.paidAt']);
    midnight();
    expect(netOf(await sell({ quoteId: ahead.quote_id, ...paidOn(NEXT_DAY) }))).to.equal(500);
    const late = await sell({ quoteId: ending.quote_id, ...paidOn(NEXT_DAY) });
    expect(late.body.errors['quoteId'], JSON.stringify(late.body)).to.have.length(1);
    const held = await sell({ quoteId: free.quote_id, ...paidOn(NEXT_DAY) });
    expect(netOf(held)).to.equal(free.offers[0].amounts.net_premium);
  });

  it('closes a link before a version that was announced when it was made, of product or channel', async () => {
    const untilOf = async () => {
      const { status, body } = await api.post(CREATE, phoneOrder(), partner);
      expect(status, JSON.stringify(body)).to.equal(200);
      const [charge] = await api.memory.sandbox.chargesOf(body.data.transaction_id);
      return charge?.until;
    };
    const open = await untilOf();
    expect(open).to.equal('2026-12-09T02:59:59.000Z');
    await put(CHANNEL, { name: 'Outro nome', effectiveFrom: '2026-12-05' });
    expect(await untilOf()).to.equal('2026-12-05T02:59:59.000Z');
    await announcePrice(PHONE, 10);
    expect(await untilOf()).to.equal(LAST_SECOND);
  });

  it('stops a channel at once, whenever it was paid', async () => {
    midnight();
    await put(CHANNEL, { active: false });
    const refused = await sell(paidOn('2026-12-03'));
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'channel_inactive']);
  });

  it('answers a repeated request by the catalogue of its sale', async () => {
    const order = saleOrder({ ...paidOn('2026-12-03'), externalSaleId: 'repeated' });
    const first = await api.post(SALE, order, partner);
    const [plan] = (await read(TRIP)).plans;
    const plans = [{ ...plan, id: 4_999, code: 'OUTRO_PLANO' }];
    await put(TRIP, { plans, effectiveFrom: NEXT_DAY });
    midnight();
    const again = await api.post(SALE, { ...order, plan: { code: plan.code } }, partner);
    expect([again.status, dataOf(again)?.transaction_id], JSON.stringify(again.body)).to.deep.equal(
      [200, dataOf(first).transaction_id],
    );
  });
});
