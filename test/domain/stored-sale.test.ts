import { expect } from 'chai';
import {
  bookingsOf,
  cents,
  instantOf,
  readSale,
  SALE_SHAPE,
  type Sale,
  sumBookings,
  toStored,
  unwrap,
  ZERO,
} from '#domain';
import { salesInEveryState } from '../support/sales.ts';

// biome-ignore lint/suspicious/noExplicitAny: fields are removed and spoilt
type Spoilt = any;

/** As a store of JSON gives it back. */
const asJson = (value: unknown): Spoilt => JSON.parse(JSON.stringify(value));
const faultsOf = (stored: unknown): readonly string[] => {
  const reading = readSale(stored);
  return reading.ok ? [] : reading.faults.map(({ path, kind }) => `${path} ${kind}`);
};

describe('a stored sale', () => {
  it('is read as it was, in every state', () => {
    for (const sale of salesInEveryState()) {
      expect(readSale(asJson(toStored(sale))), sale.status).to.deep.equal({
        ok: true,
        value: asJson(sale),
      });
    }
  });

  it('of a shape that this version does not know is refused by name', () => {
    const [sale] = salesInEveryState();
    const later = { ...toStored(sale as Sale), shape: SALE_SHAPE + 1 };
    expect(readSale(later)).to.deep.equal({
      ok: false,
      faults: [{ path: 'shape', kind: 'not_one_of_these', expected: '1' }],
    });
  });

  it('is refused with every fault at once', () => {
    expect(faultsOf(null)).to.deep.equal([' not_an_object']);
    expect(faultsOf(toStored([] as Spoilt))).to.deep.equal(['sale not_an_object']);
    expect(faultsOf({ status: 'sold' })).to.deep.equal(['shape not_one_of_these']);
    expect(faultsOf({ shape: 1, sale: { status: 'sold' } })).to.deep.equal([
      'status not_one_of_these',
    ]);
    for (const sale of salesInEveryState()) {
      const { id, status } = asJson(sale);
      const bare = faultsOf({ shape: 1, sale: { id, status, version: 1.5 } });
      expect(bare, status).to.include.members(['version not_a_whole_number', 'ticket missing']);
      if (status === 'cancelled' || status === 'refunded')
        expect(bare).to.include('cancellation.kept.total missing');
    }
  });
});

describe('the sum of bookings', () => {
  it('is one type of money: whole cents, that JSON and `formatReais` take', () => {
    const bookings = salesInEveryState().flatMap(bookingsOf);
    const sums = sumBookings(bookings);
    expect(sums.lines).to.equal(bookings.length);
    expect(sums.net + sums.iof).to.equal(sums.total);
    expect(sums.total - sums.commission).to.equal(sums.netAmount);
    expect(JSON.parse(JSON.stringify(sums))).to.deep.equal(sums);
    expect(sumBookings([])).to.deep.equal({
      ...{ lines: 0, net: ZERO, iof: ZERO, total: ZERO, commission: ZERO, netAmount: ZERO },
      ...{ owedByChannel: ZERO, owedToChannel: ZERO },
    });
  });

  it('throws beyond safe integers: no cent is lost silently', () => {
    const [booking] = salesInEveryState().flatMap(bookingsOf);
    const huge = { ...unwrap(booking), total: cents(Number.MAX_SAFE_INTEGER) };
    expect(() => sumBookings([huge, huge])).to.throw(RangeError, 'whole number');
    expect(instantOf(new Date(0))).to.equal('1970-01-01T00:00:00.000Z');
  });
});
