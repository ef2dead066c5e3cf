import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Amounts,
  addDays,
  type CancellationFigures,
  type CancellationRule,
  type Contract,
  calculateCommission,
  calculatePremium,
  cancellationOn,
  cents,
  fullRefund,
  lastDayOfWithdrawal,
  MAX_AMOUNT,
  minus,
  plus,
  type Rounding,
  rate,
  refuse,
  shortPeriodRate,
  ZERO,
} from '#domain';
import { commissionOf } from '../support/catalogue.ts';
import { day } from '../support/sales.ts';

const soldOn = day('2026-01-01');

const contract = (
  over: Partial<Contract> = {},
  net = 100_000,
  rounding: Rounding = 'half-up',
): Contract => {
  const iof = {
    iofClass: 'general',
    from: day('2008-01-03'),
    rate: rate(73_800),
    legalBasis: '',
  } as const;
  const priced = calculatePremium(cents(net), 'net', iof, rounding);
  return {
    soldOn,
    paidOn: soldOn,
    period: { start: soldOn, end: day('2026-12-31') },
    premium: priced,
    commission: calculateCommission(priced, [commissionOf(200_000)], rate(1_000_000), rounding),
    rule: { kind: 'pro_rata', iof: 'refunded' },
    ...over,
  };
};

const amounts = (net: number, iof: number): Amounts => ({
  net: cents(net),
  iof: cents(iof),
  total: cents(net + iof),
});

/** The figures of a cancellation on the last of the used days of the coverage. */
const whenUsed = (usedDays: number, over: Partial<Contract> = {}): CancellationFigures =>
  cancellationOn(contract(over), addDays(soldOn, usedDays - 1)) as CancellationFigures;

describe('withdrawal', () => {
  it('within seven days refunds premium and IOF and reverses the whole commission', () => {
    for (const on of ['2026-01-01', '2026-01-08']) {
      const figures = cancellationOn(contract(), day(on)) as CancellationFigures;
      expect(figures).to.deep.include({ reason: 'withdrawal', on, paid: amounts(100_000, 7_380) });
      expect(figures).to.deep.include({ kept: amounts(0, 0), refund: amounts(100_000, 7_380) });
      expect(figures.commission.reversed).to.deep.equal(contract().commission);
      expect(figures.commission.kept.amount).to.equal(0);
    }
    expect((cancellationOn(contract(), day('2026-01-09')) as CancellationFigures).reason).to.equal(
      'cancellation',
    );
  });

  it('is possible until seven days after the later of sale and payment', () => {
    expect(lastDayOfWithdrawal({ soldOn, paidOn: soldOn })).to.equal('2026-01-08');
    expect(lastDayOfWithdrawal({ soldOn, paidOn: day('2026-01-05') })).to.equal('2026-01-12');
    expect(lastDayOfWithdrawal({ soldOn: day('2026-01-03'), paidOn: soldOn })).to.equal(
      '2026-01-10',
    );
    const paidLater = contract({ paidOn: day('2026-01-05') });
    expect((cancellationOn(paidLater, day('2026-01-12')) as CancellationFigures).reason).to.equal(
      'withdrawal',
    );
  });

  it('is possible after the coverage has ended, and reports the used days', () => {
    const event = contract({ period: { start: soldOn, end: day('2026-01-03') } });
    expect(cancellationOn(event, day('2026-01-06'))).to.include({
      reason: 'withdrawal',
      usedDays: 3,
      totalDays: 3,
    });
    expect(cancellationOn(event, day('2026-01-02'))).to.include({ usedDays: 2, totalDays: 3 });
    expect(cancellationOn(event, day('2026-01-09'))).to.deep.equal(refuse('coverage_ended'));
  });

  it('is refused before the day of the sale', () => {
    expect(cancellationOn(contract(), day('2025-12-31'))).to.deep.equal(
      refuse('cancelled_before_sale'),
    );
  });
});

describe('pro-rata cancellation', () => {
  it('keeps the premium of the used days, including the day of cancellation', () => {
    expect(whenUsed(73)).to.deep.include({
      reason: 'cancellation',
      by: 'insured',
      usedDays: 73,
      totalDays: 365,
      kept: amounts(20_000, 1_476),
      refund: amounts(80_000, 5_904),
    });
    expect(whenUsed(365)).to.deep.include({ kept: amounts(100_000, 7_380), refund: amounts(0, 0) });
  });

  it('keeps the whole IOF if the product retains IOF', () => {
    const retained: CancellationRule = { kind: 'pro_rata', iof: 'retained' };
    expect(whenUsed(73, { rule: retained })).to.deep.include({
      kept: amounts(20_000, 7_380),
      refund: amounts(80_000, 0),
    });
  });

  it('keeps no premium before the coverage starts', () => {
    const later = contract({ period: { start: day('2026-06-01'), end: day('2026-06-30') } });
    expect(cancellationOn(later, day('2026-03-01'))).to.deep.include({
      usedDays: 0,
      totalDays: 30,
      kept: amounts(0, 0),
    });
    expect(cancellationOn(later, day('2026-06-01'))).to.deep.include({
      usedDays: 1,
      kept: amounts(3_333, 246),
    });
    expect(cancellationOn(later, day('2026-06-30'))).to.deep.include({
      usedDays: 30,
      refund: amounts(0, 0),
    });
  });

  it('rounds by the rounding rule of the product', () => {
    const tied = (rounding: Rounding) =>
      cancellationOn(
        contract({ period: { start: soldOn, end: day('2026-02-09') } }, 25, rounding),
        day('2026-01-20'),
      ) as CancellationFigures;
    expect(tied('half-up').kept.net).to.equal(13);
    expect(tied('half-even').kept.net).to.equal(12);
  });

  it('keeps the commission on the kept premium and reverses the rest', () => {
    const { kept, reversed } = whenUsed(73).commission;
    expect(kept).to.deep.include({ base: 20_000, amount: 4_000, netAmount: 17_476 });
    expect(reversed).to.deep.include({ base: 80_000, amount: 16_000, netAmount: 69_904 });
  });

  it('is refused after the last day of the coverage', () => {
    expect(cancellationOn(contract(), day('2027-01-01'))).to.deep.equal(refuse('coverage_ended'));
    expect(cancellationOn(contract(), day('2026-12-31'))).to.include({ reason: 'cancellation' });
  });
});

describe('cancellation by the short-period table', () => {
  const TABLE =
    '15:13 30:20 45:27 60:30 75:37 90:40 105:46 120:50 135:56 150:60 165:66 180:70 195:73 210:75 225:78 240:80 ' +
    '255:83 270:85 285:88 300:90 315:93 330:95 345:98 365:100';
  const rows = TABLE.split(' ').map((row) => row.split(':').map(Number) as [number, number]);

  rows.forEach(([days, percent], index) => {
    const [before = 0] = rows[index - 1] ?? [];
    it(`retains ${percent} % from day ${before + 1} to day ${days} of a year`, () => {
      for (const used of [before + 1, days])
        expect(shortPeriodRate(used, 365)).to.equal(percent * 10_000);
    });
  });

  it('retains nothing if no day was used', () => expect(shortPeriodRate(0, 365)).to.equal(0));

  it('scales with the length of the period', () => {
    expect(shortPeriodRate(1, 30)).to.equal(130_000);
    expect(shortPeriodRate(2, 30)).to.equal(200_000);
    expect(shortPeriodRate(15, 30)).to.equal(730_000);
    expect(shortPeriodRate(30, 30)).to.equal(1_000_000);
    expect(shortPeriodRate(30, 730)).to.equal(130_000);
    expect(shortPeriodRate(31, 730)).to.equal(200_000);
    expect(shortPeriodRate(366, 366)).to.equal(1_000_000);
    for (const [used, total] of [
      [400, 365],
      [-1, 365],
      [10, 0],
      [Number.NaN, 365],
      [0.5, 365],
      [1, 1.5],
    ] as const) {
      expect(() => shortPeriodRate(used, total)).to.throw(
        RangeError,
        `not a part of the days: ${used} of ${total}`,
      );
    }
    expect(shortPeriodRate(0, 0)).to.equal(0);
  });

  it('sets the kept part of the premium, and of the IOF if the product refunds IOF', () => {
    const rule: CancellationRule = { kind: 'short_period', iof: 'refunded' };
    expect(whenUsed(60, { rule })).to.deep.include({
      kept: amounts(30_000, 2_214),
      refund: amounts(70_000, 5_166),
    });
    expect(whenUsed(61, { rule: { ...rule, iof: 'retained' } })).to.deep.include({
      kept: amounts(37_000, 7_380),
      refund: amounts(63_000, 0),
    });
  });

  it('refunds 200.00 of 2,000.00 if two of five installments are paid and 60 days are used', () => {
    const rule: CancellationRule = { kind: 'short_period', iof: 'retained' };
    const parts = contract({ rule, paid: amounts(80_000, 5_904) }, 200_000);
    const figures = cancellationOn(parts, addDays(soldOn, 59)) as CancellationFigures;
    expect(figures).to.deep.include({
      paid: amounts(80_000, 5_904),
      refund: amounts(20_000, 0),
      kept: amounts(60_000, 5_904),
    });
    const little = contract({ rule, paid: amounts(50_000, 3_690) }, 200_000);
    expect(cancellationOn(little, addDays(soldOn, 59))).to.deep.include({
      refund: amounts(0, 0),
      kept: amounts(50_000, 3_690),
    });
  });
});

describe('cancellation by the insurer', () => {
  it('is pro rata for premium and IOF, even if the product has another rule', () => {
    const byInsurer = contract({ by: 'insurer', rule: { kind: 'short_period', iof: 'retained' } });
    expect(cancellationOn(byInsurer, addDays(soldOn, 72))).to.deep.include({
      reason: 'cancellation',
      by: 'insurer',
      kept: amounts(20_000, 1_476),
    });
    expect(cancellationOn(byInsurer, addDays(soldOn, 1))).to.deep.include({
      reason: 'cancellation',
      usedDays: 2,
      kept: amounts(548, 40),
    });
    expect(cancellationOn(byInsurer, day('2027-01-01'))).to.deep.equal(refuse('coverage_ended'));
  });

  it('refunds no IOF if it refunds no premium', () => {
    const exactly = amounts(20_000, 7_380);
    const onItsDay = cancellationOn(
      contract({ by: 'insurer', paid: exactly }),
      addDays(soldOn, 72),
    );
    expect(onItsDay).to.deep.include({ kept: exactly, refund: amounts(0, 0) });
    const paid = amounts(200, 7_380);
    const figures = cancellationOn(contract({ by: 'insurer', paid }), addDays(soldOn, 72));
    expect(figures).to.deep.include({ kept: paid, refund: amounts(0, 0) });
  });
});

describe('fullRefund', () => {
  it('fullRefund refunds the whole price on any day if the insurer issues no policy', () => {
    const figures = fullRefund(contract(), day('2026-05-01'), 'not_issued');
    expect(figures).to.deep.include({
      reason: 'not_issued',
      on: '2026-05-01',
      refund: amounts(100_000, 7_380),
    });
    expect(figures.commission.kept.amount).to.equal(0);
  });
});

describe('cancellation of any premium on any day', () => {
  const kinds = fc.constantFrom('pro_rata' as const, 'short_period' as const);
  const iofs = fc.constantFrom('retained' as const, 'refunded' as const);
  const roundings = fc.constantFrom<Rounding>('half-up', 'half-even');

  it('refunds at most the paid amount, and kept plus refunded is the paid amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_AMOUNT }),
        fc.record({ kind: kinds, iof: iofs }),
        roundings,
        fc.integer({ min: 0, max: 800 }),
        fc.integer({ min: 1, max: 800 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (net, rule, rounding, onDay, length, part) => {
          const whole = contract(
            { rule, period: { start: soldOn, end: addDays(soldOn, length - 1) } },
            net,
            rounding,
          );
          const paid = amounts(
            Math.floor(whole.premium.net * part),
            Math.floor(whole.premium.iof * part),
          );
          const figures = cancellationOn({ ...whole, paid }, addDays(soldOn, onDay));
          if ('refused' in figures) return;
          for (const figure of ['net', 'iof', 'total'] as const) {
            expect(figures.refund[figure]).to.be.within(0, paid[figure]);
            expect(plus(figures.kept[figure], figures.refund[figure])).to.equal(paid[figure]);
          }
          expect(plus(figures.refund.net, figures.refund.iof)).to.equal(figures.refund.total);
          const { kept, reversed } = figures.commission;
          expect(minus(whole.commission.amount, kept.amount)).to.equal(reversed.amount);
          expect(kept.amount).to.be.within(ZERO, figures.kept.net);
        },
      ),
    );
  });

  it('never refunds more on a later day', () => {
    fc.assert(
      fc.property(
        fc.record({ kind: kinds, iof: iofs }),
        fc.integer({ min: 0, max: 364 }),
        (rule, onDay) => {
          const [today, tomorrow] = [onDay, onDay + 1].map((days) =>
            cancellationOn(contract({ rule }), addDays(soldOn, days)),
          );
          if (
            today === undefined ||
            tomorrow === undefined ||
            'refused' in today ||
            'refused' in tomorrow
          )
            return;
          expect(tomorrow.refund.total).to.be.at.most(today.refund.total);
        },
      ),
    );
  });
});
