import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { Api } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';

const OWED = '/private/integration/refunds-owed';

describe('a refund that the channel owes', () => {
  let api: Api;
  let partner: { Authorization: string };
  let admin: { Authorization: string };
  beforeEach(async () => {
    api = await new Api({ now: '2026-11-20T15:00:00.000Z' }).start();
    [partner, admin] = [await api.bearer(), await api.bearer(null)];
  });
  afterEach(() => api.stop());

  const sell = async (externalSaleId: string) => {
    const sold = await api.post(SALE, saleOrder({ externalSaleId }), partner);
    expect(sold.status, JSON.stringify(sold.body)).to.equal(201);
    return sold.body.data;
  };
  const cancel = (name: string, body: object = {}) =>
    api.post(`${SALE}/${name}/cancel`, body, partner);
  const confirm = (name: string, over: object = {}, headers = partner) => {
    const body = { amount: 90.24, on: '2026-11-20', method: 'pix', ...over };
    return api.post(`${SALE}/${name}/refund-confirmed`, body, headers);
  };
  const shown = async (name: string) => (await api.get(`${SALE}/${name}`, partner)).body.data;
  const owed = async () => (await api.get(OWED, partner)).body.data;

  it('is listed from the cancellation on, whoever cancelled, until it is confirmed', async () => {
    const { ticket, transaction_id } = await sell('first');
    const second = await sell('second');
    expect(await owed()).to.deep.equal([]);
    await cancel('first', { reason: 'event_cancelled' });
    const byInsurer = { by: 'insurer' };
    await api.post(`/admin/transactions/${second.transaction_id}/cancel`, byInsurer, admin);

    const [first, other, ...none] = await owed();
    expect(none).to.deep.equal([]);
    expect(first).to.deep.equal({
      ...{ transaction_id, ticket, external_sale_id: 'first' },
      ...{ insured_name: 'Maria da Silva', amount: 90.24, protocol: first.protocol },
      ...{ reason: 'event_cancelled', by: 'insured', cancelled_at: '2026-11-20T15:00:00.000Z' },
      confirm_by: '2026-12-05',
    });
    expect(other).to.include({ external_sale_id: 'second', by: 'insurer' });
    expect((await confirm('first')).body.data).to.deep.include({
      ...{ status: 'refunded', refund_pending: 0 },
    });
    expect((await owed()).map((each: { ticket: string }) => each.ticket)).to.deep.equal([
      second.ticket,
    ]);
  });

  it('is in the sale, the list and the events, with reason, protocol and sum', async () => {
    await sell('told');
    await cancel('told', { reason: 'other', reasonText: 'Maria mudou de ideia' });
    const { cancellation, refunds, next } = await shown('told');
    const expected = {
      protocol: cancellation.protocol,
      ...{ reason: 'other', at: '2026-11-20T15:00:00.000Z', by: 'insured', refund_total: 90.24 },
    };
    expect(cancellation).to.deep.equal(expected);
    expect(refunds[0]).to.deep.include({ by: 'channel', amount: 90.24, status: 'due' });
    expect(next).to.deep.equal({ actor: 'channel', action: 'refund' });
    const list = await api.get('/private/integration/sales?status=cancelled', partner);
    expect(list.body.data[0].cancellation).to.deep.equal(expected);
    const feed = await api.get('/private/integration/events?type=sale.cancelled', partner);
    expect(feed.body.data[0].data.cancellation).to.deep.equal(expected);
    expect(JSON.stringify(feed.body)).not.to.include('mudou de ideia');
    const { evidence } = (await api.get(`${SALE}/told/evidence`, partner)).body.data;
    expect(decodeJwt(evidence)['cancellation']).to.deep.include({
      ...{ stated_reason: 'other', stated_text: 'Maria mudou de ideia', reason: 'withdrawal' },
    });
    expect((await shown('told')).refund_pending).to.equal(90.24);
  });

  it('may be confirmed in parts, and each part counts once', async () => {
    await sell('parts');
    await cancel('parts');
    const part = { amount: 40, method: 'transfer', reference: 'R-1' };
    expect((await confirm('parts', part)).body.data.refund_pending).to.equal(50.24);
    expect((await confirm('parts', part)).body.data.refund_pending).to.equal(50.24);
    expect((await owed())[0].amount).to.equal(50.24);
    const rest = await confirm('parts', { amount: 50.24, reference: 'R-2' });
    expect(rest.body.data.status).to.equal('refunded');
    expect((await confirm('parts', part)).body.data.status).to.equal('refunded');
    const audit = await api.get('/admin/audit?action=sale.refund_confirmed', admin);
    expect(audit.body.response.data).to.have.length(2);
  });

  it('is refused above what is owed, of a sale without one, and of another channel', async () => {
    const { transaction_id } = await sell('refused');
    const none = await confirm('refused');
    expect([none.status, none.body.code]).to.deep.equal([409, 'nothing_to_refund']);
    await cancel('refused');
    const above = await confirm('refused', { amount: 90.25 });
    expect(above.status).to.equal(422);
    expect(above.body.errors.amount[0]).to.include('90,24');
    const faulty = await confirm('refused', {
      amount: 0,
      on: '2026-11-21',
      method: 'gold',
      cpf: 1,
    });
    expect(faulty.body.errors).to.have.all.keys('amount', 'on', 'method', 'cpf');
    const before = await confirm('refused', { on: '2025-01-01' });
    expect(Object.keys(before.body.errors)).to.deep.equal(['on']);
    expect((await shown('refused')).refund_pending).to.equal(90.24);
    await api.channel('canal-alheio');
    const foreign = await confirm(String(transaction_id), {}, await api.bearer('canal-alheio'));
    expect(foreign.status).to.equal(404);
  });

  it('needs a reason for words, and words for another reason', async () => {
    await sell('reasons');
    const wordless = await cancel('reasons', { reason: 'other' });
    expect(Object.keys(wordless.body.errors)).to.deep.equal(['reasonText']);
    const reasonless = await cancel('reasons', { reasonText: 'x' });
    expect(Object.keys(reasonless.body.errors)).to.deep.equal(['reason']);
    const unknown = await cancel('reasons', { reason: 'gift', refundTotal: -1 });
    expect(unknown.body.errors).to.have.all.keys('reason', 'refundTotal');
    expect((await shown('reasons')).status).to.equal('paid');
    expect((await shown('reasons')).cancellation).to.equal(null);
  });

  it('raises one alert after 15 days, which settles with the confirmation', async () => {
    await sell('late');
    await cancel('late');
    const alerts = async (status: string) =>
      (await api.get(`/admin/alerts?kind=refund_unconfirmed&status=${status}`, admin)).body.response
        .data;
    const watchIn = async (days: number) => {
      api.memory.clock.advance(days * 86_400);
      [partner, admin] = [await api.bearer(), await api.bearer(null)];
      await api.memory.useCases.watchLegalClocks();
    };
    await watchIn(14);
    expect(await alerts('open')).to.deep.equal([]);
    await watchIn(1);
    await watchIn(1);
    expect(await alerts('open')).to.have.length(1);
    await confirm('late');
    api.memory.clock.advance(120);
    await api.memory.useCases.settleAlerts();
    expect(await alerts('open')).to.deep.equal([]);
    expect(await alerts('resolved')).to.have.length(1);
  });
});
