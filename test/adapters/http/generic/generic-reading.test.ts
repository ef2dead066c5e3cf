import { expect } from 'chai';
import { type Answer, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, SALES_LIST, saleOrder } from '../../../support/generic-sales.ts';

describe('what a channel reads of its sales', () => {
  withApi((api) => {
    let mine: { Authorization: string };
    let theirs: { Authorization: string };
    before(async () => {
      await api().channel('canal-alheio');
      mine = await api().bearer();
      theirs = await api().bearer('canal-alheio');
    });
    const sell = async (
      externalSaleId: string,
      over: object = {},
      headers = mine,
    ): Promise<Answer> => api().post(SALE, saleOrder({ externalSaleId, ...over }), headers);
    const read = (name: string, headers = mine): Promise<Answer> =>
      api().get(`${SALE}/${encodeURIComponent(name)}`, headers);
    const list = (query = '', headers = mine): Promise<Answer> =>
      api().get(`${SALES_LIST}${query}`, headers);

    it('is a sale by its externalSaleId, whatever characters that has', async () => {
      for (const name of [
        'plain',
        'com espaço/é?#%',
        '🎟'.repeat(100),
        'validate',
        'a..b',
        '2026',
      ]) {
        const sold = await sell(name);
        expect(sold.status).to.equal(201);
        const { document_url, ...known } = (await read(name)).body;
        expect(known.success).to.equal(true);
        expect(known.data).to.deep.include(sold.body.data);
        expect(document_url).to.match(/\/documents\//);
      }
    });

    it('is the same sale by the composed and the decomposed externalSaleId', async () => {
      const [composed, decomposed] = ['Pedido açaí é', 'Pedido açaí é'].map((name, index) =>
        name.normalize(index === 0 ? 'NFC' : 'NFD'),
      );
      expect(composed).not.to.equal(decomposed);
      const sold = await sell(decomposed as string);
      const repeated = await sell(composed as string);
      expect([sold.status, repeated.status]).to.deep.equal([201, 200]);
      expect(repeated.body).to.deep.equal(sold.body);
      expect(sold.body.data.external_sale_id).to.equal(composed);
      for (const name of [composed, decomposed])
        expect((await read(name as string)).body.data).to.deep.include(sold.body.data);
    });

    it('has an externalSaleId without invisible characters', async () => {
      const UNSEEN = [
        '\u200b',
        '\u00ad',
        '\u115f',
        '\u3164',
        '\uffa0',
        '\u2060',
        '\u180e',
        '\ufe0f',
        '\u2800',
        '\u00a0',
        '\u3000',
        '\u{e0041}',
      ];
      for (const unseen of UNSEEN) {
        const named = await sell(`pedido${unseen}1`);
        expect(named.status, escape(unseen)).to.equal(422);
        expect(named.body.errors.externalSaleId[0]).to.match(/invisíveis/);
        expect((await read(`pedido${unseen}1`)).status).to.equal(404);
      }
    });

    it('is a sale of another endpoint by its ticket', async () => {
      const ticket = (await api().post(CREATE, mainBody(), mine)).body.data.ticket;
      const { body } = await read(ticket);
      expect(body.data).to.deep.include({
        ticket,
        external_sale_id: null,
        product: { id: 1, code: 'INGRESSO' },
      });
    });

    it('is the current state of the sale', async () => {
      await sell('cancelled');
      const cancelled = await api().post(`${SALE}/cancelled/cancel`, {}, mine);
      expect(cancelled.body.response.data.cancellation).to.include({
        refund_by: 'channel',
        refund_pending: 90.24,
      });
      expect((await read('cancelled')).body.data.status).to.equal('cancelled');
      expect((await sell('cancelled')).body.data.status).to.equal('paid');
    });

    it('excludes sales of other channels, with the answer for an unknown sale', async () => {
      const { body } = await sell('secret');
      const absent = await read('no-such-sale', theirs);
      expect(absent.status).to.equal(404);
      for (const name of [
        'secret',
        body.data.ticket,
        String(body.data.transaction_id),
        "' or 1=1 --",
        '\u0000',
        'x'.repeat(101),
      ]) {
        const answer = await read(name, theirs);
        expect(answer.status, name).to.equal(404);
        expect(answer.body.response).to.match(/não encontrad/);
      }
      expect((await read('secret', theirs)).body).to.deep.equal(absent.body);
      expect((await api().post(`${SALE}/secret/cancel`, {}, theirs)).status).to.equal(404);
      expect((await api().post(`${SALE}/${body.data.ticket}/cancel`, {}, theirs)).status).to.equal(
        404,
      );
      expect((await read('secret')).body.data.status).to.equal('paid');
    });

    it('is a list page by page, unaffected by new sales', async () => {
      await api().channel('canal-lista');
      const seller = await api().bearer('canal-lista');
      for (let index = 0; index < 7; index += 1) await sell(`list-${index}`, {}, seller);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: Answer = await list(
          `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
          seller,
        );
        seen.push(...body.data.map((sale: { external_sale_id: string }) => sale.external_sale_id));
        cursor = body.next_cursor;
        await sell(`meanwhile-${seen.length}`, {}, seller);
      }
      expect(seen).to.deep.equal([6, 5, 4, 3, 2, 1, 0].map((index) => `list-${index}`));
      const [newest] = (await list('?limit=1', seller)).body.data;
      expect(newest).to.deep.equal((await read(newest.external_sale_id, seller)).body.data);
    });

    it('is filtered by status, and by dates or instants', async () => {
      await api().channel('canal-datas');
      const seller = await api().bearer('canal-datas');
      await sell('old', {}, seller);
      await sell('pending', { payment: { status: 'pending', method: 'pix' } }, seller);
      const names = async (query: string) =>
        (await list(query, seller)).body.data.map(
          (sale: { external_sale_id: string }) => sale.external_sale_id,
        );
      expect(await names('?status=awaiting_payment')).to.deep.equal(['pending']);
      expect(await names('?status=paid')).to.deep.equal(['old']);
      expect(await names('?from=2026-11-20&to=2026-11-20')).to.deep.equal(['pending', 'old']);
      expect(await names('?from=2026-11-21')).to.deep.equal([]);
      expect(await names('?to=2026-11-19')).to.deep.equal([]);
      // In São Paulo, the 20th begins at 03:00 UTC.
      expect(await names('?from=2026-11-20T03:00:00Z&to=2026-11-21T03:00:00Z')).to.deep.equal([
        'pending',
        'old',
      ]);
      expect(await names('?from=2026-11-20T15:00:00Z')).to.deep.equal(['pending', 'old']);
      expect(await names('?to=2026-11-20T12:00:00-03:00')).to.deep.equal([]);
    });

    it('excludes other channels, also with a forged cursor', async () => {
      const id = (await sell('not-theirs')).body.data.transaction_id;
      for (const place of [id + 1, 999_999_999]) {
        const { body } = await list(
          `?cursor=${Buffer.from(String(place)).toString('base64url')}`,
          theirs,
        );
        expect(
          body.data.map((sale: { external_sale_id: string }) => sale.external_sale_id),
        ).not.to.include('not-theirs');
      }
      for (const cursor of ['x', '0', 'MSBvciAxPTE', '%27'])
        expect((await list(`?cursor=${cursor}`, theirs)).status).to.equal(422);
    });

    it('requires a valid query', async () => {
      for (const query of [
        '?from=yesterday',
        '?to=2026-02-30',
        '?status=open',
        '?limit=0',
        '?limit=201',
        '?channelLink=canal-demo',
        '?from=1&from=2',
      ]) {
        const { status, body } = await list(query);
        expect([status, Object.keys(body.errors).length], query).to.deep.equal([422, 1]);
      }
      expect((await api().get(`${SALE}/plain?full=1`, mine)).status).to.equal(422);
    });
  });
});

describe('validating a sale', () => {
  withApi((api) => {
    let bearer: { Authorization: string };
    before(async () => {
      bearer = await api().bearer();
    });
    const validate = (over: object = {}): Promise<Answer> =>
      api().post(`${SALE}/validate`, saleOrder({ ...over }), bearer);

    it('answers with every amount that the sale would have, and stores nothing', async () => {
      const { status, body } = await validate();
      expect(status).to.equal(200);
      expect(body.message).to.equal('Venda válida; nada foi gravado.');
      const nothing = {
        transaction_id: null,
        ticket: null,
        status: null,
        payment_url: null,
        policy_no: null,
        registered_at: null,
      };
      expect(body.data).to.deep.include({ ...nothing, external_sale_id: 'order-1' });
      expect(await api().memory.sales.list({ limit: 10 })).to.deep.equal([]);
      const sold = await api().post(SALE, saleOrder(), bearer);
      const { transaction_id, ticket, status: its, registered_at, ...figures } = sold.body.data;
      expect(body.data).to.deep.include(figures);
    });

    it('refuses what the sale would refuse', async () => {
      const over = { product: { id: 3 }, amounts: { total: 1 }, attributes: { imei: '1' } };
      const [checked, sold] = [
        await validate({ externalSaleId: 'x', ...over }),
        await api().post(SALE, saleOrder({ externalSaleId: 'x', ...over }), bearer),
      ];
      expect(checked.status).to.equal(422);
      expect(Object.keys(checked.body.errors)).to.deep.equal([
        'amounts.total',
        'coverage.startDate',
        'coverage.endDate',
        'attributes.imei',
      ]);
      expect(checked.body).to.deep.equal(sold.body);
      expect((await validate({ channelLink: 'outro' })).status).to.equal(403);
    });

    it('answers what a repeated externalSaleId would answer', async () => {
      const sold = await api().post(SALE, saleOrder({ externalSaleId: 'done' }), bearer);
      const again = await validate({ externalSaleId: 'done' });
      expect(again.body.message).to.equal('Venda já registrada.');
      expect(again.body.data).to.deep.include(sold.body.data);
      const read = await api().get(`${SALE}/done`, bearer);
      expect(again.body.data).to.deep.equal(read.body.data);
      const { status, body } = await validate({ externalSaleId: 'done', plan: { id: 42 } });
      expect([status, body.transaction_id]).to.deep.equal([409, sold.body.data.transaction_id]);
      expect((await validate({ externalSaleId: 'done', plan: { id: 99 } })).status).to.equal(409);
    });
  });
});
