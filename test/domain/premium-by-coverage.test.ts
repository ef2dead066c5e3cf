import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Amounts,
  type Cents,
  calculatePremium,
  cents,
  type IofRate,
  MAX_AMOUNT,
  type Price,
  type PricingBasis,
  plus,
  rate,
  splitByCoverage,
} from '#domain';

const iofOf = (ppm: number): IofRate => ({
  iofClass: 'general',
  from: '2008-01-03' as IofRate['from'],
  rate: rate(ppm),
  legalBasis: '',
});

/** The figures of a sale: the price of the plan, then those of the coverages bought with it. */
const sold = (prices: readonly number[], ppm = 73_800, basis: PricingBasis = 'net') => ({
  prices: prices.map(
    (amount, index): Price => ({
      of: index === 0 ? 'plan' : 'coverage',
      code: `${index}`,
      name: `${index}`,
      tariff: { kind: 'fixed', amount: cents(amount) },
      amount: cents(amount),
    }),
  ),
  premium: calculatePremium(
    cents(prices.reduce((sum, price) => sum + price, 0)),
    basis,
    iofOf(ppm),
    'half-up',
  ),
});

const figures = (parts: readonly Amounts[]): readonly (readonly Cents[])[] =>
  parts.map(({ net, iof, total }) => [net, iof, total]);

describe('the premium by coverage', () => {
  it('is the own price of each coverage, with its part of the IOF', () => {
    // 29.90 + 5.00 + 7.50 = 42.40, and 7.38 % of it is 3.13.
    expect(
      figures(
        splitByCoverage(sold([2_990, 500, 750]), { included: [], bought: [undefined, undefined] }),
      ),
    ).to.deep.equal([
      [2_990, 222, 3_212],
      [500, 36, 536],
      [750, 55, 805],
    ]);
  });

  it('is the share of each coverage that the plan includes', () => {
    const shares = { included: [rate(600_000), rate(400_000)], bought: [] };
    expect(figures(splitByCoverage(sold([2_990]), shares))).to.deep.equal([
      [1_794, 133, 1_927],
      [1_196, 88, 1_284],
    ]);
  });

  it('is a share of the plan’s price for a coverage bought without a price of its own', () => {
    const shares = { included: [rate(1_000_000)], bought: [rate(200_000), rate(300_000)] };
    expect(figures(splitByCoverage(sold([10_000, 0, 0]), shares))).to.deep.equal([
      [5_000, 370, 5_370],
      [2_000, 147, 2_147],
      [3_000, 221, 3_221],
    ]);
  });

  it('is the whole premium for a plan that is one coverage, also without stored prices', () => {
    const { premium } = sold([18_860]);
    for (const prices of [sold([18_860]).prices, []])
      expect(
        figures(splitByCoverage({ prices, premium }, { included: [], bought: [] })),
      ).to.deep.equal([[18_860, 1_392, 20_252]]);
    expect(
      figures(splitByCoverage({ prices: [], premium }, { included: [], bought: [undefined] })),
    ).to.deep.equal([
      [18_860, 1_392, 20_252],
      [0, 0, 0],
    ]);
  });

  it('divides a price with IOF inside by the same shares', () => {
    const gross = sold([10_000, 738], 73_800, 'gross');
    expect(gross.premium).to.deep.include({ net: 10_000, iof: 738 });
    expect(figures(splitByCoverage(gross, { included: [], bought: [undefined] }))).to.deep.equal([
      [9_313, 688, 10_001],
      [687, 50, 737],
    ]);
  });

  it('sums to the net premium, the IOF and the total of every sale, without a negative part', () => {
    const price = fc.integer({ min: 0, max: MAX_AMOUNT / 100 });
    const ppm = fc.integer({ min: 0, max: 1_000_000 });
    const sale = fc.record({
      plan: fc.integer({ min: 1, max: MAX_AMOUNT / 100 }),
      cuts: fc.array(ppm, { maxLength: 5 }),
      bought: fc.array(
        fc.record({ price, share: fc.option(fc.integer({ min: 0, max: 100_000 })) }),
        {
          maxLength: 10,
        },
      ),
      iof: ppm,
      basis: fc.constantFrom<PricingBasis>('net', 'gross'),
    });
    fc.assert(
      fc.property(sale, ({ plan, cuts, bought, iof, basis }) => {
        const quote = sold([plan, ...bought.map((each) => each.price)], iof, basis);
        const edges = [0, ...cuts.sort((one, other) => one - other), 1_000_000];
        const included = edges.slice(1).map((edge, index) => rate(edge - (edges[index] as number)));
        const shares = bought.map(({ share }) => (share === null ? undefined : rate(share)));
        const parts = splitByCoverage(quote, { included, bought: shares });

        expect(parts).to.have.length(included.length + bought.length);
        for (const name of ['net', 'iof', 'total'] as const)
          expect(plus(...parts.map((part) => part[name]))).to.equal(quote.premium[name]);
        for (const { net, iof: tax, total } of parts) {
          expect(net + tax).to.equal(total);
          expect(Math.min(net, tax)).to.be.at.least(0);
        }
      }),
    );
  });
});
