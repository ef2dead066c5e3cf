import { expect } from 'chai';
import { cents } from '#domain';
import { DEMO_PRODUCTS } from '../../../../bootstrap/processes/demo-catalogue.ts';
import { withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { ADMINISTRATOR } from '../../../support/identity.ts';

describe('externalSaleId', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    before(async () => {
      bearer = await api().bearer();
    });
    const post = async (body: string, headers = bearer) => {
      const init = {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json', ...headers },
      };
      const response = await fetch(`${api().url}/api${SALE}`, init);
      return {
        status: response.status,
        replayed: response.headers.get('Idempotent-Replayed'),
        text: await response.text(),
      };
    };

    it('replays the answer byte for byte, however the same content is written', async () => {
      const body = saleOrder({
        externalSaleId: 'spelt',
        amounts: { netPremium: 89.9, total: 90.24 },
        attributes: { nights: 10, x: { a: 1, b: [1, 2] } },
      });
      const first = await post(JSON.stringify(body));
      expect([first.status, first.replayed]).to.deep.equal([201, null]);
      const reversed = JSON.stringify(body, (_, value) =>
        typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      );
      const withNulls = JSON.stringify({
        ...body,
        plan: null,
        saleDate: null,
        attributes: { ...(body['attributes'] as object), y: null },
      });
      for (const spelling of [
        reversed,
        withNulls,
        reversed.replace('"nights":10', '"nights":1.0e1').replace('89.9', '89.90'),
        JSON.stringify(body, null, 4),
        JSON.stringify({ ...body, ...(await api().client('canal-demo')) }),
      ]) {
        const isByBody = spelling.includes('client_secret');
        const again = await post(spelling, isByBody ? ({} as typeof bearer) : bearer);
        expect(again).to.deep.equal({ status: 200, replayed: 'true', text: first.text });
      }
    });

    it('treats empty objects, empty lists and objects of nulls as absent', async () => {
      const order = (over: object) =>
        saleOrder({ externalSaleId: 'empty', attributes: undefined, ...over });
      expect((await api().post(SALE, order({}), bearer)).status).to.equal(201);
      for (const over of [
        { attributes: {} },
        { attributes: { a: null } },
        { amounts: { total: null } },
        { coverages: [], additionalInsured: [] },
      ]) {
        expect((await api().post(SALE, order(over), bearer)).status, JSON.stringify(over)).to.equal(
          200,
        );
      }
    });

    it('compares nulls in lists, and ignores the caller’s own channelLink', async () => {
      const order = (over: object) =>
        saleOrder({ externalSaleId: 'lists', attributes: { list: ['a', null] }, ...over });
      expect((await api().post(SALE, order({}), bearer)).status).to.equal(201);
      expect(
        (await api().post(SALE, order({ channelLink: 'canal-demo' }), bearer)).status,
      ).to.equal(200);
      for (const list of [['a'], ['a', null, null], [null, 'a']]) {
        const { status, body } = await api().post(SALE, order({ attributes: { list } }), bearer);
        expect([status, body.differences?.length > 0], JSON.stringify(list)).to.deep.equal([
          409,
          true,
        ]);
      }
    });

    it('makes one sale from a hundred simultaneous copies', async () => {
      const body = JSON.stringify(saleOrder({ externalSaleId: 'copies' }));
      const answers = await Promise.all(Array.from({ length: 100 }, () => post(body)));
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    });

    it('refuses other content with the differences, personal data and attributes masked', async () => {
      const first = await api().post(SALE, saleOrder({ externalSaleId: 'other' }), bearer);
      const { status, body } = await api().post(
        SALE,
        saleOrder({
          externalSaleId: 'other',
          product: { id: 4 },
          plan: { id: 42 },
          insured: { name: 'João', cpfOrCnpj: '529.982.247-25', email: 'maria@example.com' },
          payment: { status: 'paid', method: 'boleto', paidAt: '2026-11-20' },
          attributes: { destination: 'Natal' },
        }),
        bearer,
      );
      expect(status).to.equal(409);
      expect(body).to.deep.include({
        response: 'O externalSaleId já foi usado com outro conteúdo.',
        transaction_id: first.body.data.transaction_id,
        differences: [
          { path: 'attributes.destination', stored: '***', received: '*** (outro)' },
          { path: 'insured.name', stored: 'M***', received: 'J***' },
          { path: 'payment.method', stored: 'pix', received: 'boleto' },
          { path: 'plan', stored: null, received: '***' },
          { path: 'product.code', stored: 'LUA_DE_MEL', received: null },
          { path: 'product.id', stored: null, received: 4 },
        ],
      });
    });

    it('is shared by the clients of a channel, and separate for each channel', async () => {
      await api().channel('canal-alheio');
      const body = saleOrder({ externalSaleId: 'shared' });
      const mine = await api().post(SALE, body, bearer);
      const colleague = await api().post(SALE, body, await api().bearer());
      const stranger = await api().post(SALE, body, await api().bearer('canal-alheio'));
      expect(colleague.body).to.deep.equal(mine.body);
      expect([mine.status, colleague.status, stranger.status]).to.deep.equal([201, 200, 201]);
      expect(stranger.body.data.transaction_id).not.to.equal(mine.body.data.transaction_id);
    });

    it('is independent of Idempotency-Key, and not used up by a refusal or a validation', async () => {
      const keyed = { ...bearer, 'Idempotency-Key': 'key-1' };
      const one = await api().post(SALE, saleOrder({ externalSaleId: 'key-1' }), keyed);
      const other = await api().post(SALE, saleOrder({ externalSaleId: 'key-2' }), keyed);
      expect([one.status, other.status]).to.deep.equal([201, 201]);
      expect(
        (await api().post(SALE, saleOrder({ externalSaleId: 'spent', plan: { id: 99 } }), bearer))
          .status,
      ).to.equal(422);
      expect(
        (await api().post(`${SALE}/validate`, saleOrder({ externalSaleId: 'spent' }), bearer))
          .status,
      ).to.equal(200);
      expect(
        (await api().post(SALE, saleOrder({ externalSaleId: 'spent' }), bearer)).status,
      ).to.equal(201);
    });

    it('replays its answer after catalogue changes, even if the sale would now be refused', async () => {
      const body = JSON.stringify(saleOrder({ externalSaleId: 'before' }));
      const first = await post(body);
      const product = DEMO_PRODUCTS[3];
      const plans = product?.plans.map((plan) => ({
        ...plan,
        tariff: { kind: 'fixed', amount: cents(10_000) },
      }));
      const { putProduct } = api().memory.useCases.manageCatalogue;
      const attributes = { required: ['weddingDate'] };
      expect((await putProduct({ ...product, plans }, ADMINISTRATOR)).kind).to.equal('replaced');
      const second = await api().post(SALE, saleOrder({ externalSaleId: 'after' }), bearer);
      expect(second.body.data.amounts).to.include({ net_premium: 100, iof: 0.38, commission: 20 });
      expect((await putProduct({ ...product, plans, attributes }, ADMINISTRATOR)).kind).to.equal(
        'replaced',
      );
      const third = await api().post(SALE, saleOrder({ externalSaleId: 'later' }), bearer);
      expect([third.status, Object.keys(third.body.errors)]).to.deep.equal([
        422,
        ['attributes.weddingDate'],
      ]);
      expect(await post(body)).to.deep.equal({ status: 200, replayed: 'true', text: first.text });
      const stored = await api().get(`${SALE}/before`, bearer);
      expect(stored.body.data).to.deep.include(JSON.parse(first.text).data);
      await putProduct(product, ADMINISTRATOR);
    });
  });
});
