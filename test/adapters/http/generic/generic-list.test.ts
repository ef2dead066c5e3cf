import { expect } from 'chai';
import { type Answer, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, SALES_LIST, saleOrder } from '../../../support/generic-sales.ts';

const AFTER_SALE = 60;

type Shown = Record<string, unknown>;

describe('the list of a channel’s sales', () => {
  withApi((api) => {
    let seller: { Authorization: string };
    let other: { Authorization: string };
    before(async () => {
      await api().channel('loja');
      await api().channel('outra-loja');
      [seller, other] = [await api().bearer('loja'), await api().bearer('outra-loja')];
    });
    const sell = async (externalSaleId: string, over: object = {}): Promise<Shown> => {
      const { body } = await api().post(SALE, saleOrder({ externalSaleId, ...over }), seller);
      return body.data;
    };
    const PENDING = { payment: { status: 'pending', method: 'pix' } };
    const list = (query = '', headers = seller): Promise<Answer> =>
      api().get(`${SALES_LIST}${query}`, headers);
    const names = async (query: string, headers = seller) => {
      const { status, body } = await list(query, headers);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.data.map((sale: Shown) => sale['external_sale_id']);
    };
    const find = async (name: string): Promise<Shown> =>
      (await api().get(`${SALE}/${name}`, seller)).body.data;
    const now = () => api().memory.clock.now();
    const later = (seconds = AFTER_SALE) => api().memory.clock.advance(seconds);
    const payOnPage = async ({ payment_url }: Shown): Promise<void> => {
      const charge = String(payment_url).split('/').at(-1) as string;
      await api().memory.sandbox.payOnPage(charge, 'pix', undefined, 'once');
      await api().memory.runJobs();
    };

    it('names its next page in a Link header, and none after the last one', async () => {
      for (const name of ['a', 'b', 'c']) await sell(`linked-${name}`);
      const first = await list('?limit=2&status=paid');
      const [, target = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('Link') ?? '') ?? [];
      const next = new URL(target, `${api().url}/api${SALES_LIST}`);
      expect(next.searchParams.get('cursor')).to.equal(first.body.next_cursor);
      expect(next.searchParams.get('status')).to.equal('paid');
      const second = await list(next.search);
      expect(second.body.data).to.have.length(1);
      expect(second.headers.get('Link')).to.equal(null);
    });

    it('can be read again for what was registered or changed since', async () => {
      await sell('unchanged');
      const link = await sell('paid-later', PENDING);
      await sell('cancelled-later');
      later();
      const since = now();
      expect(await names(`?updatedSince=${since}`)).to.deep.equal([]);
      later();
      await payOnPage(link);
      await api().post(`${SALE}/cancelled-later/cancel`, {}, seller);
      await sell('new');
      expect(await names(`?updatedSince=${since}`)).to.deep.equal([
        'new',
        'cancelled-later',
        'paid-later',
      ]);
      expect(await names(`?updatedSince=${since}&status=cancelled`)).to.deep.equal([
        'cancelled-later',
      ]);
      const local = since.replace('T15:', 'T12:').replace('Z', '-03:00');
      expect(await names(`?updatedSince=${encodeURIComponent(local)}`)).to.have.length(3);
      expect(await names(`?updatedSince=${since}`, other)).to.deep.equal([]);
      const [first] = (await list(`?updatedSince=${since}&limit=1`)).body.data;
      expect(first).to.deep.equal(await find('new'));
    });

    it('has when each sale was changed last', async () => {
      const registered = now();
      const link = await sell('dated', PENDING);
      later();
      expect((await find('dated'))['updated_at']).to.equal(registered);
      const changed = now();
      await payOnPage(link);
      later();
      const sale = await find('dated');
      expect([sale['registered_at'], sale['updated_at']]).to.deep.equal([registered, changed]);
      await sell('undated');
      const undated = await find('undated');
      expect(undated['updated_at']).to.equal(undated['registered_at']);
    });

    it('shows every page once, whatever changes while it is read', async () => {
      later();
      const since = now();
      for (let index = 0; index < 7; index += 1) await sell(`page-${index}`);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body }: Answer = await list(`?updatedSince=${since}&limit=2${more}`);
        seen.push(...body.data.map((sale: Shown) => sale['external_sale_id']));
        cursor = body.next_cursor;
        later();
        const changed = seen.length % 4 === 0 ? seen.at(-1) : 'page-0';
        await api().post(`${SALE}/${changed}/cancel`, {}, seller);
      }
      expect(seen).to.deep.equal([6, 5, 4, 3, 2, 1, 0].map((index) => `page-${index}`));
    });

    it('has sales in any of several states, and of one product', async () => {
      await api().channel('varias');
      const headers = await api().bearer('varias');
      const sold = (externalSaleId: string, over: object = {}) =>
        api().post(SALE, saleOrder({ externalSaleId, ...over }), headers);
      await sold('first');
      await sold('second', PENDING);
      await sold('third');
      await api().post(`${SALE}/third/cancel`, {}, headers);
      await api().post(CREATE, mainBody({ channelLink: 'varias' }), headers);
      const of = (query: string) => names(query, headers);
      expect(await of('?status=paid,cancelled')).to.deep.equal([null, 'third', 'first']);
      expect(await of('?status=paid&status=awaiting_payment')).to.deep.equal([
        null,
        'second',
        'first',
      ]);
      expect(await of('?status=cancelled,refunded&status=awaiting_payment')).to.deep.equal([
        'third',
        'second',
      ]);
      expect(await of('?productCode=LUA_DE_MEL&status=paid')).to.deep.equal(['first']);
      expect(await of('?productCode=INGRESSO')).to.deep.equal([null]);
      expect(await of('?productCode=NENHUM')).to.deep.equal([]);
    });

    it('says what has to happen next, who does it, and until when', async () => {
      const { payment_url: url } = await sell('to-pay', PENDING);
      const waiting = await find('to-pay');
      const { expires_at: until } = waiting;
      // Due on Monday: a bank reports it on Tuesday, whose last second this is.
      expect(until).to.equal('2026-11-25T02:59:59.000Z');
      expect(waiting).to.deep.include({
        refusal_reason: null,
        next: { actor: 'insured', action: 'pay', url, until },
      });

      await sell('complete');
      expect(await find('complete')).to.deep.include({
        expires_at: null,
        refusal_reason: null,
        next: null,
      });
      await api().post(`${SALE}/complete/cancel`, {}, seller);
      expect((await find('complete'))['next']).to.deep.equal({
        actor: 'channel',
        action: 'refund',
      });
    });

    it('says that the insurer issues and the service refunds what it collected', async () => {
      const link = await sell('to-issue', PENDING);
      const { issuer } = api().memory;
      issuer.mishaps.always = 'unreached';
      await payOnPage(link);
      expect(await find('to-issue')).to.deep.include({
        status: 'paid',
        expires_at: null,
        next: { actor: 'insurer', action: 'issue' },
      });
      issuer.mishaps.always = undefined;

      const { payments } = api().memory;
      payments.mishaps.always = 'unreached';
      await api().post(`${SALE}/to-issue/cancel`, {}, seller);
      payments.mishaps.always = undefined;
      expect(await find('to-issue')).to.deep.include({
        status: 'cancelled',
        next: { actor: 'service', action: 'refund' },
      });
    });

    it('has the time of a change that reading the sale makes', async () => {
      const link = await sell('issued-unheard', PENDING);
      const { mishaps } = api().memory.issuer;
      // It is looked up, then issued, and the answer is lost.
      mishaps.next(undefined, 'lost');
      mishaps.always = 'unheard';
      await payOnPage(link);
      mishaps.always = undefined;
      later();
      const issued = await find('issued-unheard');
      expect(issued).to.deep.include({ status: 'issued', updated_at: now(), next: null });
    });

    it('says why a sale was refused', async () => {
      const { payment_url } = await sell('refused', PENDING);
      const charge = String(payment_url).split('/').at(-1) as string;
      await api().memory.sandbox.refuseOnPage(charge, 'once');
      await api().memory.runJobs();
      expect(await find('refused')).to.deep.include({
        status: 'refused',
        expires_at: null,
        refusal_reason: { code: 'payment_refused', text: 'o pagador recusou o pagamento' },
        next: null,
      });
    });

    it('names every fault of its query at once', async () => {
      const { status, body } = await list(
        '?from=yesterday&to=2026-02-30&updatedSince=2026-11-20&status=open,paid&status=closed' +
          '&productCode=&limit=0&cursor=MA&limite=3&to=2026-01-01',
      );
      expect(status).to.equal(422);
      expect(body.error_codes).to.deep.equal({
        from: ['invalid_format'],
        to: ['repeated'],
        updatedSince: ['invalid_format'],
        status: ['not_offered'],
        productCode: ['too_short', 'invalid_format'],
        limit: ['out_of_range'],
        cursor: ['invalid_format'],
        limite: ['unknown'],
      });
      const tooMany = await list(`?status=${Array(9).fill('paid').join()}`);
      expect(tooMany.body.error_codes).to.deep.equal({ status: ['too_long'] });
      const empty = await list('?status=');
      expect(empty.body.errors.status[0]).to.match(/^O campo status deve ser um destes: pending, /);
    });
  });
});
