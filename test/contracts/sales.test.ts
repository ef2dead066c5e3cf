import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  type BornSale,
  bookingsOf,
  type CancellableSale,
  type Email,
  type Instant,
  instantOf,
  isCancelled,
  type Json,
  type NewSale,
  type PaidSale,
  protocolOf,
  type Sale,
  type SaleTerms,
  createSale as saleOn,
} from '#domain';
import { CANCELLATION_NUMBER } from '../../application/mailing-name.ts';
import { cardMark, ERASED_CARD } from '../../application/sales/card-mark.ts';
import type { Idempotency } from '../../application/sales/sale-request.ts';
import type { BookedLine, Registration } from '../../application/sales/sales.ts';
import { entry } from '../support/identity.ts';
import { settle } from '../support/mailings.ts';
import {
  AT,
  cancelledOn,
  ISSUED,
  PAID,
  salesInEveryState,
  TOTAL,
  terms,
} from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

const unique = (name: string): string => `${name}-${randomUUID()}`;
const createSale = (over: Partial<SaleTerms> = {}): NewSale =>
  saleOn(unique('ticket'), AT, terms(over));

const SELLER = { clientId: 'client-1', channelLink: 'canal-demo' };

const clients = (key: string, content: Json): Idempotency => ({ owner: 'client', key, content });

/** What is found by a name that no sale of the channel has. */
const NOTHING = { named: undefined, ticketed: undefined };

const registered = (registration: Registration): BornSale => {
  if (registration.kind !== 'registered') throw new Error('expected a new sale');
  return registration.sale;
};

overEveryStore('the sales register', (store) => {
  it('gives a sale a number and version 1, and finds it unchanged', async () => {
    const sale = createSale();
    const stored = registered(await store().sales.register(sale));
    expect(stored).to.deep.equal({ ...sale, id: stored.id, version: 1 });
    expect(stored.id).to.be.a('number').above(0);
    expect(await store().sales.find('canal-demo', stored.id)).to.deep.equal(stored);
  });

  it('gives each sale a different number', async () => {
    const stored = await Promise.all(
      Array.from({ length: 30 }, () => store().sales.register(createSale())),
    );
    expect(new Set(stored.map((each) => registered(each).id)).size).to.equal(30);
  });

  it('returns the first sale and its content when a client uses a key again', async () => {
    const idempotency = clients(unique('key'), { a: 1, b: ['x', null], ção: { c: true } });
    const first = registered(await store().sales.register(createSale(), idempotency));
    const second = await store().sales.register(createSale(), {
      ...idempotency,
      content: { other: true },
    });
    expect(second).to.deep.equal({
      kind: 'duplicate',
      earlier: { sale: first, content: idempotency.content },
    });
    expect(await store().sales.findEarlier(SELLER, idempotency)).to.deep.equal({
      sale: first,
      content: idempotency.content,
    });
  });

  it('keeps the keys of different clients apart', async () => {
    const key = unique('key');
    const mine = registered(await store().sales.register(createSale(), clients(key, 1)));
    const theirs = registered(
      await store().sales.register(createSale({ clientId: 'client-2' }), clients(key, 2)),
    );
    expect(theirs.id).not.to.equal(mine.id);
    expect(
      await store().sales.findEarlier({ ...SELLER, clientId: 'client-3' }, clients(key, 1)),
    ).to.equal(undefined);
  });

  it('registers one of a hundred simultaneous copies', async () => {
    const key = unique('key');
    const copies = Array.from({ length: 100 }, () =>
      store().sales.register(createSale(), clients(key, { same: true })),
    );
    const outcomes = await Promise.all(copies);
    const winners = outcomes.filter(({ kind }) => kind === 'registered');
    const ids = outcomes.map((each) =>
      each.kind === 'registered' ? each.sale.id : each.earlier.sale.id,
    );
    expect(winners).to.have.length(1);
    expect(new Set(ids).size).to.equal(1);
  });

  it('registers one sale per key of simultaneous requests, with or without a lease', async () => {
    const { sales } = store();
    const [run, lease] = [
      unique('run'),
      { holder: 'worker', until: '2199-01-01T00:00:00.000Z' as Instant },
    ];
    const twice = Array.from({ length: 40 }, (_, index) => index % 20);
    const copies = twice.map((name, index) => {
      const named =
        name % 2 === 0
          ? clients(`${run}-${name}`, { index })
          : ({ owner: 'channel', key: `${run}-${name}`, content: { index } } as const);
      const sold = createSale(name % 2 === 0 ? {} : { externalSaleId: named.key });
      return sales.register(sold, named, name % 5 === 0 ? lease : undefined);
    });
    const [others, outcomes] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, () => sales.register(createSale()))),
      Promise.all(copies),
    ]);
    expect(outcomes.slice(0, 20).map(({ kind }) => kind)).to.deep.equal(
      Array(20).fill('registered'),
    );
    for (const [index, outcome] of outcomes.slice(20).entries()) {
      const first = registered(outcomes[index] as Registration);
      expect(outcome).to.deep.include({
        kind: 'duplicate',
        earlier: { sale: first, content: { index } },
      });
      expect(await sales.load(first.id)).to.deep.equal(first);
    }
    for (const each of others.map(registered))
      expect(await sales.load(each.id)).to.deep.equal(each);
    const leased = outcomes
      .filter((_, index) => index < 20 && index % 5 === 0)
      .map((each) => registered(each).id);
    expect((await store().due()).sales).to.include.members(leased);
  });

  describe('a sale with an externalSaleId', () => {
    const named = (externalSaleId: string, over: Partial<SaleTerms> = {}) =>
      createSale({ externalSaleId, ...over });
    const channels = (key: string, content: Json): Idempotency => ({
      owner: 'channel',
      key,
      content,
    });

    it('is registered once for all clients of the channel, and found by that id', async () => {
      const name = unique('order');
      const first = registered(await store().sales.register(named(name), channels(name, { a: 1 })));
      const second = await store().sales.register(
        named(name, { clientId: 'client-2' }),
        channels(name, { a: 2 }),
      );
      expect(second).to.deep.equal({
        kind: 'duplicate',
        earlier: { sale: first, content: { a: 1 } },
      });
      const earlier = await store().sales.findEarlier(
        { ...SELLER, clientId: 'client-9' },
        channels(name, 0),
      );
      expect(earlier?.sale).to.deep.equal(first);
      expect(await store().sales.findByEitherName('canal-demo', name)).to.deep.equal({
        named: first,
        ticketed: undefined,
      });
      expect(await store().sales.findEarlier(SELLER, clients(name, 0))).to.equal(undefined);
    });

    const twiceNamed = (
      externalSaleId: string,
      requestKey: string,
      content: Json,
    ): Idempotency => ({
      ...channels(externalSaleId, content),
      requestKey,
    });

    it('keeps the client key that came with it, and both find the sale', async () => {
      const [name, key] = [unique('order'), unique('key')];
      const first = registered(await store().sales.register(named(name), twiceNamed(name, key, 1)));
      expect(first).to.deep.include({ idempotencyKey: key });
      expect(await store().sales.find('canal-demo', first.id)).to.deep.equal(first);
      expect(await store().sales.findStatus('canal-demo', first.id)).to.deep.include({
        externalSaleId: name,
        idempotencyKey: key,
      });
      for (const other of [
        channels(name, 2),
        twiceNamed(name, unique('key'), 2),
        clients(key, 2),
        twiceNamed(unique('order'), key, 2),
      ]) {
        const sale = other.owner === 'channel' ? named(other.key) : createSale();
        const again = await store().sales.register(sale, other);
        const known = { sale: first, content: 1 };
        expect(again).to.deep.equal({ kind: 'duplicate', earlier: known });
        expect(await store().sales.findEarlier(SELLER, other)).to.deep.equal(known);
      }
    });

    it('names the sale of the client key, if the two keys are of two sales', async () => {
      const [name, key] = [unique('order'), unique('key')];
      const ofName = registered(await store().sales.register(named(name), channels(name, 1)));
      const ofKey = registered(await store().sales.register(createSale(), clients(key, 2)));
      const both = await store().sales.register(named(name), twiceNamed(name, key, 3));
      expect(both).to.deep.equal({ kind: 'duplicate', earlier: { sale: ofKey, content: 2 } });
      const changed = { ...ofName, idempotencyKey: key };
      expect(await store().sales.save(changed)).to.equal('saved');
      expect((await store().sales.find('canal-demo', ofName.id))?.idempotencyKey, 'kept').to.equal(
        undefined,
      );
    });

    it('gives one sale to simultaneous requests that cross their two keys, and an answer to all', async () => {
      const [names, keys] = ['order', 'key'].map((word) =>
        Array.from({ length: 6 }, () => unique(word)),
      ) as [string[], string[]];
      const outcomes = await Promise.all(
        Array.from({ length: 72 }, (_, index) => {
          const name = names[index % 6] as string;
          const key = keys[Math.floor(index / 6) % 6] as string;
          return store().sales.register(named(name), twiceNamed(name, key, index));
        }),
      );
      const first = outcomes.filter(({ kind }) => kind === 'registered').map(registered);
      const [soldNames, soldKeys] = [
        first.map(({ terms }) => terms.externalSaleId),
        first.map(({ idempotencyKey }) => idempotencyKey),
      ];
      expect(new Set(soldNames).size).to.equal(first.length);
      expect(new Set(soldKeys).size).to.equal(first.length);
      for (const each of outcomes)
        if (each.kind === 'duplicate')
          expect(first.map(({ id }) => id)).to.include(each.earlier.sale.id);
    });

    it('is found by the numbers of its insurer, the newest where several have one', async () => {
      const [quoted, proposed, issued] = [unique('C'), unique('P'), unique('A')];
      const issuedAs = async (number: string) => {
        const payment = { collectedBy: 'service', installments: 1 } as const;
        const born = registered(await store().sales.register(createSale({ payment })));
        const { id, ticket, terms } = born;
        const quotation = { status: 'issued', number: quoted, policyNumber: number };
        const proposal = { status: 'policy', number: proposed, policyNumber: number };
        const issuance = { quotation, proposal, policy: 'active' };
        const policy = { ...ISSUED.policy, number };
        const changed = { ...ISSUED, id, ticket, terms, version: 1, issuance, policy };
        expect(await store().sales.save(changed as unknown as Sale)).to.equal('saved');
        return id;
      };
      const first = await issuedAs(issued);
      const byNumber = async (number: string, channelLink = 'canal-demo') =>
        (await store().sales.findByNumber(channelLink, number))?.id;
      for (const number of [quoted, proposed, issued]) {
        expect(await byNumber(number)).to.equal(first);
        expect(await byNumber(number, 'canal-alheio')).to.equal(undefined);
      }
      const second = await issuedAs(unique('A'));
      expect(await byNumber(proposed)).to.equal(second);
      expect(await byNumber(issued)).to.equal(first);
    });

    it('is not visible to other channels, which may use the same id', async () => {
      const name = unique('order');
      const mine = registered(await store().sales.register(named(name), channels(name, 1)));
      expect(await store().sales.findByEitherName('canal-alheio', name)).to.deep.equal(NOTHING);
      const theirs = registered(
        await store().sales.register(
          named(name, { channelLink: 'canal-alheio' }),
          channels(name, 2),
        ),
      );
      expect(theirs.id).not.to.equal(mine.id);
      const found = await store().sales.findByEitherName('canal-alheio', name);
      expect(found).to.deep.equal({ named: theirs, ticketed: undefined });

      for (const [channelLink, sale] of [
        ['canal-demo', mine],
        ['canal-alheio', theirs],
      ] as const) {
        const again = await store().sales.register(named(name, { channelLink }), channels(name, 3));
        expect(again).to.deep.nested.include({ kind: 'duplicate', 'earlier.sale': sale });
      }
    });

    it('is registered once for a hundred simultaneous requests of different clients', async () => {
      const name = unique('order');
      const copies = Array.from({ length: 100 }, (_, index) => {
        const lease = index % 2 === 0 ? { holder: unique('holder'), until: AT } : undefined;
        return store().sales.register(
          named(name, { clientId: `client-${index}` }),
          channels(name, 1),
          lease,
        );
      });
      const kinds = (await Promise.all(copies)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'registered')).to.have.length(1);
    });
  });

  it('finds a sale only for its own channel, and nothing for an unknown number', async () => {
    const { id } = registered(await store().sales.register(createSale()));
    expect(await store().sales.find('canal-alheio', id)).to.equal(undefined);
    expect(await store().sales.find('canal-demo', 999_999_999_999_999)).to.equal(undefined);
    expect(await store().sales.findStatus('canal-alheio', id)).to.equal(undefined);
    expect(await store().sales.findStatus('canal-demo', 999_999_999_999_999)).to.equal(undefined);
  });

  it('finds a sale by its ticket, under its own channel', async () => {
    const sale = registered(await store().sales.register(createSale()));
    const find = (channelLink: string, name: string) =>
      store().sales.findByEitherName(channelLink, name);
    expect(await find('canal-demo', sale.ticket)).to.deep.equal({
      named: undefined,
      ticketed: sale,
    });
    expect(await find('canal-alheio', sale.ticket)).to.deep.equal(NOTHING);
    expect(await find('canal-demo', unique('none'))).to.deep.equal(NOTHING);
  });

  it('tells the sale that the channel named so from the one whose ticket it is', async () => {
    const ticketed = registered(await store().sales.register(createSale()));
    const name = ticketed.ticket;
    const named = createSale({ externalSaleId: name });
    const idempotency = { owner: 'channel', key: name, content: {} } as const;
    const other = registered(await store().sales.register(named, idempotency));
    expect(await store().sales.findByEitherName('canal-demo', name)).to.deep.equal({
      named: other,
      ticketed,
    });
  });

  it('finds a sale once whose ticket is also its name', async () => {
    const name = unique('both');
    const sale = { ...createSale({ externalSaleId: name }), ticket: name };
    const stored = registered(await store().sales.register(sale));
    expect(await store().sales.findByEitherName('canal-demo', name)).to.deep.equal({
      named: stored,
      ticketed: undefined,
    });
  });

  it('finds names that are asked for together, also the same one', async () => {
    const sales = await Promise.all(
      Array.from({ length: 70 }, () => store().sales.register(createSale())),
    );
    const tickets = sales.map((each) => registered(each).ticket);
    const wanted = [...tickets, ...tickets, unique('none')];
    const found = await Promise.all(
      wanted.map((ticket) => store().sales.findByEitherName('canal-demo', ticket)),
    );
    const foundTickets = found.map(({ ticketed }) => ticketed?.ticket);
    expect(foundTickets).to.deep.equal([...tickets, ...tickets, undefined]);
  });

  it('loads a sale of any channel by its ticket', async () => {
    const sale = registered(await store().sales.register(createSale({ channelLink: 'outro' })));
    expect(await store().sales.loadByTicket(sale.ticket)).to.deep.equal(sale);
    expect(await store().sales.loadByTicket('nobody')).to.equal(undefined);
  });

  for (const sale of salesInEveryState()) {
    it(`keeps a sale in status ${sale.status} with payment ${sale.payment.status} unchanged`, async () => {
      const { id, ticket } = registered(await store().sales.register(createSale(sale.terms)));
      const changed = { ...sale, id, ticket, version: 1 };
      expect(await store().sales.save(changed)).to.equal('saved');
      const { updatedAt, ...found } = (await store().sales.find('canal-demo', id)) as Sale;
      expect(found).to.deep.equal({ ...changed, version: 2 });
      expect(updatedAt).to.match(/^\d{4}-.*\.\d{3}Z$/);
      expect(await store().sales.findStatus('canal-demo', id)).to.deep.equal({
        id,
        line: sale.terms.product.line,
        status: sale.status,
        ...(isCancelled(sale) && { protocol: protocolOf(changed) }),
      });
    });
  }

  it('registers a sale that the service is to collect', async () => {
    const sale = createSale({ payment: { collectedBy: 'service', installments: 3 } });
    const stored = registered(await store().sales.register(sale));
    expect(stored.status).to.equal('pending');
    expect(await store().sales.find('canal-demo', stored.id)).to.deep.equal(stored);
  });

  it('returns stale for a change from an old version, and changes nothing', async () => {
    const paid = registered(await store().sales.register(createSale())) as PaidSale;
    expect(await store().sales.save(cancelledOn(paid, '2026-11-21'))).to.equal('saved');
    expect(await store().sales.save(cancelledOn(paid, '2026-11-22'))).to.equal('stale');
    const found = await store().sales.find('canal-demo', paid.id);
    expect(found).to.deep.include({
      version: 2,
      cancellation: cancelledOn(paid, '2026-11-21').cancellation,
    });
    expect(
      await store().sales.save({ ...cancelledOn(paid, '2026-11-21'), id: 999_999_999_999 }),
    ).to.equal('stale');
  });

  it('saves exactly one of many simultaneous changes', async () => {
    const paid = registered(await store().sales.register(createSale())) as PaidSale;
    const changes = Array.from({ length: 20 }, () =>
      store().sales.save(cancelledOn(paid, '2026-11-21')),
    );
    expect((await Promise.all(changes)).filter((outcome) => outcome === 'saved')).to.have.length(1);
  });

  it('is not affected if a caller changes an object that it received', async () => {
    const sale = createSale();
    const stored = registered(await store().sales.register(sale));
    (stored.terms.insured as { name: string }).name = 'changed by the caller';
    const found = await store().sales.find('canal-demo', stored.id);
    expect(found?.terms.insured.name).to.equal(terms().insured.name);
  });

  it('lists matching sales of all channels, the newest first, up to a limit', async () => {
    const { sales } = store();
    const sold = async (ticket: string, channelLink: string, code: string, at: string) => {
      const product = { id: 1, code, line: 'event_ticket' };
      return registered(
        await sales.register(saleOn(ticket, at as Instant, terms({ channelLink, product }))),
      ).id;
    };
    const first = await sold('L-1', 'canal-lista', 'INGRESSO', '2030-01-01T00:00:00.000Z');
    const second = await sold('L-2', 'canal-lista', 'CAMAROTE', '2030-01-02T00:00:00.000Z');
    const third = await sold('L-3', 'canal-outro', 'CAMAROTE', '2030-01-03T00:00:00.000Z');
    const ids = async (query: object, limit = 100) =>
      (await sales.list({ ...query, limit })).map(({ id }) => id);
    expect((await ids({})).slice(0, 3)).to.deep.equal([third, second, first]);
    expect(await ids({ channelLink: 'canal-lista' })).to.deep.equal([second, first]);
    expect(await ids({ productCode: 'CAMAROTE' })).to.deep.equal([third, second]);
    expect(
      await ids({ channelLink: 'canal-lista', productCode: 'CAMAROTE', statuses: ['paid'] }),
    ).to.deep.equal([second]);
    expect(await ids({ channelLink: 'canal-lista', statuses: ['cancelled'] })).to.deep.equal([]);
    expect(
      await ids({ from: '2030-01-02T00:00:00.000Z', to: '2030-01-03T00:00:00.000Z' }),
    ).to.deep.equal([second]);
    expect(await ids({ before: third }, 1)).to.deep.equal([second]);
    expect(await ids({ channelLink: 'canal-lista', order: 'oldest' })).to.deep.equal([
      first,
      second,
    ]);
    expect(await ids({ after: first, order: 'oldest' }, 1)).to.deep.equal([second]);
    expect(await ids({ after: first, before: third })).to.deep.equal([second]);
    expect((await sales.list({ channelLink: 'canal-outro', limit: 1 }))[0]).to.deep.equal(
      await sales.find('canal-outro', third),
    );
  });

  describe('the time of the last change', () => {
    const AWAITED_BY = { holder: 'worker', until: '2199-01-01T00:00:00.000Z' as Instant };
    const collected = async (channelLink: string, lease?: typeof AWAITED_BY) =>
      registered(
        await store().sales.register(
          createSale({ channelLink, payment: { collectedBy: 'service', installments: 1 } }),
          undefined,
          lease,
        ),
      );
    /** A time after those of all changes before, and not after those of later ones. */
    const nextMoment = async (): Promise<Instant> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return new Date().toISOString() as Instant;
    };

    it('is set by each change, and by nothing else', async () => {
      const { sales } = store();
      const channel = unique('canal');
      const sale = await collected(channel, AWAITED_BY);
      await sales.claim(sale.id, { ...AWAITED_BY, holder: 'other' }, AWAITED_BY.until);
      expect(await sales.answer(sale, 'other')).to.deep.equal(sale);
      await sales.claim(sale.id, AWAITED_BY, AT);
      await sales.release(sale.id, AWAITED_BY.holder);
      expect((await sales.load(sale.id))?.updatedAt).to.equal(undefined);

      const before = await nextMoment();
      await sales.save({ ...sale, payment: { status: 'unknown', amount: TOTAL } } as Sale);
      const first = (await sales.load(sale.id)) as Sale;
      expect(Date.parse(first.updatedAt as string)).to.be.at.least(Date.parse(before));
      expect(await sales.save({ ...first, version: 1 } as Sale)).to.equal('stale');
      expect(await sales.load(sale.id)).to.deep.equal(first);

      const later = await nextMoment();
      await sales.save(first);
      const { updatedAt } = (await sales.load(sale.id)) as Sale;
      expect(Date.parse(updatedAt as string)).to.be.at.least(Date.parse(later));
    });

    it('finds the sales registered or changed since, the newest first', async () => {
      const { sales } = store();
      const channel = unique('canal');
      const sold = async (at: Instant, code = 'INGRESSO') => {
        const product = { id: 1, code, line: 'event_ticket' };
        const its = terms({ channelLink: channel, product });
        return registered(await sales.register(saleOn(unique('ticket'), at, its))) as PaidSale;
      };
      const longAgo = '2020-01-01T12:00:00.000Z' as Instant;
      const [first, second, third] = [
        await sold(longAgo),
        await sold(longAgo, 'CAMAROTE'),
        await sold(longAgo),
      ];
      const since = await nextMoment();
      const listed = async (over: object = {}, limit = 100) => {
        const query = { channelLink: channel, updatedSince: since, limit, ...over };
        return (await sales.list(query)).map(({ id }) => id);
      };
      expect(await listed()).to.deep.equal([]);

      const fresh = await sold(since);
      await sales.save(cancelledOn(first, '2026-11-21'));
      await sales.save({ ...second, corrections: [{ email: 'a@example.com' as Email, at: AT }] });
      await sales.save(cancelledOn(fresh, '2026-11-21'));
      expect(await listed()).to.deep.equal([fresh.id, second.id, first.id]);
      expect(await listed({}, 2)).to.deep.equal([fresh.id, second.id]);
      expect(await listed({ before: second.id })).to.deep.equal([first.id]);
      expect(await listed({ statuses: ['cancelled'] })).to.deep.equal([fresh.id, first.id]);
      expect(await listed({ statuses: ['paid', 'cancelled'] }, 2)).to.deep.equal([
        fresh.id,
        second.id,
      ]);
      expect(await listed({ productCode: 'CAMAROTE' })).to.deep.equal([second.id]);
      expect(await listed({ to: '2020-01-02T00:00:00.000Z' })).to.deep.equal([second.id, first.id]);
      expect(await listed({ from: '2020-01-02T00:00:00.000Z' })).to.deep.equal([fresh.id]);
      expect(await listed({ channelLink: unique('canal') })).to.deep.equal([]);
      expect(await listed({ updatedSince: longAgo })).to.deep.equal([
        fresh.id,
        third.id,
        second.id,
        first.id,
      ]);
      const { updatedAt = since } = (await sales.load(fresh.id)) as Sale;
      const after = new Date(Date.parse(updatedAt) + 1).toISOString();
      expect(await listed({ updatedSince: updatedAt })).to.include(fresh.id);
      expect(await listed({ updatedSince: after })).to.deep.equal([]);
    });

    it('finds new sales that were not numbered in the order of their times', async () => {
      const { sales } = store();
      const channel = unique('canal');
      const since = '2031-05-01T12:00:00.000Z' as Instant;
      const times = ['11:59:58', '12:00:01', '11:59:59', '12:00:00', '11:59:30', '12:00:02'];
      const ids: number[] = [];
      for (const time of times) {
        const at = `2031-05-01T${time}.000Z` as Instant;
        const its = terms({ channelLink: channel });
        ids.push(registered(await sales.register(saleOn(unique('ticket'), at, its))).id);
      }
      const found = await sales.list({ channelLink: channel, updatedSince: since, limit: 100 });
      expect(found.map(({ id }) => id)).to.deep.equal([ids[5], ids[3], ids[1]]);
    });

    it('shows each sale once to a reader of pages, whatever changes meanwhile', async () => {
      const { sales } = store();
      const channel = unique('canal');
      const since = await nextMoment();
      for (let count = 0; count < 9; count += 1) await collected(channel);
      const all = await sales.list({ channelLink: channel, limit: 100 });
      for (const sale of all.slice(3)) await sales.save(sale);
      const seen: number[] = [];
      for (let before: number | undefined; ; before = seen.at(-1)) {
        const query = { channelLink: channel, updatedSince: since, before, limit: 2 };
        const page = await sales.list(query);
        seen.push(...page.map(({ id }) => id));
        if (page.length < 2) break;
        for (const { id } of all) await sales.save((await sales.load(id)) as Sale);
      }
      expect(seen).to.have.length(new Set(seen).size);
      expect(seen).to.include.members(all.slice(3).map(({ id }) => id));
    });
  });

  describe('a lease', () => {
    const at = (seconds: number): Instant =>
      new Date(Date.parse(AT) + seconds * 1_000).toISOString() as Instant;
    const lease = (holder: string, until: number) => ({ holder: unique(holder), until: at(until) });
    const leased = async (mine = lease('mine', 60)) => ({
      mine,
      sale: registered(await store().sales.register(createSale(), undefined, mine)),
    });

    it('belongs to the worker that registered the sale, with a task to resume it', async () => {
      const { sale } = await leased();
      expect(await store().sales.claim(sale.id, lease('other', 120), at(59))).to.equal('busy');
      expect((await store().due()).sales).to.include(sale.id);
      const free = registered(await store().sales.register(createSale()));
      expect((await store().due()).sales).not.to.include(free.id);
    });

    it('can be claimed by another worker once it has expired', async () => {
      const { sale } = await leased();
      expect(await store().sales.claim(sale.id, lease('other', 120), at(60))).to.deep.equal(sale);
      expect(await store().sales.claim(sale.id, lease('third', 120), at(61))).to.equal('busy');
    });

    it('is given to exactly one of twenty simultaneous claims', async () => {
      const { id } = registered(await store().sales.register(createSale()));
      const claims = Array.from({ length: 20 }, (_, index) =>
        store().sales.claim(id, lease(`worker-${index}`, 60), at(0)),
      );
      expect((await Promise.all(claims)).filter((each) => each !== 'busy')).to.have.length(1);
    });

    it('ends when its holder releases it, and not when another worker does', async () => {
      const { mine, sale } = await leased();
      await store().sales.release(sale.id, 'somebody else');
      expect(await store().sales.claim(sale.id, lease('other', 60), at(1))).to.equal('busy');
      await store().sales.release(sale.id, mine.holder);
      expect(await store().sales.claim(sale.id, lease('other', 60), at(1))).to.deep.equal(sale);
    });

    it('is prolonged by a change from its holder, and not from another worker', async () => {
      const { mine, sale } = await leased();
      expect(await store().sales.save(sale, { lease: lease('other', 600) })).to.equal('lost');
      expect(await store().sales.load(sale.id)).to.deep.equal(sale);
      expect(await store().sales.claim(sale.id, lease('third', 90), at(60))).not.to.equal('busy');
      const second = await leased();
      await store().sales.save(second.sale, { lease: { ...second.mine, until: at(300) } });
      expect(await store().sales.claim(second.sale.id, lease('third', 90), at(299))).to.equal(
        'busy',
      );
      expect(mine.holder).not.to.equal(second.mine.holder);
    });

    it('cannot be claimed for an unknown sale', async () => {
      expect(await store().sales.claim(999_999_999_999_999, lease('mine', 60), at(0))).to.equal(
        undefined,
      );
      expect(await store().sales.load(999_999_999_999_999)).to.equal(undefined);
    });

    it('ends when its holder stores the first answer, which is never replaced', async () => {
      const key = unique('key');
      const mine = lease('mine', 60);
      const sale = registered(await store().sales.register(createSale(), clients(key, 1), mine));
      expect((await store().sales.findEarlier(SELLER, clients(key, 1)))?.answered).to.equal(
        undefined,
      );
      expect(await store().sales.answer(sale, mine.holder)).to.deep.equal(sale);
      const [later] = salesInEveryState().filter(({ status }) => status === 'issued');
      const changed = {
        ...(later as Sale),
        ...{ id: sale.id, ticket: sale.ticket, registeredAt: sale.registeredAt, terms: sale.terms },
        idempotencyKey: key,
      } as Sale;
      expect(await store().sales.answer(changed, mine.holder)).to.deep.equal(sale);
      const other = await leased();
      expect(await store().sales.answer(other.sale, 'somebody else')).to.equal('lost');
      expect(
        await store().sales.claim(other.sale.id, lease('third', 120), at(1)),
        'the lease does not end',
      ).to.equal('busy');
      expect((await store().sales.findEarlier(SELLER, clients(key, 1)))?.answered).to.deep.equal(
        sale,
      );
      expect(await store().sales.claim(sale.id, lease('other', 60), at(1))).not.to.equal('busy');
    });
  });

  it('stores a change with its task and its audit entry, or none of the three', async () => {
    const sale = registered(await store().sales.register(createSale()));
    const subject = unique('transaction');
    const stored = async () => (await store().auditLog.list({ subject, limit: 5 })).length;
    expect(
      await store().sales.save(
        { ...sale, version: 9 },
        { resume: true, entry: entry({ subject }) },
      ),
    ).to.equal('stale');
    expect([await stored(), (await store().due()).sales.includes(sale.id)]).to.deep.equal([
      0,
      false,
    ]);
    expect(await store().sales.save(sale, { resume: true, entry: entry({ subject }) })).to.equal(
      'saved',
    );
    expect([await stored(), (await store().due()).sales.includes(sale.id)]).to.deep.equal([
      1,
      true,
    ]);
    expect(
      await store().sales.save({ ...sale, version: 2 }, { entry: entry({ subject }) }),
    ).to.equal('saved');
    expect(await stored()).to.equal(2);
  });

  it('makes undelivered mails wait again with a change that resends them, or not at all', async () => {
    const { sales, mailings } = store();
    const sale = registered(await sales.register(createSale()));
    const other = registered(await sales.register(createSale()));
    const copy = { at: AT, limit: { most: 9, since: AT }, entry: entry() };
    for (const saleId of [sale.id, sale.id, other.id])
      await mailings.requestCopy({ saleId, ...copy });
    const statuses = async ({ id }: Sale) =>
      (await mailings.list({ saleId: id, limit: 9 })).map(({ number, status }) => [number, status]);

    await store().handedOver();
    const name = (number: number, { id }: Sale = sale) => ({ saleId: id, number });
    await settle(mailings, name(0), 'sent', AT);
    for (const lost of [name(1), name(0, other)])
      await settle(mailings, lost, 'undelivered', AT, 'EENVELOPE 550');

    const resend = { entry: entry({}), resendMails: true } as const;
    expect(await sales.save({ ...sale, version: 9 }, resend)).to.equal('stale');
    expect(await sales.save(sale, { entry: entry({}) })).to.equal('saved');
    expect(await store().handedOver()).to.deep.equal([]);
    expect(await sales.save({ ...sale, version: 2 }, resend)).to.equal('saved');
    expect(await statuses(sale)).to.deep.equal([
      ...[
        [2, 'waiting'],
        [1, 'waiting'],
      ],
      [0, 'sent'],
    ]);
    expect(await mailings.find(name(1))).to.deep.equal({
      ...name(1),
      requestedAt: AT,
      status: 'waiting',
      failures: 0,
    });
    expect(await store().handedOver()).to.deep.equal([name(1)]);
    expect(await statuses(other)).to.deep.include([0, 'undelivered']);
  });

  it('lets an undelivered notice of a cancellation wait again with a change', async () => {
    const { sales, mailings } = store();
    const sale = registered(await sales.register(createSale())) as PaidSale;
    expect(await sales.save(cancelledOn(sale, '2026-11-21'))).to.equal('saved');
    await store().handedOver();
    const name = { saleId: sale.id, number: CANCELLATION_NUMBER };
    await settle(mailings, name, 'undelivered', AT, 'EENVELOPE 550');

    const cancelled = (await sales.load(sale.id)) as Sale;
    const resend = { entry: entry({}), resendMails: true } as const;
    expect(await sales.save(cancelled, resend)).to.equal('saved');
    expect(await mailings.find(name)).to.include({ status: 'waiting', failures: 0 });
    expect(await store().handedOver()).to.deep.include(name);
  });

  it('keeps the corrections of an address through later changes', async () => {
    const { sales } = store();
    const sale = registered(await sales.register(createSale())) as PaidSale;
    const corrections = [{ email: 'nova@example.com' as Email, at: AT }];
    expect(await sales.save({ ...sale, corrections })).to.equal('saved');
    const stored = (await sales.load(sale.id)) as PaidSale;
    const { updatedAt } = stored;
    expect(stored).to.deep.equal({ ...sale, version: 2, updatedAt, corrections });
    expect(await sales.save(cancelledOn(stored, '2026-11-21'))).to.equal('saved');
    expect((await sales.load(sale.id))?.corrections).to.deep.equal(corrections);
  });

  describe('the bookings of a channel', () => {
    const at = (day: string): Instant => `2031-${day}T12:00:00.000Z` as Instant;
    const linesOf = async (
      channelLink: string,
      from = at('01-01'),
      to = at('12-31'),
    ): Promise<BookedLine[]> => {
      const lines: BookedLine[] = [];
      for await (const line of store().sales.booked({ channelLink, from, to })) lines.push(line);
      return lines;
    };
    const sold = async (channelLink: string, day: string): Promise<PaidSale> =>
      registered(
        await store().sales.register(saleOn(unique('ticket'), at(day), terms({ channelLink }))),
      ) as PaidSale;

    it('list payments and refunds in the order of time, each once, with its sale', async () => {
      const channel = unique('canal');
      const [first, second] = [await sold(channel, '03-10'), await sold(channel, '03-12')];
      const ended = { ...cancelledOn(first, '2026-11-21'), cancelledAt: at('03-11') };
      await store().sales.save(ended);
      await sold(unique('canal'), '03-11');
      const lines = await linesOf(channel);
      expect(lines.map(({ booking, sale }) => [booking.kind, booking.at, sale.id])).to.deep.equal([
        ['sale', at('03-10'), first.id],
        ['refund', at('03-11'), first.id],
        ['sale', at('03-12'), second.id],
      ]);
      const { ticket, terms: its } = first;
      const codes = { productCode: its.product.code, planCode: its.plan.code };
      const sale = { id: first.id, ticket, ...codes, status: 'cancelled' };
      const refund = { by: 'channel', method: 'pix', status: 'due' };
      const { total: amount } = ended.cancellation.refund;
      expect(lines[1]).to.deep.equal({
        booking: bookingsOf(ended)[1],
        sale,
        returning: { pending: amount, refunds: [{ ...refund, amount, dueOn: '2026-11-21' }] },
      });
      expect(lines[0]).not.to.have.property('returning');
    });

    it('have the texts of the channel, by which books and lists are filtered exactly', async () => {
      const { sales } = store();
      const channel = unique('canal');
      const sellers = ['ana', 'rui', undefined, 'ana '] as const;
      const ids: number[] = [];
      for (const [index, sellerCode] of sellers.entries()) {
        const its = { ...terms({ channelLink: channel }), ...(sellerCode && { sellerCode }) };
        const day = at(`05-0${index + 1}`);
        ids.push(registered(await sales.register(saleOn(unique('ticket'), day, its))).id);
      }
      const [ana, rui] = ids;
      expect((await linesOf(channel)).map(({ sale }) => sale.sellerCode)).to.deep.equal(sellers);
      const period = { channelLink: channel, from: at('01-01'), to: at('12-31') };
      const found = async (sellerCode: string) => {
        const query = { ...period, channelTexts: { sellerCode } };
        const booked: number[] = [];
        for await (const { sale } of sales.booked(query)) booked.push(sale.id);
        expect(await sales.countBooked(query, 100)).to.equal(booked.length);
        const listed = (await sales.list({ ...query, limit: 100 })).map(({ id }) => id);
        const updated = { ...query, updatedSince: at('01-01'), limit: 100 };
        expect((await sales.list(updated)).map(({ id }) => id)).to.deep.equal(listed);
        expect(listed.reverse()).to.deep.equal(booked);
        return booked;
      };
      expect(await found('ana')).to.deep.equal([ana]);
      expect(await found('rui')).to.deep.equal([rui]);
      expect(await found("a' or true --")).to.deep.equal([]);
      const tickets = (await linesOf(channel)).map(({ sale }) => sale.ticket);
      const named = await sales.findNamed(channel, tickets);
      expect(named.map(({ sellerCode }) => sellerCode).sort()).to.deep.equal([...sellers].sort());
    });

    it('include the first moment of the period, and exclude its end', async () => {
      const channel = unique('canal');
      for (const day of ['04-01', '04-02', '04-03']) await sold(channel, day);
      const days = (await linesOf(channel, at('04-02'), at('04-03'))).map(
        ({ booking }) => booking.at,
      );
      expect(days).to.deep.equal([at('04-02')]);
    });

    it('omit unpaid sales and refunds of zero', async () => {
      const channel = unique('canal');
      const unpaid = registered(
        await store().sales.register(
          createSale({
            channelLink: channel,
            payment: { collectedBy: 'service', installments: 1 },
          }),
        ),
      );
      await store().sales.save({
        ...cancelledOn(unpaid as CancellableSale, '2026-11-21'),
        cancelledAt: at('05-01'),
      });
      expect(await linesOf(channel, AT, at('12-31'))).to.deep.equal([]);
    });

    it('have everything that was stored until a moment', async () => {
      const channel = unique('canal');
      const sale = await sold(channel, '07-01');
      const asOf = new Date(Date.now() + 60_000).toISOString() as Instant;
      const period = { channelLink: channel, from: at('01-01'), to: at('12-31'), asOf };
      const found: number[] = [];
      for await (const line of store().sales.booked(period)) found.push(line.sale.id);
      expect(found).to.deep.equal([sale.id]);
      expect(await store().sales.countBooked(period, 10)).to.equal(1);
      expect(store().sales.booksAsOf(), 'without a standby').to.equal(undefined);
    });

    it('are as many as are listed, counted up to a limit', async () => {
      const channel = unique('canal');
      const period = { channelLink: channel, from: at('01-01'), to: at('12-31') };
      const count = (over: object = {}, limit = 100) =>
        store().sales.countBooked({ ...period, ...over }, limit);
      expect(await count()).to.equal(0);
      const [first, second] = [await sold(channel, '08-01'), await sold(channel, '08-02')];
      await sold(channel, '08-03');
      await sold(unique('canal'), '08-03');
      await store().sales.save({
        ...cancelledOn(first, '2026-11-21'),
        cancelledAt: at('08-04'),
      });
      // A cancellation that keeps the whole premium has no refund.
      const ended = cancelledOn(second, '2026-11-21');
      const { cancellation } = ended;
      await store().sales.save({
        ...ended,
        cancelledAt: at('08-05'),
        cancellation: { ...cancellation, kept: cancellation.paid, refund: cancellation.kept },
      });
      expect((await linesOf(channel)).length).to.equal(4);
      expect(await count()).to.equal(4);
      expect(await count({}, 3)).to.equal(3);
      expect(await count({ from: at('08-02'), to: at('08-04') })).to.equal(2);
      expect(await count({ from: at('08-04') })).to.equal(1);
    });

    it('list each of 1,200 lines with the same time exactly once', async () => {
      const channel = unique('canal');
      const ids: number[] = [];
      for (let batch = 0; batch < 12; batch += 1)
        ids.push(
          ...(await Promise.all(Array.from({ length: 100 }, () => sold(channel, '06-01')))).map(
            ({ id }) => id,
          ),
        );
      const found = (await linesOf(channel)).map(({ sale }) => sale.id);
      expect(found).to.deep.equal(ids.sort((one, other) => one - other));
      const query = { channelLink: channel, updatedSince: at('01-01'), limit: 2_000 };
      const newest = (await store().sales.list(query)).map(({ id }) => id);
      expect(newest).to.deep.equal(ids.toReversed());
    });
  });

  describe('sales found by many names at once', () => {
    const named = async (channelLink: string, ...names: string[]) => {
      const found = await store().sales.findNamed(channelLink, names);
      return [...found].sort((one, other) => one.id - other.id);
    };

    it('come once each, by the id of the channel or by ticket, as they stand now', async () => {
      const channel = unique('canal');
      const register = async (over: Partial<SaleTerms> = {}) =>
        registered(await store().sales.register(createSale({ channelLink: channel, ...over })));
      const order = unique('order');
      const sold = (await register({ externalSaleId: order })) as PaidSale;
      const payment = { collectedBy: 'service', installments: 1 } as const;
      const unpaid = await register({ payment });
      const other = await register();
      await store().sales.save(cancelledOn(sold, '2026-11-21'));

      const { total } = sold.terms.quote.premium;
      const { id, ticket } = sold;
      const soldHere = { id, ticket, externalSaleId: order, status: 'cancelled', total };
      expect(
        await named(channel, order, sold.ticket, unpaid.ticket, unique('unknown')),
      ).to.deep.equal([
        { ...soldHere, bookedAt: AT },
        { id: unpaid.id, ticket: unpaid.ticket, status: 'pending', total },
      ]);
      expect((await named(channel, other.ticket)).map((each) => each.id)).to.deep.equal([other.id]);
      expect(await named(channel)).to.deep.equal([]);
    });

    it('are those of the channel only', async () => {
      const order = unique('order');
      const sale = registered(await store().sales.register(createSale({ externalSaleId: order })));
      expect(await named(unique('canal'), order, sale.ticket)).to.deep.equal([]);
    });
  });

  it('forgets the marks of cards in old requests, also those of earlier versions, once', async () => {
    const earlier = 'x'.repeat(43);
    const at = '2020-01-01T00:00:00.000Z' as Instant;
    const stored = async (creditCard: Json, registeredAt = at) => {
      const content = { productId: 3, payment: { modeCode: '2' }, creditCard };
      const key = unique('key');
      const sale = saleOn(unique('ticket'), registeredAt, terms());
      await store().sales.register(sale, { owner: 'client', key, content });
      return async () =>
        (await store().sales.findEarlier(sale.terms, { owner: 'client', key }))?.content;
    };
    const old = [await stored(cardMark('hash')), await stored(earlier)];
    const young = await stored(cardMark('young'), '2021-01-01T00:00:00.000Z' as Instant);
    const before = '2020-06-01T00:00:00.000Z' as Instant;
    expect(await store().sales.forgetCards(before, 1)).to.equal(1);
    expect(await store().sales.forgetCards(before, 10)).to.equal(1);
    expect(await store().sales.forgetCards(before, 10)).to.equal(0);
    const about = { productId: 3, payment: { modeCode: '2' } };
    for (const content of old)
      expect(await content()).to.deep.equal({ ...about, creditCard: ERASED_CARD });
    expect(await young()).to.deep.equal({ ...about, creditCard: cardMark('young') });
  });

  describe('that the service collects', () => {
    const AT_NOON = Date.parse('2026-10-01T15:00:00.000Z');
    /** Half a minute, and so many minutes, after noon. */
    const minute = (count: number): Instant =>
      instantOf(new Date(AT_NOON + count * 60_000 + 30_000));
    const collected = { collectedBy: 'service', installments: 1 } as const;
    const sellAt = async (count: number, over: Partial<SaleTerms> = { payment: collected }) =>
      registered(
        await store().sales.register({
          ...saleOn(unique('ticket'), minute(count), terms(over)),
        }),
      );
    const found = async (from: number, to: number): Promise<readonly Sale[]> =>
      Array.fromAsync(store().sales.collectedByService({ from: minute(from), to: minute(to) }));

    it('come in the order of their numbers, of all channels, and none of the others', async () => {
      const sold = [
        await sellAt(1),
        await sellAt(2, { payment: collected, channelLink: 'canal-other' }),
        // Its process has stored it late.
        await sellAt(0),
        await sellAt(3),
      ];
      await sellAt(1, {});
      const [one, other, late, end] = sold;
      expect(await found(0, 3)).to.deep.equal([one, other, late]);
      expect(await found(3, 4)).to.deep.equal([end]);
      expect(await found(5, 9)).to.deep.equal([]);
      expect(await store().sales.lastIdBefore(minute(3))).to.equal((end?.id ?? 0) + 1);
      const [past, future] = ['2000-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'] as Instant[];
      expect(await store().sales.lastIdBefore(past as Instant)).to.equal(0);
      const [newest] = await store().sales.list({ limit: 1 });
      const [oldest] = await store().sales.list({ limit: 1, order: 'oldest' });
      expect(await store().sales.numberAfter(past as Instant)).to.equal(oldest?.id);
      expect(await store().sales.numberAfter(future as Instant)).to.equal((newest?.id ?? 0) + 1);
    });

    it('come each once, however many they are', async () => {
      const sold = await Promise.all(Array.from({ length: 1_100 }, () => sellAt(60)));
      const ids = (await found(60, 61)).map(({ id }) => id);
      expect(ids).to.deep.equal(sold.map(({ id }) => id).sort((one, other) => one - other));
    });
  });

  describe('the mailing of a certificate', () => {
    const mailings = (saleId: number) => store().mailings.list({ saleId, limit: 10 });

    it('is stored once at registration, and not again at a repeated registration', async () => {
      const idempotency = clients(unique('key'), 1);
      const sale = registered(await store().sales.register(createSale(), idempotency));
      await store().sales.register(createSale(), idempotency);
      expect(await mailings(sale.id)).to.deep.equal([
        { saleId: sale.id, number: 0, requestedAt: AT, status: 'waiting', failures: 0 },
      ]);
      expect(await mailings(sale.id + 1)).to.deep.equal([]);
    });

    it('is stored with the change that issues the policy, and not with later changes', async () => {
      const payment = { collectedBy: 'service', installments: 1 } as const;
      const born = registered(await store().sales.register(createSale({ payment })));
      expect(await mailings(born.id)).to.deep.equal([]);
      const named = { id: born.id, ticket: born.ticket, terms: born.terms };
      expect(await store().sales.save({ ...PAID, ...named, version: 1 })).to.equal('saved');
      expect(await mailings(born.id)).to.deep.equal([]);
      const issued = { ...ISSUED, ...named };
      expect(await store().sales.save({ ...issued, version: 1 })).to.equal('stale');
      expect(await mailings(born.id)).to.deep.equal([]);
      expect(
        await store().sales.save({ ...issued, version: 2 }, { resume: true, entry: entry({}) }),
      ).to.equal('saved');
      expect(await store().sales.save({ ...issued, version: 3 })).to.equal('saved');
      expect(await mailings(born.id)).to.deep.equal([
        { saleId: born.id, number: 0, requestedAt: AT, status: 'waiting', failures: 0 },
      ]);
    });

    it('is not stored with a change of a sale that was issued before', async () => {
      const payment = { collectedBy: 'service', installments: 1 } as const;
      const sale = registered(
        await store().sales.register(createSale({ payment, certificateMail: 'on_request' })),
      );
      const { certificateMail: _, ...terms } = sale.terms;
      const issued = { ...ISSUED, id: sale.id, ticket: sale.ticket, terms: sale.terms };
      expect(await store().sales.save({ ...issued, version: 1 })).to.equal('saved');
      expect(await store().sales.save({ ...issued, terms, version: 2 })).to.equal('saved');
      expect(await mailings(sale.id)).to.deep.equal([]);
    });

    it('is not stored if the terms allow mailing on request only', async () => {
      const sale = registered(
        await store().sales.register(createSale({ certificateMail: 'on_request' })),
      );
      expect(await mailings(sale.id)).to.deep.equal([]);
    });
  });
});
