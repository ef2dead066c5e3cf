import { expect } from 'chai';
import { type Answer, Api, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';

const REQUESTS = '/private/integration/requests';
const DECLINED = '4000000000000002';

const cardOf = (number: string) => ({
  ...{ flag: 'visa', number, cvv: '123', expiryMonth: '12', expiryYear: '39' },
});

const phone = (over: object = {}): object => ({
  ...{ productId: 3, channelLink: 'canal-demo', nameOrRazao: 'Maria da Silva' },
  ...{ cpfOrCnpj: '52998224725', email: 'maria@example.com', phone: '11987654321' },
  ...over,
});

describe('own requests', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    before(async () => {
      bearer = await api().bearer();
    });

    const named = (requestId: string) => ({ ...bearer, 'X-Request-Id': requestId });
    const lookUp = (requestId: string, as: object = bearer): Promise<Answer> =>
      api().get(`${REQUESTS}/${requestId}`, as as Record<string, string>);
    const answersTo = async (requestId: string) => (await lookUp(requestId)).body.data.answers;

    it('tell what was answered to a sale and to its repetition', async () => {
      const { body } = await api().post(SALE, saleOrder(), named('sold.1'));
      await api().post(SALE, saleOrder(), named('sold.1'));
      const [second, first, ...others] = await answersTo('sold.1');
      expect(others).to.deep.equal([]);
      expect(first)
        .to.include({ method: 'POST', route: SALE, status: 201, code: null, replayed: false })
        .and.to.include({ transaction_id: body.data.transaction_id });
      expect(first.ms).to.be.a('number').above(0);
      expect(first.fields).to.deep.equal([]);
      expect(second).to.include({ status: 200, replayed: true });
    });

    it('tell the fields at fault and their codes, and no values', async () => {
      const wrong = mainBody({ cpfCnpj: '52998224726', email: 'not-an-address' });
      await api().post(CREATE, wrong, named('faulty'));
      const { body } = await lookUp('faulty');
      const [answer] = body.data.answers;
      expect(answer).to.include({ status: 422, code: 'validation_failed', transaction_id: null });
      expect(answer.fields).to.deep.include.members([
        { path: 'cpfCnpj', codes: ['invalid_tax_id'] },
        { path: 'email', codes: ['invalid_format'] },
      ]);
      expect(JSON.stringify(body)).to.not.include('5299822472').and.to.not.include('not-an');
    });

    it('tell a declined card with its sale', async () => {
      const body = phone({ creditCard: cardOf(DECLINED) });
      const sold = await api().post('/seguros/seguro-celular/create', body, named('declined'));
      const [answer] = await answersTo('declined');
      expect(answer.code).to.equal('card_declined');
      expect(answer.transaction_id).to.be.a('number');
      expect(answer.status).to.equal(sold.status);
    });

    it('tell a cancellation and a corrected address, but no preview', async () => {
      await api().post(SALE, saleOrder({ externalSaleId: 'to-end' }), bearer);
      const cancel = `${SALE}/to-end/cancel`;
      await api().post(cancel, { preview: true }, named('looked'));
      await api().post(`${SALE}/to-end/correct-email`, { email: 'a@example.com' }, named('mended'));
      await api().post(cancel, {}, named('ended'));
      expect((await lookUp('looked')).status).to.equal(404);
      expect(await answersTo('mended')).to.have.length(1);
      expect((await answersTo('ended'))[0]).to.include({
        route: '/private/integration/sale/{externalSaleId}/cancel',
        status: 200,
      });
    });

    it('do not tell a successful look at sales', async () => {
      await api().get('/private/integration/sales', named('looked-at'));
      expect((await lookUp('looked-at')).status).to.equal(404);
    });

    it('tell a cancellation once, and no look at themselves', async () => {
      await api().post(SALE, saleOrder({ externalSaleId: 'to-end-2' }), bearer);
      for (let count = 0; count < 2; count += 1)
        await api().post(`${SALE}/to-end-2/cancel`, {}, named('ended-twice'));
      expect(await answersTo('ended-twice')).to.have.length(1);
      for (let count = 0; count < 2; count += 1)
        expect((await lookUp('unknown', named('looking'))).status).to.equal(404);
      expect((await lookUp('looking')).status).to.equal(404);
    });

    it('hide names of fields that the partner made up, which may be personal data', async () => {
      const odd = { 'Maria da Silva': 1, Maria: 2, '52998224725': 3, productCode: 4 };
      await api().post(SALE, saleOrder({ ...odd, externalSaleId: 'odd' }), named('odd'));
      const csv = { ...named('odd-file'), 'Content-Type': 'text/csv' };
      const file = 'Maria da Silva,52998224725,maria@example.com\nJosé,1,2\n';
      const path = '/private/integration/reconciliation?from=2026-11-01&to=2026-11-20';
      await api().post(path, file, csv);
      for (const name of ['odd', 'odd-file']) {
        const { body } = await lookUp(name);
        const text = JSON.stringify(body);
        expect(text, name).to.not.match(/Maria|52998224725|example/);
        if (name === 'odd') expect(body.data.answers[0].fields).to.not.be.empty;
      }
    });

    it('belong to the channel: another one finds nothing, its other clients do', async () => {
      await api().post(SALE, {}, named('private-1'));
      await api().channel('other');
      const other = await lookUp('private-1', await api().bearer('other'));
      const unknown = await lookUp('never-sent', await api().bearer('other'));
      expect(other.status).to.equal(404);
      expect(other.body).to.deep.equal(unknown.body);
      expect((await lookUp('private-1', await api().bearer())).status).to.equal(200);
    });

    it('do not ask the store for an id that no request can have', async () => {
      for (const id of ['a%20b', '%00', 'x'.repeat(129), '%C3%A9'])
        expect((await lookUp(id)).status, id).to.equal(404);
    });

    it('are not noted for callers without a known client', async () => {
      const { status } = await api().post(SALE, saleOrder(), { 'X-Request-Id': 'nobody' });
      expect(status).to.equal(401);
      expect((await lookUp('nobody')).status).to.equal(404);
    });
  });

  it('tell at most ten refusals by the rate limit a minute', async () => {
    const api = await new Api({ rateLimit: 20 }).start();
    const bearer = await api.bearer();
    const headers = { ...bearer, 'X-Request-Id': 'hurry' };
    for (let count = 0; count < 40; count += 1) await api.post(SALE, {}, headers);
    api.memory.clock.advance(60);
    const { body } = await api.get(`${REQUESTS}/hurry`, bearer);
    const statuses = body.data.answers.map(({ status }: { status: number }) => status);
    expect(statuses.filter((status: number) => status === 429)).to.have.length(10);
    expect(statuses.filter((status: number) => status === 422).length).to.be.within(17, 20);
    await api.stop();
  });
});
