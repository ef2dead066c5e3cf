import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Amounts,
  addMonths,
  calculatePremium,
  cents,
  findIofRate,
  type Installment,
  IOF_RATES,
  installmentChoices,
  installmentsOf,
  isRefusal,
  plus,
  refuse,
  type SaleTerms,
  splitIntoInstallments,
  unwrap,
} from '#domain';
import { day, terms } from '../support/sales.ts';

const amounts = (net: number, iof: number): Amounts => ({
  net: cents(net),
  iof: cents(iof),
  total: cents(net + iof),
});
const first = day('2026-01-31');
const split = (figures: Amounts, count: number, over: object = {}) =>
  splitIntoInstallments(figures, {
    count,
    firstDueOn: first,
    offered: 12,
    ...over,
  }) as readonly Installment[];

describe('installments', () => {
  it('split total and IOF, with the remainder in the first; the net part is the difference', () => {
    expect(split(amounts(10_000, 738), 3)).to.deep.equal([
      { number: 1, dueOn: '2026-01-31', net: 3_334, iof: 246, total: 3_580 },
      { number: 2, dueOn: '2026-02-28', net: 3_333, iof: 246, total: 3_579 },
      { number: 3, dueOn: '2026-03-31', net: 3_333, iof: 246, total: 3_579 },
    ]);
    expect(split(amounts(41_047, 3_029), 3).map(({ total }) => total)).to.deep.equal([
      14_692, 14_692, 14_692,
    ]);
  });

  it('put the remainder in the last one if the caller asks for it', () => {
    const parts = split(amounts(10_001, 740), 3, { remainder: 'last' });
    expect(parts.map(({ net, iof }) => [net, iof])).to.deep.equal([
      [3_334, 246],
      [3_334, 246],
      [3_333, 248],
    ]);
  });

  it('may be a single installment', () => {
    expect(split(amounts(100, 7), 1)).to.deep.equal([
      { number: 1, dueOn: '2026-01-31', net: 100, iof: 7, total: 107 },
    ]);
  });

  it('are refused if their number is invalid or above the offer of the plan', () => {
    const terms = { firstDueOn: first, offered: 12 };
    for (const count of [0, -1, 1.5, 13, Number.NaN]) {
      expect(splitIntoInstallments(amounts(10_000, 738), { ...terms, count })).to.deep.equal(
        refuse('installments_not_offered'),
      );
    }
    expect(split(amounts(10_000, 738), 12)).to.have.length(12);
  });

  it('are refused if the plan offers no valid number of installments', () => {
    const terms = { firstDueOn: first, count: 1 };
    for (const offered of [0, Number.NaN]) {
      expect(splitIntoInstallments(amounts(10_000, 738), { ...terms, offered })).to.deep.equal(
        refuse('installments_not_offered'),
      );
    }
  });

  it('are refused if one of them would be below one cent', () => {
    expect(
      splitIntoInstallments(amounts(11, 1), { count: 12, firstDueOn: first, offered: 12 }),
    ).to.deep.equal(refuse('installment_below_one_cent'));
    expect(split(amounts(12, 1), 12).map(({ total }) => total)).to.deep.equal([
      2,
      ...Array.from({ length: 11 }, () => 1),
    ]);
  });

  it('sum to net premium, IOF and total, and are due monthly', () => {
    // IOF is 25 % at most.
    const figures = fc.tuple(
      fc.oneof(fc.integer({ min: 133, max: 10_000 }), fc.integer({ min: 133, max: 1e13 })),
      fc.integer({ min: 0, max: 250_000 }),
    );
    const remainders = fc.constantFrom('first', 'last');
    fc.assert(
      fc.property(
        figures,
        fc.integer({ min: 1, max: 12 }),
        remainders,
        ([net, ppm], count, remainder) => {
          const iof = Math.floor((net / 1_000_000) * ppm);
          const parts = split(amounts(net, iof), count, { remainder });
          expect(plus(...parts.map((each) => each.net))).to.equal(net);
          expect(plus(...parts.map((each) => each.iof))).to.equal(iof);
          expect(plus(...parts.map((each) => each.total))).to.equal(net + iof);
          parts.forEach(({ number, dueOn, total, net: part, iof: tax }, index) => {
            expect(number).to.equal(index + 1);
            expect(dueOn).to.equal(addMonths(first, index));
            expect(total).to.equal(part + tax);
            expect(part).to.be.at.least(1);
          });
        },
      ),
    );
  });
});

describe('the choices of installments', () => {
  it('are those that a sale can have, with the amounts that it would have', () => {
    expect(installmentChoices(amounts(10_000, 738), 3)).to.deep.equal([
      { count: 1, first: 10_738, other: 10_738 },
      { count: 2, first: 5_369, other: 5_369 },
      { count: 3, first: 3_580, other: 3_579 },
    ]);
    fc.assert(
      fc.property(
        fc.nat(2_000),
        fc.nat(200),
        fc.integer({ min: 0, max: 24 }),
        (net, iof, offered) => {
          const figures = amounts(net + 1, iof);
          const possible = Array.from({ length: offered }, (_, index) => index + 1).flatMap(
            (count) => {
              const parts = splitIntoInstallments(figures, {
                ...{ count, firstDueOn: first, offered, paid: 'once' },
              });
              if (isRefusal(parts)) return [];
              const [{ total }] = parts as readonly [Installment];
              return { count, first: total, other: parts[1]?.total ?? total };
            },
          );
          expect(installmentChoices(figures, offered)).to.deep.equal(possible);
        },
      ),
    );
  });
});

describe('the installments of a sale', () => {
  const premium = {
    ...terms().quote.premium,
    ...amounts(41_047, 3_029),
  };
  const payment = { collectedBy: 'service', installments: 3 } as const;
  const sold = terms({ payment, quote: { ...terms().quote, premium } });
  const totals = (found: SaleTerms) => installmentsOf(found).map(({ total }) => total);

  it('are as equal as the gateway makes them', () => {
    expect(totals(sold)).to.deep.equal([14_692, 14_692, 14_692]);
  });

  it('are due from the day of the sale, or from the day that its terms name', () => {
    const dueOn = (found: SaleTerms) => installmentsOf(found).map((each) => each.dueOn);
    expect(dueOn(sold)).to.deep.equal(['2026-11-20', '2026-12-20', '2027-01-20']);
    const later = { ...sold, payment: { ...payment, firstDueOn: day('2026-12-31') } };
    expect(dueOn(later)).to.deep.equal(['2026-12-31', '2027-01-31', '2027-02-28']);
  });

  it('do not exist if the channel collected, or if a cent cannot be divided', () => {
    expect(installmentsOf(terms())).to.deep.equal([]);
    const tiny = { ...premium, ...amounts(2, 0) };
    expect(installmentsOf({ ...sold, quote: { ...sold.quote, premium: tiny } })).to.deep.equal([]);
  });
});

describe('installments across the end of a rate of IOF', () => {
  const premium = (rateOn: string) =>
    calculatePremium(cents(100_00), 'net', unwrap(findIofRate('general', day(rateOn))), 'half-up');
  const split = (firstDueOn: string, over: object = {}) =>
    splitIntoInstallments(premium('2026-11-20'), {
      ...{ count: 3, offered: 3, firstDueOn: day(firstDueOn) },
      ...over,
    });
  const refused = (...at: string[]) => ({ refused: true, kind: 'iof_rate_ends', at });

  it('are refused with the numbers of the parts that bear another tax', () => {
    expect(split('2026-11-20')).to.deep.equal(refused('3'));
    expect(split('2026-10-31')).to.have.length(3);
    expect(split('2027-02-01')).to.deep.equal(refused('1', '2', '3'));
  });

  it('are not, where all is paid at once, or no tax is in the parts', () => {
    expect(split('2026-11-20', { paid: 'once' })).to.have.length(3);
    const terms = { count: 3, offered: 3, firstDueOn: day('2026-11-20') };
    expect(splitIntoInstallments(premium('2027-01-01'), terms)).to.have.length(3);
    expect(splitIntoInstallments(amounts(300, 0), terms)).to.have.length(3);
  });

  it('are refused without the rate of the premium as well, where no IOF is due any more', () => {
    const plain = amounts(300, 22);
    const terms = { count: 3, offered: 3, firstDueOn: day('2026-12-31') };
    expect(splitIntoInstallments(plain, terms)).to.deep.equal(refused('2', '3'));
  });

  it('follow the table of the program', () => {
    const [row] = IOF_RATES.filter(({ iofClass }) => iofClass === 'general');
    expect(split('2026-11-20', { iofRates: [row as (typeof IOF_RATES)[number]] })).to.have.length(
      3,
    );
  });
});
