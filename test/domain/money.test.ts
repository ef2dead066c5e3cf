import {
  allocate,
  cents,
  centsFromNumber,
  centsFromText,
  MAX_AMOUNT,
  minus,
  percent,
  plus,
  type Rounding,
  rate,
  rateFromPercent,
  reais,
  share,
  shareWithin,
} from '@insurance-sales/domain';
import { expect } from 'chai';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';

const amounts = fc.integer({ min: 0, max: MAX_AMOUNT }).map(cents);
const rates = fc.integer({ min: 0, max: 1_000_000 }).map(rate);
const roundings = fc.constantFrom<Rounding>('half-up', 'half-even');
const MODES = { 'half-up': Decimal.ROUND_HALF_UP, 'half-even': Decimal.ROUND_HALF_EVEN } as const;

const Exact = Decimal.clone({ precision: 60 });

describe('money', () => {
  it('is a whole number of cents, and a rate a whole number of parts per million', () => {
    for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(() => cents(wrong)).to.throw(RangeError, 'cents');
    for (const wrong of [0.5, -1, 1_000_001, Number.NaN]) expect(() => rate(wrong)).to.throw(RangeError, 'parts per million');
    expect(rate(0)).to.equal(0);
    expect(rate(1_000_000)).to.equal(1_000_000);
  });

  it('refuses sums beyond the safe range instead of losing cents', () => {
    expect(() => plus(cents(Number.MAX_SAFE_INTEGER), cents(1))).to.throw(RangeError);
    expect(() => minus(cents(-Number.MAX_SAFE_INTEGER), cents(1))).to.throw(RangeError);
    expect(plus()).to.equal(0);
  });

  it('multiplies and rounds as exact decimals do, either sign, either rounding', () => {
    fc.assert(
      fc.property(amounts, rates, roundings, fc.boolean(), (amount, of, rounding, negative) => {
        const signed = cents(negative ? -amount : amount);
        const exact = new Exact(signed).mul(of).div(1_000_000).toDecimalPlaces(0, MODES[rounding]);
        expect(share(signed, of, rounding) + 0).to.equal(exact.toNumber() + 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes a rate out of a gross amount as exact decimals do', () => {
    fc.assert(
      fc.property(amounts, rates, roundings, (gross, of, rounding) => {
        const exact = new Exact(gross).mul(of).div(new Exact(1_000_000).add(of)).toDecimalPlaces(0, MODES[rounding]);
        expect(shareWithin(gross, of, rounding)).to.equal(exact.toNumber());
      }),
      { numRuns: 2_000 },
    );
  });

  it('allocates parts that sum to the whole and differ only in the first', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 48 }), (total, count) => {
        const [first, ...others] = allocate(total, count);
        expect(plus(first as never, ...others)).to.equal(total);
        expect(new Set(others).size).to.be.at.most(1);
        expect((first as number) - (others[0] ?? (first as number))).to.be.within(0, count - 1);
      }),
    );
  });

  it('refuses to allocate into no parts, or parts of parts', () => {
    for (const count of [0, -1, 1.5, Number.NaN]) expect(() => allocate(cents(100), count)).to.throw(RangeError, 'parts');
  });
});

describe('money on the wire', () => {
  it('comes back as it went', () => {
    fc.assert(fc.property(amounts, (amount) => void expect(centsFromNumber(reais(amount))).to.equal(amount)));
    fc.assert(fc.property(rates, (of) => void expect(rateFromPercent(percent(of))).to.equal(of)));
  });

  const NUMBERS: readonly [number, number | undefined][] = [
    [188.6, 18_860],
    [0, 0],
    [0.01, 1],
    [10, 1_000],
    [1e2, 10_000],
    [9_824.21, 982_421],
    [100_000_000_000, 10_000_000_000_000],
    [100_000_000_000.01, undefined],
    [1.234, undefined],
    [-1, undefined],
    [1e-7, undefined],
    [1e21, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ];
  for (const [given, expected] of NUMBERS) {
    it(`${given} is ${expected === undefined ? 'no amount' : `${expected} cents`}`, () =>
      expect(centsFromNumber(given)).to.equal(expected));
  }

  const TEXTS: readonly [string, number | undefined][] = [
    ['150', 15_000],
    ['150.00', 15_000],
    ['150,00', 15_000],
    ['150,5', 15_050],
    ['1.234,56', 123_456],
    ['1.234.567,89', 123_456_789],
    ['0', 0],
    ['1.234', undefined],
    ['1.234.567', undefined],
    ['1,234.56', undefined],
    ['12.34,56', undefined],
    ['1234.567', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['', undefined],
    [' 1', undefined],
    ['R$ 1', undefined],
    ['999999999999999.99', undefined],
  ];
  for (const [given, expected] of TEXTS) {
    it(`"${given}" is ${expected === undefined ? 'no amount' : `${expected} cents`}`, () =>
      expect(centsFromText(given)).to.equal(expected));
  }

  it('takes rates in percent with at most four decimals, up to one hundred', () => {
    expect(rateFromPercent(7.38)).to.equal(73_800);
    expect(rateFromPercent(0.38)).to.equal(3_800);
    expect(rateFromPercent(100)).to.equal(1_000_000);
    for (const wrong of [100.0001, 7.380_01, -1, Number.NaN]) expect(rateFromPercent(wrong)).to.equal(undefined);
    expect(percent(rate(73_800))).to.equal(7.38);
  });
});
