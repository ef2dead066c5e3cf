import { expect } from 'chai';
import { type Answer, Api, CREATE, mainBody, quickStartBody } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { artistOrder, byCard, creditCard, phoneOrder } from '../../../support/orders.ts';

const PHONE = '/seguros/seguro-celular/create';
const ARTIST = '/seguros/artista-protegido/create';

/** The last second of 2026 in São Paulo, which is three hours behind UTC. */
const LAST_SECOND = '2027-01-01T02:59:59.000Z';

const IN_JANUARY = {
  assemblyStartDate: '2027-01-10',
  eventStartDate: '2027-01-11',
  eventEndDate: '2027-01-12',
  disassemblyEndDate: '2027-01-13',
};

describe('the IOF of the day on which the insured pays', () => {
  let api: Api;
  let partner: { Authorization: string };
  let admin: { Authorization: string };
  let count = 0;

  const startAt = async (now: string) => {
    api = await new Api({ now }).start();
    await login();
  };
  const login = async () => {
    partner = await api.bearer();
    admin = await api.bearer(null);
  };
  beforeEach(() => startAt(LAST_SECOND));
  afterEach(() => api.stop());

  const post = (path: string, body: object): Promise<Answer> => api.post(path, body, partner);
  const sell = async (path: string, body: object): Promise<Answer> => {
    const answer = await post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
    return answer;
  };
  const newYear = () => api.memory.clock.advance(1);
  const december = { dataPagamento: '2026-12-31', dataEvento: '2027-02-01' };
  const january = { dataPagamento: '2027-01-01', dataEvento: '2027-02-01' };
  const orderOf = (over: object): object =>
    saleOrder({ externalSaleId: `order-${++count}`, ...over });
  const paid = (paidAt: string) => ({ payment: { status: 'paid', method: 'pix', paidAt } });
  const amountsOf = ({ body }: Answer) => {
    const { net_premium, iof_rate, iof, total } = (body.response?.data ?? body.data).amounts;
    return { net_premium, iof_rate, iof, total };
  };

  it('ends at midnight of 31 December for tickets: percentual_iof 0, valor_iof 0', async () => {
    const before = await sell(CREATE, mainBody(december));
    expect(before.body.data.calculo_iof).to.deep.equal({
      valor_premio: 188.6,
      percentual_iof: 7.38,
      valor_iof: 13.92,
      valor_total: 202.52,
    });
    const tooEarly = await post(CREATE, mainBody(january));
    expect(tooEarly.status, 'the payment is not in the past yet').to.equal(422);
    newYear();
    const after = await sell(CREATE, mainBody(january));
    expect(after.body.data.calculo_iof).to.deep.equal({
      valor_premio: 188.6,
      percentual_iof: 0,
      valor_iof: 0,
      valor_total: 188.6,
    });
    const late = await sell(CREATE, mainBody(december));
    expect(late.body.data.calculo_iof.valor_iof, 'registered late, paid in December').to.equal(
      13.92,
    );
  });

  it('is that of today for the quick start, where the ticket is paid now', async () => {
    const body = quickStartBody({ eventDate: '2027-02-01' });
    expect((await sell(CREATE, body)).body.data.calculo_iof.percentual_iof).to.equal(7.38);
    newYear();
    expect((await sell(CREATE, body)).body.data.calculo_iof).to.deep.include({
      percentual_iof: 0,
      valor_iof: 0,
    });
  });

  it('ends for the generic sale, by paidAt where the channel collects', async () => {
    const before = await sell(SALE, orderOf(paid('2026-12-31')));
    expect(amountsOf(before)).to.deep.equal({
      net_premium: 89.9,
      iof_rate: 0.38,
      iof: 0.34,
      total: 90.24,
    });
    newYear();
    expect(amountsOf(await sell(SALE, orderOf(paid('2027-01-01'))))).to.deep.equal({
      net_premium: 89.9,
      iof_rate: 0,
      iof: 0,
      total: 89.9,
    });
    expect(amountsOf(await sell(SALE, orderOf(paid('2026-12-31')))).iof).to.equal(0.34);
  });

  it('takes premiumTaxes 0 from 2027 on, also with a sale date in December', async () => {
    const order = (over: object) => artistOrder({ payment: byCard(), ...IN_JANUARY, ...over });
    const zero = await post(ARTIST, order({ premiumTaxes: 0 }));
    expect(zero.status).to.equal(400);
    expect(zero.body.errors.premiumTaxes.join()).to.include('7,38');
    expect((await sell(ARTIST, order({}))).body.response.data.insurance_data).to.deep.include({
      premium_taxes: 7.38,
      premium_total: 107.38,
    });
    newYear();
    const taxed = await post(ARTIST, order({ saleDate: '2026-12-31' }));
    expect(taxed.status, 'the card is charged today').to.equal(400);
    const sold = await sell(ARTIST, order({ premiumTaxes: 0, saleDate: '2026-12-31' }));
    expect(sold.body.response.data.insurance_data).to.deep.include({
      premium_net: 100,
      premium_taxes: 0,
      premium_total: 100,
    });
  });

  it('is that of the day of the charge for a phone paid by card', async () => {
    const charged = async () => {
      const { body } = await sell(PHONE, phoneOrder({ creditCard: creditCard() }));
      const [charge] = await api.memory.sandbox.chargesOf(body.data.transaction_id);
      return charge?.amount;
    };
    expect(await charged()).to.equal(3_211);
    newYear();
    expect(await charged()).to.equal(2_990);
  });

  it('closes a link at 23:59:59 of the last day, and takes no payment after it', async () => {
    await api.stop();
    await startAt('2027-01-01T02:00:00.000Z');
    const { body } = await sell(PHONE, phoneOrder());
    const { transaction_id: id, ticket } = body.data;
    const [charge] = await api.memory.sandbox.chargesOf(id);
    expect(charge).to.include({ amount: 3_211, dueOn: '2026-12-31', until: LAST_SECOND });

    api.memory.clock.advance(3_600);
    await login();
    const chargeId = body.link.split('/').at(-1);
    expect(await api.memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once')).to.equal('over');
    await api.memory.runJobs();
    const status = await api.get(`/seguros/seguro-celular/status/${ticket}`, partner);
    expect(status.body.data).to.include({ status: 'expired', payment_url: null });
    const [closed] = await api.memory.sandbox.chargesOf(id);
    expect(closed?.status).to.equal('closed');
  });

  it('leaves a link of January open for its full time', async () => {
    newYear();
    const { body } = await sell(PHONE, phoneOrder());
    const [charge] = await api.memory.sandbox.chargesOf(body.data.transaction_id);
    expect(charge).to.include({ amount: 2_990, dueOn: '2027-01-04' });
    expect(charge?.until).to.equal('2027-01-06T02:59:59.000Z');
  });

  it('refuses a sale whose card the gateway could not be asked for before midnight', async () => {
    api.memory.payments.mishaps.always = 'unreached';
    const waiting = await post(PHONE, phoneOrder());
    const id = (waiting.body.data ?? waiting.body).transaction_id;
    newYear();
    api.memory.payments.mishaps.always = undefined;
    for (let minute = 0; minute < 10; minute += 1) {
      api.memory.clock.advance(60);
      await api.memory.runJobs();
    }
    expect(await api.memory.sandbox.chargesOf(id)).to.deep.equal([]);
    expect(await api.memory.sales.load(id)).to.include({ status: 'refused', reason: 'price_over' });
  });

  it('gives back in January what was paid in December, IOF included', async () => {
    const { body } = await sell(PHONE, phoneOrder({ creditCard: creditCard() }));
    const { ticket, transaction_id: id } = body.data;
    newYear();
    const cancelled = await api.post(`${SALE}/${ticket}/cancel`, {}, partner);
    expect(cancelled.body.response.data.cancellation).to.deep.include({
      on: '2027-01-01',
      refund: { net_premium: 29.9, iof: 2.21, total: 32.11 },
    });
    const [charge] = await api.memory.sandbox.chargesOf(id);
    expect(charge).to.include({ amount: 3_211, returned: 3_211 });

    const ticketSale = await sell(CREATE, mainBody(december));
    const refunded = await api.post(
      `${SALE}/${ticketSale.body.data.ticket}/cancel`,
      { preview: true },
      partner,
    );
    expect(refunded.body.response.data.cancellation.refund.total).to.equal(202.52);
  });

  describe('and the table of rates', () => {
    const list = async () => (await api.get('/admin/iof-rates', admin)).body.response.data.rates;
    const put = (rates: unknown): Promise<Answer> => api.put('/admin/iof-rates', { rates }, admin);
    const decree = (over: object = {}) => ({
      iofClass: 'life',
      from: '2026-12-31',
      rate: 1.1,
      legalBasis: 'Decreto 1/2026',
      ...over,
    });

    it('lists every rate with its legal basis, and which one is in force', async () => {
      const before = await list();
      expect(before).to.have.length(8);
      expect(before.filter((each: { in_force: boolean }) => each.in_force)).to.have.length(4);
      expect(before.find((each: { rate: number }) => each.rate === 7.38)).to.deep.equal({
        iofClass: 'general',
        from: '2008-01-03',
        rate: 7.38,
        legalBasis: 'Decreto 6.306/2007, art. 22, § 1º, IV (redação do Decreto 6.339/2008)',
        in_force: true,
        added_at: null,
      });
      newYear();
      const inForce = (await list()).filter((each: { in_force: boolean }) => each.in_force);
      for (const each of inForce)
        expect(each).to.include({ rate: 0, legalBasis: 'EC 132/2023, arts. 3º e 23, I' });
    });

    it('takes a decree of today, prices with it at once, and is audited', async () => {
      expect(amountsOf(await sell(SALE, orderOf(paid('2026-12-31')))).iof_rate).to.equal(0.38);
      const answer = await put([decree()]);
      expect(answer.status).to.equal(200);
      expect(answer.body.response.data.rates).to.have.length(9);
      expect(amountsOf(await sell(SALE, orderOf(paid('2026-12-31')))).iof_rate).to.equal(1.1);
      expect(amountsOf(await sell(SALE, orderOf(paid('2026-12-30')))).iof_rate).to.equal(0.38);
      const audit = await api.get('/admin/audit?action=iof_rates.put', admin);
      expect(audit.body.response.data ?? audit.body.data).to.have.length(1);
    });

    it('can be sent back as it was read, with a row more', async () => {
      const all = await list();
      expect((await put(all)).status).to.equal(200);
      const more = await put([...all, decree({ from: '2027-03-01' })]);
      expect(more.body.response.data.rates).to.have.length(all.length + 1);
    });

    it('refuses a change of a rate in force or past, and says every fault', async () => {
      const [first] = await list();
      const answer = await put([
        { ...first, rate: 1 },
        decree({ from: '2026-12-30' }),
        decree({ rate: 26 }),
        decree({ legalBasis: ' ', from: '2027-02-01' }),
        decree({ iofClass: 'car', from: '31/12/2026', x: 1 }),
      ]);
      expect(answer.status).to.equal(422);
      expect(answer.body.errors).to.have.keys(
        'rates.0.from',
        'rates.1.from',
        'rates.2.rate',
        'rates.3.legalBasis',
        'rates.4.iofClass',
        'rates.4.from',
        'rates.4.x',
      );
      expect(await list()).to.have.length(8);
      const none = await put([null]);
      expect(none.body.errors).to.have.keys('rates.0');
      for (const body of [{}, { rates: [] }, { rates: 'x' }, []]) {
        expect((await api.put('/admin/iof-rates', body, admin)).status).to.be.oneOf([400, 422]);
      }
      expect((await api.get('/admin/iof-rates', partner)).status).to.equal(403);
      expect((await api.put('/admin/iof-rates', { rates: [decree()] }, partner)).status).to.equal(
        403,
      );
    });

    it('closes links of the old rate that are open when a decree takes effect', async () => {
      await api.stop();
      await startAt('2026-12-30T15:00:00.000Z');
      const { body } = await sell(PHONE, phoneOrder());
      const { transaction_id: id } = body.data;
      expect((await put([decree({ iofClass: 'general', from: '2026-12-30' })])).status).to.equal(
        200,
      );
      api.memory.clock.advance(3_600);
      await api.memory.runJobs();
      expect(await api.memory.sales.load(id)).to.include({ status: 'expired' });
    });
  });
});
