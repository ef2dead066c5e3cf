import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type BornSale, type Instant, type NewSale, type PaidSale, type SaleTerms, newSale as saleOn } from '#domain';
import type { Registration } from '../../application/sales/sales.ts';
import { AT, cancelledOn, salesInEveryState, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

const unique = (name: string): string => `${name}-${randomUUID()}`;
const newSale = (over: Partial<SaleTerms> = {}): NewSale => saleOn(unique('ticket'), AT, terms(over));

const registered = (registration: Registration): BornSale => {
  if (registration.kind !== 'registered') throw new Error('expected a new sale');
  return registration.sale;
};

overEveryStore('the sales register', (store) => {
  it('numbers a sale, gives it version 1, and finds it again whole', async () => {
    const sale = newSale();
    const stored = registered(await store().sales.register(sale));
    expect(stored).to.deep.equal({ ...sale, id: stored.id, version: 1 });
    expect(stored.id).to.be.a('number').above(0);
    expect(await store().sales.find('canal-demo', stored.id)).to.deep.equal(stored);
  });

  it('gives every sale another number', async () => {
    const stored = await Promise.all(Array.from({ length: 30 }, () => store().sales.register(newSale())));
    expect(new Set(stored.map((each) => registered(each).id)).size).to.equal(30);
  });

  it('returns the first sale and its content when a client uses a key again', async () => {
    const idempotency = { key: unique('key'), content: { a: 1, b: ['x', null], ção: { c: true } } };
    const first = registered(await store().sales.register(newSale(), idempotency));
    const second = await store().sales.register(newSale(), { ...idempotency, content: { other: true } });
    expect(second).to.deep.equal({ kind: 'duplicate', earlier: { sale: first, content: idempotency.content } });
    expect(await store().sales.findEarlier('client-1', idempotency.key)).to.deep.equal({
      sale: first,
      content: idempotency.content,
    });
  });

  it('keeps the keys of clients apart', async () => {
    const key = unique('key');
    const mine = registered(await store().sales.register(newSale(), { key, content: 1 }));
    const theirs = registered(await store().sales.register(newSale({ clientId: 'client-2' }), { key, content: 2 }));
    expect(theirs.id).not.to.equal(mine.id);
    expect(await store().sales.findEarlier('client-3', key)).to.equal(undefined);
  });

  it('makes one sale of a hundred simultaneous copies', async () => {
    const key = unique('key');
    const copies = Array.from({ length: 100 }, () => store().sales.register(newSale(), { key, content: { same: true } }));
    const outcomes = await Promise.all(copies);
    const winners = outcomes.filter(({ kind }) => kind === 'registered');
    const ids = outcomes.map((each) => (each.kind === 'registered' ? each.sale.id : each.earlier.sale.id));
    expect(winners).to.have.length(1);
    expect(new Set(ids).size).to.equal(1);
  });

  it('shows a sale to its own channel only, and nothing where there is none', async () => {
    const { id } = registered(await store().sales.register(newSale()));
    expect(await store().sales.find('canal-alheio', id)).to.equal(undefined);
    expect(await store().sales.find('canal-demo', 999_999_999_999_999)).to.equal(undefined);
  });

  for (const sale of salesInEveryState()) {
    it(`keeps a sale that is ${sale.status}, its payment ${sale.payment.status}, whole`, async () => {
      const { id, ticket } = registered(await store().sales.register(newSale(sale.terms)));
      const changed = { ...sale, id, ticket, version: 1 };
      expect(await store().sales.save(changed)).to.equal('saved');
      expect(await store().sales.find('canal-demo', id)).to.deep.equal({ ...changed, version: 2 });
    });
  }

  it('registers a sale whose payment is still to be taken', async () => {
    const sale = newSale({ payment: { collectedBy: 'service', installments: 3 } });
    const stored = registered(await store().sales.register(sale));
    expect(stored.status).to.equal('pending');
    expect(await store().sales.find('canal-demo', stored.id)).to.deep.equal(stored);
  });

  it('calls a change stale when another came first, and changes nothing', async () => {
    const paid = registered(await store().sales.register(newSale())) as PaidSale;
    expect(await store().sales.save(cancelledOn(paid, '2026-11-21'))).to.equal('saved');
    expect(await store().sales.save(cancelledOn(paid, '2026-11-22'))).to.equal('stale');
    const found = await store().sales.find('canal-demo', paid.id);
    expect(found).to.deep.include({ version: 2, cancellation: cancelledOn(paid, '2026-11-21').cancellation });
    expect(await store().sales.save({ ...cancelledOn(paid, '2026-11-21'), id: 999_999_999_999 })).to.equal('stale');
  });

  it('lets exactly one of many simultaneous changes win', async () => {
    const paid = registered(await store().sales.register(newSale())) as PaidSale;
    const changes = Array.from({ length: 20 }, () => store().sales.save(cancelledOn(paid, '2026-11-21')));
    expect((await Promise.all(changes)).filter((outcome) => outcome === 'saved')).to.have.length(1);
  });

  it('shares nothing with its callers', async () => {
    const sale = newSale();
    const stored = registered(await store().sales.register(sale));
    (stored.terms.insured as { name: string }).name = 'changed by the caller';
    const found = await store().sales.find('canal-demo', stored.id);
    expect(found?.terms.insured.name).to.equal(terms().insured.name);
  });

  it('lists what fits, of all channels, the newest first, so many at most', async () => {
    const { sales } = store();
    const sold = async (ticket: string, channelLink: string, code: string, at: string) => {
      const product = { id: 1, code, line: 'event_ticket' };
      return registered(await sales.register(saleOn(ticket, at as Instant, terms({ channelLink, product })))).id;
    };
    const first = await sold('L-1', 'canal-lista', 'INGRESSO', '2030-01-01T00:00:00.000Z');
    const second = await sold('L-2', 'canal-lista', 'CAMAROTE', '2030-01-02T00:00:00.000Z');
    const third = await sold('L-3', 'canal-outro', 'CAMAROTE', '2030-01-03T00:00:00.000Z');
    const ids = async (query: object, limit = 100) => (await sales.list({ ...query, limit })).map(({ id }) => id);
    expect((await ids({})).slice(0, 3)).to.deep.equal([third, second, first]);
    expect(await ids({ channelLink: 'canal-lista' })).to.deep.equal([second, first]);
    expect(await ids({ productCode: 'CAMAROTE' })).to.deep.equal([third, second]);
    expect(await ids({ channelLink: 'canal-lista', productCode: 'CAMAROTE', status: 'paid' })).to.deep.equal([second]);
    expect(await ids({ channelLink: 'canal-lista', status: 'cancelled' })).to.deep.equal([]);
    expect(await ids({ from: '2030-01-02T00:00:00.000Z', to: '2030-01-03T00:00:00.000Z' })).to.deep.equal([second]);
    expect(await ids({ before: third }, 1)).to.deep.equal([second]);
    expect((await sales.list({ channelLink: 'canal-outro', limit: 1 }))[0]).to.deep.equal(await sales.find('canal-outro', third));
  });
});
