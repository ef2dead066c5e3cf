import { expect } from 'chai';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import {
  allocate,
  allocateByWeight,
  type Cents,
  cents,
  centsFromNumber,
  centsFromText,
  formatPercent,
  formatReais,
  MAX_AMOUNT,
  max,
  min,
  minus,
  parseReais,
  plus,
  type Rounding,
  rate,
  rateFromPercent,
  share,
  shareOfDays,
  shareWithin,
  toPercent,
  toReais,
} from '#domain';

const amounts = fc.integer({ min: 0, max: MAX_AMOUNT }).map(cents);
const rates = fc.integer({ min: 0, max: 1_000_000 }).map(rate);
const roundings = fc.constantFrom<Rounding>('half-up', 'half-even');
const MODES = { 'half-up': Decimal.ROUND_HALF_UP, 'half-even': Decimal.ROUND_HALF_EVEN } as const;

const Exact = Decimal.clone({ precision: 60 });

describe('money', () => {
  it('accepts only whole cents, and rates only in whole parts per million', () => {
    for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(() => cents(wrong)).to.throw(RangeError, 'cents');
    for (const wrong of [0.5, -1, 1_000_001, Number.NaN])
      expect(() => rate(wrong)).to.throw(RangeError, 'parts per million');
    expect(rate(0)).to.equal(0);
    expect(rate(1_000_000)).to.equal(1_000_000);
  });

  it('throws for sums outside the safe integer range', () => {
    expect(() => plus(cents(Number.MAX_SAFE_INTEGER), cents(1))).to.throw(RangeError);
    expect(() => minus(cents(-Number.MAX_SAFE_INTEGER), cents(1))).to.throw(RangeError);
    expect(() => plus(cents(Number.MAX_SAFE_INTEGER), cents(1), cents(-1))).to.throw(RangeError);
    expect(Object.is(cents(-0), 0)).to.equal(true);
    expect(Object.is(share(cents(-1_000_000), rate(0), 'half-up'), 0)).to.equal(true);
    expect(plus()).to.equal(0);
    expect(plus(cents(1), cents(2), cents(-4))).to.equal(-1);
    expect(min(cents(1), cents(2))).to.equal(1);
    expect(min(cents(2), cents(1))).to.equal(1);
    expect(max(cents(1), cents(2))).to.equal(2);
    expect(max(cents(2), cents(1))).to.equal(2);
  });

  it('multiplies and rounds as exact decimals do, with both signs and both roundings', () => {
    fc.assert(
      fc.property(amounts, rates, roundings, fc.boolean(), (amount, of, rounding, negative) => {
        const signed = cents(negative ? -amount : amount);
        const exact = new Exact(signed).mul(of).div(1_000_000).toDecimalPlaces(0, MODES[rounding]);
        expect(Object.is(share(signed, of, rounding), exact.toNumber() + 0)).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('calculates the tax inside a gross amount as exact decimals do', () => {
    fc.assert(
      fc.property(amounts, rates, roundings, (gross, of, rounding) => {
        const exact = new Exact(gross)
          .mul(of)
          .div(new Exact(1_000_000).add(of))
          .toDecimalPlaces(0, MODES[rounding]);
        expect(shareWithin(gross, of, rounding)).to.equal(exact.toNumber());
      }),
      { numRuns: 2_000 },
    );
  });

  it('divides by weight into parts that sum to the total, each within a cent of its share', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(amounts, weights, (total, given) => {
        fc.pre(given.some((weight) => weight > 0));
        const parts = allocateByWeight(total, given);
        const sum = given.reduce((before, weight) => before + weight, 0);
        const first = given.findIndex((weight) => weight > 0);
        expect(plus(...parts)).to.equal(total);
        for (const [index, part] of parts.entries()) {
          const exact = new Exact(total).times(given[index] as number).div(sum);
          const rounded = exact.floor().toNumber();
          if (index === first) expect(part - rounded).to.be.within(0, given.length - 1);
          else expect(part).to.equal(rounded);
        }
      }),
    );
  });

  it('divides by equal weights as it allocates equal parts', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 60 }), (total, count) => {
        expect(allocateByWeight(total, Array(count).fill(7))).to.deep.equal(allocate(total, count));
      }),
    );
    expect(allocateByWeight(cents(100), [0, 2, 1])).to.deep.equal([0, 67, 33]);
    expect(allocateByWeight(cents(-100), [1, 2])).to.deep.equal([-34, -66]);
  });

  it('refuses weights that divide nothing', () => {
    for (const wrong of [[], [0, 0], [1, -1], [0.5], [Number.NaN], [2 ** 53]])
      expect(() => allocateByWeight(cents(100), wrong), String(wrong)).to.throw(
        RangeError,
        'not weights',
      );
  });

  it('allocates parts that sum to the total and differ only in the first', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 48 }), (total, count) => {
        const [first, ...others] = allocate(total, count);
        expect(plus(first as never, ...others)).to.equal(total);
        expect(new Set(others).size).to.be.at.most(1);
        expect((first as number) - (others[0] ?? (first as number))).to.be.within(0, count - 1);
      }),
    );
  });

  it('puts the remainder in the first or the last part, with both signs', () => {
    expect(allocate(cents(100), 3)).to.deep.equal([34, 33, 33]);
    expect(allocate(cents(100), 3, 'first')).to.deep.equal([34, 33, 33]);
    expect(allocate(cents(100), 3, 'last')).to.deep.equal([33, 33, 34]);
    expect(allocate(cents(-100), 3)).to.deep.equal([-34, -33, -33]);
    expect(allocate(cents(2), 3)).to.deep.equal([2, 0, 0]);
    expect(allocate(cents(-2), 3)).to.deep.equal([-2, 0, 0]);
    expect(allocate(cents(7), 1, 'last')).to.deep.equal([7]);
  });

  it('calculates the share of days, from 0 to all', () => {
    expect(shareOfDays(cents(365), 0, 365, 'half-up')).to.equal(0);
    expect(shareOfDays(cents(365), 1, 365, 'half-up')).to.equal(1);
    expect(shareOfDays(cents(365), 365, 365, 'half-up')).to.equal(365);
    expect(shareOfDays(cents(5), 1, 1, 'half-up')).to.equal(5);
    expect(shareOfDays(MAX_AMOUNT, 999_999, 1_000_000, 'half-up')).to.equal(9_999_990_000_000);
    for (const [days, of] of [
      [-1, 365],
      [366, 365],
      [0, 0],
      [0.5, 1],
      [1, 1.5],
      [1, 1_000_001],
      [1, Number.NaN],
    ] as const) {
      expect(() => shareOfDays(cents(100), days, of, 'half-up')).to.throw(
        RangeError,
        `not a part of the days: ${days} of ${of}`,
      );
    }
  });

  it('rounds a half away from zero or to the even neighbour, with both signs', () => {
    const half = rate(500_000);
    const shares = (rounding: Rounding) =>
      [1, 3, 5, -1, -3, -5].map((amount) => share(cents(amount), half, rounding));
    expect(shares('half-up')).to.deep.equal([1, 2, 3, -1, -2, -3]);
    expect(shares('half-even')).to.deep.equal([0, 2, 2, 0, -2, -2]);
  });

  it('throws for zero parts and for a fractional number of parts', () => {
    for (const count of [0, -1, 1.5, Number.NaN])
      expect(() => allocate(cents(100), count)).to.throw(RangeError, 'parts');
  });
});

describe('money in JSON and text', () => {
  it('is read back unchanged from its JSON number', () => {
    fc.assert(
      fc.property(
        amounts,
        (amount) => void expect(centsFromNumber(toReais(amount))).to.equal(amount),
      ),
    );
    fc.assert(fc.property(rates, (of) => void expect(rateFromPercent(toPercent(of))).to.equal(of)));
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
    ['12.345,67', 1_234_567],
    ['1.234.567,89', 123_456_789],
    ['12.34.567,89', undefined],
    ['1.234,56.', undefined],
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

  it('reads rates from 0 to 100 percent, with at most four decimals', () => {
    expect(rateFromPercent(7.38)).to.equal(73_800);
    expect(rateFromPercent(0.38)).to.equal(3_800);
    expect(rateFromPercent(100)).to.equal(1_000_000);
    for (const wrong of [100.0001, 7.380_01, -1, Number.NaN])
      expect(rateFromPercent(wrong)).to.equal(undefined);
    expect(toPercent(rate(73_800))).to.equal(7.38);
  });
});

describe('money in Brazilian format', () => {
  const WRITTEN: readonly [number, string][] = [
    [0, 'R$ 0,00'],
    [5, 'R$ 0,05'],
    [99, 'R$ 0,99'],
    [100, 'R$ 1,00'],
    [99_999, 'R$ 999,99'],
    [100_000, 'R$ 1.000,00'],
    [123_456, 'R$ 1.234,56'],
    [123_456_789, 'R$ 1.234.567,89'],
    [-5, '-R$ 0,05'],
    [-123_456, '-R$ 1.234,56'],
    [Number.MAX_SAFE_INTEGER, 'R$ 90.071.992.547.409,91'],
  ];
  for (const [amount, text] of WRITTEN) {
    it(`writes ${amount} cents as ${text}`, () =>
      expect(formatReais(cents(amount))).to.equal(text));
  }

  it('is written as Intl.NumberFormat writes it', () => {
    const brazilian = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (amount) => {
        expect(formatReais(cents(amount))).to.equal(
          brazilian.format(amount / 100).replace('\u00A0', ' '),
        );
      }),
    );
  });

  it('is read back from its formatted text', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT }), (amount) => {
        const read = parseReais(formatReais(cents(amount + 0))) as Cents;
        expect(Object.is(read, amount + 0)).to.equal(true);
      }),
    );
  });

  const READ: readonly [string, number | undefined][] = [
    ['R$ 1.234,56', 123_456],
    ['R$1.234,56', 123_456],
    ['R$\u00A01.234,56', 123_456],
    ['1.234,56', 123_456],
    ['1234,56', 123_456],
    ['-R$ 5,00', -500],
    ['-5,00', -500],
    ['R$ 20', 2_000],
    ['1.234', 123_400],
    ['1.234.567', 123_456_700],
    ['0,05', 5],
    ['-0,00', 0],
    ['R$ 100.000.000.000,00', 10_000_000_000_000],
    ['-R$ 100.000.000.000,00', -10_000_000_000_000],
    ['R$ 100.000.000.000,01', undefined],
    ['-R$ 100.000.000.000,01', undefined],
    ['', undefined],
    ['R$', undefined],
    ['R$ ', undefined],
    ['R$  5,00', undefined],
    ['US$ 5,00', undefined],
    ['5,0', undefined],
    ['5,000', undefined],
    ['5.00', undefined],
    ['1234.567,00', undefined],
    ['12.34,00', undefined],
    ['1.23', undefined],
    [',50', undefined],
    ['5,', undefined],
    ['5,00 ', undefined],
    [' 5,00', undefined],
    ['+5,00', undefined],
    ['R$ -5,00', undefined],
    ['1e3', undefined],
    ['123456789012345,00', undefined],
    ['٣,00', undefined],
  ];
  for (const [text, expected] of READ) {
    it(`${JSON.stringify(text)} is read as ${expected === undefined ? 'no amount' : `${expected} cents`}`, () => {
      expect(Object.is(parseReais(text), expected)).to.equal(true);
    });
  }

  it('writes rates in percent', () => {
    const written = [73_800, 3_800, 0, 1_000_000, 125_000, 1].map((ppm) =>
      formatPercent(rate(ppm)),
    );
    expect(written).to.deep.equal(['7,38%', '0,38%', '0%', '100%', '12,5%', '0,0001%']);
  });
});
