import { addDays, addMonths, type CalendarDate, calendarDate, coveragePeriod, isRefusal } from '@insurance-sales/domain';
import { expect } from 'chai';
import fc from 'fast-check';

const day = (text: string): CalendarDate => calendarDate(text) as CalendarDate;
const days = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-11-30'), noInvalidDate: true })
  .map((date) => day(date.toISOString().slice(0, 10)));

describe('calendar dates', () => {
  for (const real of ['2026-11-20', '2024-02-29', '2000-02-29', '1900-01-01', '2199-12-31']) {
    it(`${real} is a day`, () => expect(calendarDate(real)).to.equal(real));
  }
  const UNREAL = [
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-01-00',
    '1899-12-31',
    '2200-01-01',
    '0000-01-01',
  ];
  for (const unreal of [...UNREAL, '2026-1-1', '20/11/2026', '2026-11-20T00:00:00Z', '', ' 2026-11-20', '2026-11-20\n']) {
    it(`${JSON.stringify(unreal)} is no day`, () => expect(calendarDate(unreal)).to.equal(undefined));
  }

  it('moves by months, to the last day where a month is shorter', () => {
    expect(addMonths(day('2026-01-31'), 1)).to.equal('2026-02-28');
    expect(addMonths(day('2024-01-31'), 1)).to.equal('2024-02-29');
    expect(addMonths(day('2026-12-15'), 1)).to.equal('2027-01-15');
    expect(addMonths(day('2026-11-20'), 12)).to.equal('2027-11-20');
    expect(addMonths(day('2026-03-31'), -1)).to.equal('2026-02-28');
    expect(addMonths(day('2026-11-20'), 0)).to.equal('2026-11-20');
  });

  it('moves by days there and back', () => {
    expect(addDays(day('2026-12-31'), 1)).to.equal('2027-01-01');
    fc.assert(
      fc.property(
        days,
        fc.integer({ min: 0, max: 30 }),
        (date, count) => void expect(addDays(addDays(date, count), -count)).to.equal(date),
      ),
    );
  });

  it('compares as text', () => {
    fc.assert(fc.property(days, (date) => void expect(date < addDays(date, 1)).to.equal(true)));
  });
});

describe('the coverage period', () => {
  const soldOn = day('2026-11-20');

  it('of a ticket runs from the payment to the event, both days included', () => {
    const period = coveragePeriod(
      { kind: 'payment_to_event' },
      { soldOn, paidOn: day('2026-11-19'), eventOn: day('2026-12-31') },
    );
    expect(period).to.deep.equal({ start: '2026-11-19', end: '2026-12-31' });
  });

  it('of an event on the day of payment is that day', () => {
    expect(coveragePeriod({ kind: 'payment_to_event' }, { soldOn, paidOn: soldOn, eventOn: soldOn })).to.deep.equal({
      start: soldOn,
      end: soldOn,
    });
  });

  it('of months ends the day before the anniversary', () => {
    expect(coveragePeriod({ kind: 'months', months: 12 }, { soldOn })).to.deep.equal({ start: '2026-11-20', end: '2027-11-19' });
    expect(coveragePeriod({ kind: 'months', months: 1 }, { soldOn })).to.deep.equal({ start: '2026-11-20', end: '2026-12-19' });
  });

  it('is taken as declared where the plan says so', () => {
    const declared = { start: day('2026-12-01'), end: day('2026-12-05') };
    expect(coveragePeriod({ kind: 'declared' }, { soldOn, declared })).to.deep.equal(declared);
  });

  it('is refused where a day is missing', () => {
    expect(coveragePeriod({ kind: 'declared' }, { soldOn })).to.include({ refused: true, kind: 'period_not_declared' });
    expect(coveragePeriod({ kind: 'payment_to_event' }, { soldOn, paidOn: soldOn })).to.include({ kind: 'period_not_declared' });
    expect(coveragePeriod({ kind: 'payment_to_event' }, { soldOn, eventOn: soldOn })).to.include({ kind: 'period_not_declared' });
  });

  it('is refused where it ends before it starts', () => {
    const period = coveragePeriod({ kind: 'payment_to_event' }, { soldOn, paidOn: soldOn, eventOn: day('2026-11-19') });
    expect(isRefusal(period) && period.kind).to.equal('period_reversed');
  });
});
