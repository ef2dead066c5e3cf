import { expect } from 'chai';
import type { PaidSale } from '#domain';
import { type Answer, CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import { cancelledOn } from '../../../support/sales.ts';

describe('Idempotency-Key', () => {
  withApi((api) => {
    let authorization: { Authorization: string };
    before(async () => {
      authorization = await api().bearer();
    });
    const create = (key: string, body: unknown, headers = authorization): Promise<Answer> =>
      api().post(CREATE, body, { ...headers, 'Idempotency-Key': key });

    it('replays the answer to the same request, with Idempotent-Replayed', async () => {
      const first = await create('order-1', mainBody());
      const again = await create(
        'order-1',
        Object.fromEntries(Object.entries(mainBody({ nomeSocial: null, unknown: 1 })).reverse()),
      );
      expect(first.headers.has('Idempotent-Replayed')).to.equal(false);
      expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(again.status).to.equal(200);
      expect(again.body).to.deep.equal(first.body);
    });

    it('makes one transaction from a hundred simultaneous copies', async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => create('order-2', mainBody())),
      );
      expect(
        new Set(answers.map(({ status, body }) => `${status} ${body.data.transaction_id}`)).size,
      ).to.equal(1);
      expect(answers.filter(({ headers }) => !headers.has('Idempotent-Replayed'))).to.have.length(
        1,
      );
    });

    it('refuses another request under the same key with their differences, personal data masked', async () => {
      const first = await create('order-3', mainBody());
      const { status, body } = await create(
        'order-3',
        mainBody({ nomeCompleto: 'João de Souza', valorSeguro: 190, nomeSocial: 'Jô' }),
      );
      expect(status).to.equal(409);
      expect(body).to.deep.include({
        success: false,
        status_code: '409',
        transaction_id: first.body.data.transaction_id,
      });
      expect(body.differences).to.deep.equal([
        { path: 'nomeCompleto', stored: 'M***', received: 'J***' },
        { path: 'nomeSocial', stored: null, received: '***' },
        { path: 'valorSeguro', stored: 188.6, received: 190 },
      ]);
    });

    it('masks short values completely, and splits no surrogate pair', async () => {
      await create('order-8', mainBody({ nomeCompleto: '😀 Maria', uf: 'SP' }));
      const { body } = await create('order-8', mainBody({ nomeCompleto: '😁 Maria', uf: 'RJ' }));
      expect(body.differences).to.deep.equal([
        { path: 'nomeCompleto', stored: '😀***', received: '😁***' },
        { path: 'uf', stored: '***', received: '*** (outro)' },
      ]);
    });

    it('masks personal data between the two body shapes, too', async () => {
      await create('order-4', mainBody());
      const { status, body } = await create('order-4', quickStartBody());
      expect(status).to.equal(409);
      for (const secret of [
        'Maria da Silva',
        'maria@example.com',
        '52998224725',
        '11222333000181',
        'Rua das Flores',
        '1990-05-17',
      ]) {
        expect(JSON.stringify(body)).not.to.include(secret);
      }
    });

    it('is separate for each client', async () => {
      const other = await api().bearer();
      const [mine, theirs] = [
        await create('order-5', mainBody()),
        await create('order-5', mainBody(), other),
      ];
      expect(theirs.status).to.equal(200);
      expect(theirs.body.data.transaction_id).not.to.equal(mine.body.data.transaction_id);
    });

    it('may be used again after a refused request', async () => {
      expect((await create('order-6', mainBody({ valorSeguro: 0 }))).status).to.equal(422);
      expect((await create('order-6', mainBody())).status).to.equal(200);
    });

    it('replays the first answer even after the sale was cancelled', async () => {
      const first = await create('order-7', mainBody());
      const sales = api().memory.sales;
      const sale = await sales.find('canal-demo', first.body.data.transaction_id);
      await sales.save(cancelledOn(sale as PaidSale, '2026-11-20'));
      expect((await create('order-7', mainBody())).body).to.deep.equal(first.body);
    });

    it('is optional: two requests without it are two sales', async () => {
      const [one, other] = await Promise.all(
        [0, 1].map(() => api().post(CREATE, mainBody(), authorization)),
      );
      expect(one?.body.data.transaction_id).not.to.equal(other?.body.data.transaction_id);
    });

    it('is refused if it is too long or not visible ASCII', async () => {
      for (const key of ['', 'k'.repeat(256), 'with space', 'ação']) {
        const { status, body } = await create(key, mainBody());
        expect(status).to.equal(400);
        expect(body.response).to.match(/Idempotency-Key/);
      }
      expect((await create('k'.repeat(255), mainBody())).status).to.equal(200);
    });
  });
});
