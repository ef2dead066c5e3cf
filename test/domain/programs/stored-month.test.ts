import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  type Booking,
  type BookSums,
  bookingsOf,
  type OutstandingRefund,
  outstandingRefunds,
  readSale,
  SALE_STATUSES,
  sumBookings,
  toStored,
} from '#domain';

/** A month of random sales as the build 49ca08e (0.1.0) stored them, and the figures it gave. */
interface StoredMonth {
  readonly totals: BookSums;
  readonly stored: readonly {
    readonly sale: unknown;
    readonly bookings: readonly Booking[];
    readonly refunds: readonly OutstandingRefund[];
  }[];
}

const FILE = new URL('../../golden/domain-sales-0.1.json', import.meta.url);
const { stored, totals }: StoredMonth = JSON.parse(readFileSync(FILE, 'utf8'));

const saleOf = (value: unknown) => {
  const reading = readSale(value);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.value;
};

describe('a month of sales that version 0.1.0 stored', () => {
  it('is read: every sale, unchanged, in every state', () => {
    expect(stored).to.have.length(30);
    for (const { sale } of stored) expect(saleOf(sale)).to.deep.equal(sale);
    const statuses = new Set(stored.map(({ sale }) => saleOf(sale).status));
    expect([...statuses]).to.have.members(SALE_STATUSES);
  });

  it('has the bookings, the statement and the refunds that version 0.1.0 calculated', () => {
    for (const { sale, bookings, refunds } of stored) {
      expect(bookingsOf(saleOf(sale))).to.deep.equal(bookings);
      expect(outstandingRefunds(saleOf(sale))).to.deep.equal(refunds);
    }
    const lines = stored.flatMap(({ sale }) => bookingsOf(saleOf(sale)));
    expect(sumBookings(lines)).to.deep.equal(totals);
    expect(totals.lines).to.be.above(20);
  });

  it('is stored with a shape from now on', () => {
    for (const { sale } of stored) {
      const again = JSON.parse(JSON.stringify(toStored(saleOf(sale))));
      expect(again.shape).to.equal(1);
      expect(saleOf(again)).to.deep.equal(sale);
    }
  });
});
