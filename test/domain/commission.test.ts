import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Commission,
  type CommissionRate,
  calculateCommission,
  calculatePremium,
  cents,
  MAX_AMOUNT,
  type Premium,
  plus,
  type Rounding,
  rate,
  share,
  splitCommissionAfterRefund,
  sumCommissionRates,
} from '#domain';
import { commissionOf } from '../support/catalogue.ts';
import { day } from '../support/sales.ts';

const IOF = {
  iofClass: 'general',
  from: day('2008-01-03'),
  rate: rate(73_800),
  legalBasis: '',
} as const;
const priced = (net: number): Premium => calculatePremium(cents(net), 'net', IOF, 'half-up');
const HALF = rate(500_000);
const WHOLE = rate(1_000_000);

const RATES: readonly CommissionRate[] = [
  commissionOf(150_000, 'brokerage'),
  commissionOf(100_000, 'agency'),
  commissionOf(50_000, 'pro_labore'),
  commissionOf(25_000, 'representative'),
];

const amountsOf = ({ items }: Commission): readonly number[] => items.map(({ amount }) => amount);

describe('sumCommissionRates', () => {
  it('sums all rates, up to the cap', () => {
    expect(
      sumCommissionRates(calculateCommission(priced(18_870), RATES, HALF, 'half-up')),
    ).to.equal(325_000);
    expect(
      sumCommissionRates(calculateCommission(priced(18_870), RATES, rate(200_000), 'half-up')),
    ).to.equal(200_000);
    expect(sumCommissionRates(calculateCommission(priced(18_870), [], HALF, 'half-up'))).to.equal(
      0,
    );
  });
});

describe('the commissions of a sale', () => {
  it('are shares of the net premium, each rounded separately', () => {
    expect(calculateCommission(priced(18_870), RATES, HALF, 'half-up')).to.deep.equal({
      cap: HALF,
      base: 18_870,
      items: [
        { kind: 'brokerage', rate: 150_000, amount: 2_831 },
        { kind: 'agency', rate: 100_000, amount: 1_887 },
        { kind: 'pro_labore', rate: 50_000, amount: 944 },
        { kind: 'representative', rate: 25_000, amount: 472 },
      ],
      amount: 6_134,
      netAmount: 20_263 - 6_134,
    });
    expect(amountsOf(calculateCommission(priced(18_870), RATES, HALF, 'half-even'))).to.deep.equal([
      2_830, 1_887, 944, 472,
    ]);
  });

  it('may be an empty list', () => {
    expect(calculateCommission(priced(1_000), [], HALF, 'half-up')).to.deep.equal({
      cap: HALF,
      base: 1_000,
      items: [],
      amount: 0,
      netAmount: 1_074,
    });
  });

  it('are capped in total, and the last ones are reduced', () => {
    expect(
      amountsOf(calculateCommission(priced(10_000), RATES, rate(275_000), 'half-up')),
    ).to.deep.equal([1_500, 1_000, 250, 0]);
    expect(amountsOf(calculateCommission(priced(10_000), RATES, rate(0), 'half-up'))).to.deep.equal(
      [0, 0, 0, 0],
    );
    expect(
      amountsOf(calculateCommission(priced(10_000), RATES, rate(325_000), 'half-up')),
    ).to.deep.equal([1_500, 1_000, 500, 250]);
  });

  it('stay within the cap even if each is rounded up', () => {
    const halves = [commissionOf(500_000, 'brokerage'), commissionOf(500_000, 'agency')];
    expect(amountsOf(calculateCommission(priced(101), halves, WHOLE, 'half-up'))).to.deep.equal([
      51, 50,
    ]);
  });
});

describe('a refund', () => {
  const sold = calculateCommission(priced(18_870), RATES, HALF, 'half-up');

  it('of the whole premium reverses all commissions exactly', () => {
    const nothing = { net: cents(0), iof: cents(0), total: cents(0) };
    expect(splitCommissionAfterRefund(sold, nothing, 'half-up')).to.deep.equal({
      kept: {
        cap: HALF,
        base: 0,
        items: sold.items.map((item) => ({ ...item, amount: 0 })),
        amount: 0,
        netAmount: 0,
      },
      reversed: sold,
    });
  });

  it('of a part of the premium keeps the commission on the rest', () => {
    const { kept, reversed } = splitCommissionAfterRefund(sold, priced(9_435), 'half-up');
    expect(kept).to.deep.include({ base: 9_435, amount: 3_067, netAmount: 10_131 - 3_067 });
    expect(amountsOf(kept)).to.deep.equal([1_415, 944, 472, 236]);
    expect(amountsOf(reversed)).to.deep.equal([1_416, 943, 472, 236]);
    expect(reversed).to.deep.include({
      base: 9_435,
      amount: 3_067,
      netAmount: 20_263 - 6_134 - (10_131 - 3_067),
    });
  });

  it('keeps a capped commission within the cap, and each item within its original amount', () => {
    const capped = calculateCommission(priced(10_000), RATES, rate(275_000), 'half-up');
    expect(amountsOf(capped)).to.deep.equal([1_500, 1_000, 250, 0]);
    expect(
      amountsOf(splitCommissionAfterRefund(capped, priced(5_000), 'half-up').kept),
    ).to.deep.equal([750, 500, 125, 0]);
    const halves = calculateCommission(
      priced(101),
      [commissionOf(500_000, 'brokerage'), commissionOf(500_000, 'agency')],
      WHOLE,
      'half-up',
    );
    expect(
      amountsOf(splitCommissionAfterRefund(halves, priced(101), 'half-up').kept),
    ).to.deep.equal([51, 50]);
  });
});

describe('for random rates, caps and refunds', () => {
  const rates = fc.array(
    fc.integer({ min: 0, max: 1_000_000 }).map((ppm) => commissionOf(ppm)),
    { maxLength: 4 },
  );
  const nets = fc.integer({ min: 1, max: MAX_AMOUNT });
  const caps = fc.integer({ min: 0, max: 1_000_000 }).map(rate);
  const roundings = fc.constantFrom<Rounding>('half-up', 'half-even');

  it('the commission is within the cap, and commission plus net amount is the total', () => {
    fc.assert(
      fc.property(nets, rates, caps, roundings, (net, agreed, cap, rounding) => {
        const figures = priced(net);
        const { items, amount, netAmount, base } = calculateCommission(
          figures,
          agreed,
          cap,
          rounding,
        );
        expect(base).to.equal(net);
        expect(amount).to.be.within(0, share(cents(net), cap, rounding));
        expect(plus(...items.map((each) => each.amount))).to.equal(amount);
        expect(plus(amount, netAmount)).to.equal(figures.total);
      }),
    );
  });

  it('kept plus reversed is the original for each item', () => {
    fc.assert(
      fc.property(
        nets,
        rates,
        caps,
        roundings,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (net, agreed, cap, rounding, part) => {
          const before = calculateCommission(priced(net), agreed, cap, rounding);
          const { kept, reversed } = splitCommissionAfterRefund(
            before,
            priced(Math.floor(net * part)),
            rounding,
          );
          before.items.forEach(({ amount }, index) => {
            const [left, back] = [
              kept.items[index]?.amount ?? cents(0),
              reversed.items[index]?.amount ?? cents(0),
            ];
            expect(Math.min(left, back)).to.be.at.least(0);
            expect(plus(left, back)).to.equal(amount);
          });
          expect(kept.amount).to.be.at.most(share(kept.base, cap, rounding));
          for (const figure of ['base', 'amount', 'netAmount'] as const) {
            expect(plus(kept[figure], reversed[figure])).to.equal(before[figure]);
          }
        },
      ),
    );
  });
});
