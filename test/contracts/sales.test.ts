import { randomUUID } from 'node:crypto';
import { cancel, type NewSale, type PaidSale, paidOutside, type SaleTerms } from '@insurance-sales/domain';
import { expect } from 'chai';
import type { Registration } from '../../application/sales/sales.ts';
import { terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

const unique = (name: string): string => `${name}-${randomUUID()}`;
const newSale = (over: Partial<SaleTerms> = {}): NewSale =>
  paidOutside(unique('ticket'), '2026-11-20T15:00:00.123Z', terms(over));

const registered = (registration: Registration): PaidSale => {
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

  it('saves a change over the version it was made from, and raises it', async () => {
    const paid = registered(await store().sales.register(newSale()));
    const cancelled = cancel(paid, '2026-11-21T10:00:00.001Z');
    expect(await store().sales.save(cancelled)).to.equal('saved');
    expect(await store().sales.find('canal-demo', paid.id)).to.deep.equal({ ...cancelled, version: 2 });
  });

  it('calls a change stale when another came first, and changes nothing', async () => {
    const paid = registered(await store().sales.register(newSale()));
    expect(await store().sales.save(cancel(paid, '2026-11-21T10:00:00.000Z'))).to.equal('saved');
    expect(await store().sales.save(cancel(paid, '2026-11-22T10:00:00.000Z'))).to.equal('stale');
    expect(await store().sales.find('canal-demo', paid.id)).to.include({ version: 2, cancelledAt: '2026-11-21T10:00:00.000Z' });
    expect(await store().sales.save({ ...cancel(paid, '2026-11-21T10:00:00.000Z'), id: 999_999_999_999 })).to.equal('stale');
  });

  it('lets exactly one of many simultaneous changes win', async () => {
    const paid = registered(await store().sales.register(newSale()));
    const changes = Array.from({ length: 20 }, (_, second) =>
      store().sales.save(cancel(paid, `2026-11-21T10:00:${String(second).padStart(2, '0')}.000Z`)),
    );
    expect((await Promise.all(changes)).filter((outcome) => outcome === 'saved')).to.have.length(1);
  });

  it('shares nothing with its callers', async () => {
    const sale = newSale();
    const stored = registered(await store().sales.register(sale));
    (stored.terms.insured as { name: string }).name = 'changed by the caller';
    const found = await store().sales.find('canal-demo', stored.id);
    expect(found?.terms.insured.name).to.equal(terms().insured.name);
  });
});
