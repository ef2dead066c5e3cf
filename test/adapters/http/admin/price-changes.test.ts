import { expect } from 'chai';
import { Api } from '../../../support/api.ts';

const CHANGES = '/admin/catalogue/changes';
const TICKET = '/admin/products/INGRESSO';
const CHANNEL = '/admin/channels/canal-demo';
/** A day with a version, well before the end of IOF. */
const DAY = '2026-12-10';
const END_OF_IOF = '2027-01-01';

describe('the list of changes of prices', () => {
  let api: Api;
  let admin: { Authorization: string };

  beforeEach(async () => {
    api = await new Api({ now: '2026-12-03T15:00:00.000Z' }).start();
    admin = await api.bearer(null);
  });
  afterEach(() => api.stop());

  const list = async (query = '') => {
    const { status, body } = await api.get(`${CHANGES}?limit=200&${query}`, admin);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.response.data;
  };
  const put = async (path: string, over: object) => {
    const { body } = await api.get(path, admin);
    const { version: _, effectiveFrom: __, ...present } = body.response.data;
    const answer = await api.put(path, { ...present, ...over }, admin);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer;
  };
  const ofTicket = (query: string) => list(`product=INGRESSO&${query}`);
  const plansOfTicket = async () => (await api.get(TICKET, admin)).body.response.data.plans;

  it('says what the end of IOF does to each plan: a gross price brings 7.38 % more premium and commission', async () => {
    await put(TICKET, { pricingBasis: 'gross', effectiveFrom: DAY });
    const [change] = await ofTicket(`from=${END_OF_IOF}&to=${END_OF_IOF}`);
    expect(change).to.deep.include({
      day: END_OF_IOF,
      channelLink: 'canal-demo',
      product: 'INGRESSO',
      causes: ['iof'],
      net_premium_change: 7.38,
      commission_change: 7.35,
    });
    expect(change.before).to.deep.include({ net_premium: 93.13, iof: 6.87, total: 100 });
    expect(change.after).to.deep.include({ net_premium: 100, iof: 0, total: 100 });
    expect([change.before.commission, change.after.commission]).to.deep.equal([18.63, 20]);
    expect([change.before.net_amount, change.after.net_amount]).to.deep.equal([81.37, 80]);
  });

  it('shows that a version of that day can keep the net premium instead', async () => {
    const [first, ...others] = await plansOfTicket();
    const priced = (amount: number) => [{ ...first, tariff: { kind: 'fixed', amount } }, ...others];
    await put(TICKET, { pricingBasis: 'gross', plans: priced(100) });
    await put(TICKET, { pricingBasis: 'gross', plans: priced(93.13), effectiveFrom: END_OF_IOF });
    const [change] = await ofTicket('from=2026-12-31');
    expect(change.causes).to.deep.equal(['iof', 'product']);
    expect(change.before).to.deep.include({ net_premium: 93.13, total: 100 });
    expect(change.after).to.deep.include({ net_premium: 93.13, total: 93.13 });
    expect([change.net_premium_change, change.commission_change]).to.deep.equal([0, 0]);
  });

  it('takes the price and the insured amount of the question', async () => {
    const [declared] = await list('product=ARTISTA&price=188,60');
    expect(declared.before).to.deep.include({ net_premium: 188.6, total: 202.52 });
    const [byRate] = await ofTicket('insuredAmount=2.000,00');
    expect(byRate.before).to.deep.include({ net_premium: 200, total: 214.76 });
  });

  it('lists what a version of a channel begins, ends or changes, and nothing before or after the days asked for', async () => {
    const { products } = (await api.get(CHANNEL, admin)).body.response.data;
    const isTicket = ({ code }: { code: string }) => code === 'INGRESSO';
    const rest = products.filter((each: { code: string }) => !isTicket(each));
    await put(CHANNEL, { products: rest, effectiveFrom: DAY });
    const more = rest.map((each: object) => ({ ...each, commissionRate: 10, plans: [] }));
    await put(CHANNEL, {
      products: [...more, products.find(isTicket)],
      effectiveFrom: '2026-12-20',
    });
    const [ended, begun, ...others] = await ofTicket('from=2026-12-04&to=2026-12-31');
    expect([ended.day, ended.causes, ended.after]).to.deep.equal([DAY, ['channel'], null]);
    expect([begun.day, begun.before, begun.net_premium_change]).to.deep.equal([
      '2026-12-20',
      null,
      null,
    ]);
    expect(others).to.deep.equal([]);
    const [phone] = await list('product=CELULAR&from=2026-12-20&to=2026-12-20');
    expect(phone.before.net_premium).to.equal(phone.after.net_premium);
    expect(phone.after.commission_rate).to.equal(10);
    expect(await list(`from=${DAY}&to=2026-12-09`)).to.deep.equal([]);
    expect(await list('channelLink=outro')).to.deep.equal([]);
  });

  it('goes through all pages without a repetition or a gap', async () => {
    await put(TICKET, { name: 'Outro nome', effectiveFrom: DAY });
    const all = await list();
    const found = [];
    let cursor = '';
    do {
      const { body } = await api.get(`${CHANGES}?limit=2${cursor}`, admin);
      found.push(...body.response.data);
      cursor = body.response.next_cursor && `&cursor=${body.response.next_cursor}`;
    } while (cursor);
    expect(all.length).to.be.greaterThan(4);
    expect(found).to.deep.equal(all);
  });

  it('refuses a day or an amount that is none', async () => {
    const { status, body } = await api.get(`${CHANGES}?from=amanha&to=2026-02-30&price=-1`, admin);
    expect(status).to.equal(422);
    expect(body.errors).to.have.all.keys('from', 'to', 'price');
  });
});
