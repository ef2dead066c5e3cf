import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  addDays,
  awaitPayment,
  businessDay,
  type CalendarDate,
  cancelSale,
  createSale,
  type Instant,
  isRefusal,
  type PaidSale,
  paySale,
} from '#domain';
import type { SummedBookings, TotalKey } from '../../application/totals/booking-totals.ts';
import { APPROVED, AT, AWAITED, stateOf, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

const FROM = '2026-11-01' as CalendarDate;
const TO = '2027-01-31' as CalendarDate;

/** A sale of a history: of which channel, paid when, and cancelled how many days later. */
const soldOnce = fc.record({
  channel: fc.nat(2),
  product: fc.constantFrom('INGRESSO', 'CELULAR'),
  /** Minutes after the first moment: in the night, days change at another time than in UTC. */
  minutes: fc.integer({ min: 0, max: 60 * 24 * 40 }),
  isCollected: fc.boolean(),
  cancelledAfter: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
});

const SUMMED = [
  ...(['lines', 'net', 'iof', 'total', 'commission', 'netAmount'] as const),
  ...(['owedByChannel', 'owedToChannel'] as const),
];

type Sold = typeof soldOnce extends fc.Arbitrary<infer One> ? One : never;

const later = (minutes: number): Instant =>
  new Date(Date.parse(AT) + minutes * 60_000).toISOString() as Instant;

overEveryStore('the sums of bookings', (store) => {
  const channels = [0, 1, 2].map(() => `canal-${randomUUID()}`);
  const follow = async (limit = 500): Promise<void> => {
    await store().givePlaces();
    while ((await store().bookingTotals.follow(limit)) === 'more');
  };

  const sell = async (sold: Sold) => {
    const { sales } = store();
    const at = later(sold.minutes);
    const product = { id: 1, code: sold.product, line: 'event_ticket' };
    const paid = terms().payment;
    const payment = sold.isCollected ? { ...paid, collectedBy: 'service' } : paid;
    const over = { channelLink: channels[sold.channel] as string, product, payment };
    const born = createSale(randomUUID().toUpperCase(), at, terms(over as object));
    const outcome = await sales.register(born);
    if (outcome.kind !== 'registered') throw new Error(outcome.kind);
    let sale = outcome.sale as PaidSale;
    if (sold.isCollected) {
      const awaiting = stateOf(awaitPayment(outcome.sale as never, AWAITED));
      sale = stateOf(paySale(awaiting, APPROVED, at)) as PaidSale;
      expect(await sales.save(sale)).to.equal('saved');
      sale = (await sales.load(sale.id)) as PaidSale;
    }
    if (sold.cancelledAfter === undefined) return;
    const cancelledAt = later(sold.minutes + sold.cancelledAfter * 24 * 60);
    const ended = cancelSale(sale, { at: cancelledAt, on: businessDay(cancelledAt) });
    if (!isRefusal(ended)) expect(await sales.save(ended.state)).to.equal('saved');
  };

  /** What the statements of the channels say. */
  const booked = async (by: TotalKey) => {
    const sums = new Map<string, Record<string, number | string>>();
    for (const channelLink of channels) {
      const [from, to] = ['2026-11-01T03:00:00Z', '2027-02-01T03:00:00Z'] as Instant[];
      const query = { channelLink, from: from as Instant, to: to as Instant };
      for await (const { booking, sale } of store().sales.booked(query)) {
        const keys = {
          day: businessDay(booking.at),
          channel: channelLink,
          product: sale.productCode,
        };
        const { kind, net, iof, total, commission, netAmount, collectedBy } = booking;
        const isChannels = collectedBy === 'channel';
        const owed = {
          owedByChannel: isChannels ? netAmount : 0,
          owedToChannel: isChannels ? 0 : commission,
        };
        const name = `${keys[by]} ${kind}`;
        const known = sums.get(name) ?? { key: keys[by], kind, lines: 0 };
        const added = { lines: 1, net, iof, total, commission, netAmount, ...owed };
        for (const [field, amount] of Object.entries(added))
          known[field] = Number(known[field] ?? 0) + amount;
        sums.set(name, known);
      }
    }
    return [...sums.values()];
  };

  const summed = async (by: TotalKey): Promise<readonly object[]> => {
    const found: SummedBookings[] = [];
    for (const channelLink of channels) {
      const { sums } = await store().bookingTotals.read({ from: FROM, to: TO, by, channelLink });
      found.push(...sums);
    }
    const groups = Map.groupBy(found, ({ key, kind }) => `${key} ${kind}`);
    return [...groups.values()].map((all) => {
      const [first] = all;
      const sum = (name: (typeof SUMMED)[number]): number =>
        all.reduce((total, each) => total + each[name], 0);
      return { ...first, ...Object.fromEntries(SUMMED.map((name) => [name, sum(name)])) };
    });
  };

  const expectEqual = async (): Promise<void> => {
    for (const by of ['day', 'channel', 'product'] as const)
      expect(await summed(by), by).to.have.deep.members(await booked(by));
  };

  it('are those of the statements, to the cent, whatever was sold, collected and cancelled', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(soldOnce, { maxLength: 6 }), async (history) => {
        for (const sold of history) await sell(sold);
        await follow(3);
        await expectEqual();
      }),
      { numRuns: 20, seed: 7 },
    );
    const { asOf, since } = await store().bookingTotals.read({ from: FROM, to: TO, by: 'day' });
    expect(asOf).to.match(/^\d{4}-/);
    const days = (await booked('day')).map(({ key }) => String(key)).sort();
    expect(since).to.equal(days[0]);
  });

  it('have each booking once, also when two processes count, or all is counted again', async () => {
    await sell({
      channel: 0,
      product: 'INGRESSO',
      minutes: 5,
      isCollected: true,
      cancelledAfter: 1,
    });
    await store().givePlaces();
    const { bookingTotals } = store();
    await Promise.all([bookingTotals.follow(500), bookingTotals.follow(500)]);
    await follow();
    await expectEqual();

    await bookingTotals.empty();
    expect((await bookingTotals.read({ from: FROM, to: TO, by: 'day' })).sums).to.deep.equal([]);
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const step = await bookingTotals.rebuild(before, 50);
      if (step.entered === 0) break;
      before = step.next;
    }
    await expectEqual();
  });

  it('say what payers were asked to pay, and how much of that they have paid', async () => {
    const channelLink = `canal-${randomUUID()}`;
    const offers = async () => {
      await follow();
      const query = { from: FROM, to: TO, by: 'day', channelLink } as const;
      return (await store().bookingTotals.read(query)).offers;
    };
    const payment = { collectedBy: 'service', installments: 1 } as const;
    const register = async (over: object = {}) => {
      const own = terms({ channelLink, payment: { ...payment, ...over } } as object);
      const born = createSale(randomUUID().toUpperCase(), AT, own);
      const outcome = await store().sales.register(born);
      if (outcome.kind !== 'registered') throw new Error(outcome.kind);
      return outcome.sale;
    };
    const [first, second] = [await register(), await register()];
    // A card is charged with the registration: nobody is asked.
    await register({ method: 'credit' });
    expect(await offers()).to.deep.equal([]);
    const { total } = first.terms.quote.premium;
    const [key, lines] = [businessDay(AT), 2];
    const waiting = [first, second].map((sale) => stateOf(awaitPayment(sale as never, AWAITED)));
    for (const sale of waiting) expect(await store().sales.save(sale)).to.equal('saved');
    const offered = { key, kind: 'offered', lines, total: 2 * total };
    expect(await offers()).to.deep.equal([offered]);
    // Paid on another day: it counts for the day on which it was offered.
    const open = (await store().sales.load(first.id)) as never;
    const paid = stateOf(paySale(open, APPROVED, later(2 * 24 * 60)));
    expect(await store().sales.save(paid)).to.equal('saved');
    const takenUp = { key, kind: 'taken_up', lines: 1, total };
    expect(await offers()).to.deep.equal([takenUp, offered]);
  });

  it('are of the days, channel and product that are asked for, in order', async () => {
    const [channelLink = ''] = channels;
    await sell({
      channel: 0,
      product: 'CELULAR',
      minutes: 60,
      isCollected: false,
      cancelledAfter: 2,
    });
    await follow();
    const read = (over: object) =>
      store().bookingTotals.read({ from: FROM, to: TO, by: 'day', channelLink, ...over });
    const { sums } = await read({ productCode: 'CELULAR' });
    const keys = sums.map(({ key, kind }) => `${key} ${kind === 'sale' ? 0 : 1}`);
    expect(keys).to.deep.equal(keys.toSorted());
    const day = businessDay(AT);
    const { sums: ofDay } = await read({ from: day, to: day });
    expect(ofDay.map(({ key }) => key)).to.deep.equal(ofDay.map(() => day));
    const none = await read({ from: addDays(TO, 1), to: addDays(TO, 9) });
    expect(none.sums).to.deep.equal([]);
    expect((await read({ productCode: 'NADA' })).sums).to.deep.equal([]);
  });
});
