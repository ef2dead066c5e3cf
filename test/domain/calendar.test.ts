import { expect } from 'chai';
import fc from 'fast-check';
import {
  addDays,
  addMonths,
  anniversary,
  businessDay,
  type CalendarDate,
  coveragePeriod,
  daysBetween,
  daysCovered,
  formatDate,
  type Instant,
  instantOf,
  isRefusal,
  parseDate,
  parseInstant,
} from '#domain';

const day = (text: string): CalendarDate => parseDate(text) as CalendarDate;
const days = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-11-30'), noInvalidDate: true })
  .map((date) => day(date.toISOString().slice(0, 10)));

describe('calendar dates', () => {
  for (const real of ['2026-11-20', '2024-02-29', '2000-02-29', '1900-01-01', '2199-12-31']) {
    it(`accepts ${real}`, () => expect(parseDate(real)).to.equal(real));
  }
  const UNREAL = [
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-01-00',
    '1899-12-31',
    '9999902026-11-20',
    '2200-01-01',
    '0000-01-01',
  ];
  for (const unreal of [
    ...UNREAL,
    '2026-1-1',
    '20/11/2026',
    '2026-11-20T00:00:00Z',
    '',
    ' 2026-11-20',
    '2026-11-20\n',
  ]) {
    it(`rejects ${JSON.stringify(unreal)}`, () => expect(parseDate(unreal)).to.equal(undefined));
  }

  it('adds months, and gives the last day of a month that is too short', () => {
    expect(addMonths(day('2026-01-31'), 1)).to.equal('2026-02-28');
    expect(addMonths(day('2024-01-31'), 1)).to.equal('2024-02-29');
    expect(addMonths(day('2026-12-15'), 1)).to.equal('2027-01-15');
    expect(addMonths(day('2026-11-20'), 12)).to.equal('2027-11-20');
    expect(addMonths(day('2026-03-31'), -1)).to.equal('2026-02-28');
    expect(addMonths(day('2026-11-20'), 0)).to.equal('2026-11-20');
  });

  it('adds months as `Date` does, except for days that a month does not have', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -60, max: 60 }), (date, months) => {
        const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
        const last = new Date(Date.UTC(year, month + months, 0));
        const wanted = Math.min(Number(date.slice(8)), last.getUTCDate());
        const expected = new Date(Date.UTC(year, month - 1 + months, wanted))
          .toISOString()
          .slice(0, 10);
        expect(addMonths(date, months)).to.equal(expected);
      }),
    );
  });

  it('gives the anniversary, or the first of the next month if a month is too short', () => {
    expect(anniversary(day('2026-11-20'), 12)).to.equal('2027-11-20');
    expect(anniversary(day('2026-01-31'), 1)).to.equal('2026-03-01');
    expect(anniversary(day('2026-01-30'), 1)).to.equal('2026-03-01');
    expect(anniversary(day('2026-01-28'), 1)).to.equal('2026-02-28');
    expect(anniversary(day('2028-02-29'), 12)).to.equal('2029-03-01');
    expect(anniversary(day('2028-02-29'), 48)).to.equal('2032-02-29');
  });

  it('counts the days between two dates', () => {
    expect(daysBetween(day('2026-01-01'), day('2026-12-31'))).to.equal(364);
    expect(daysBetween(day('2024-02-28'), day('2024-03-01'))).to.equal(2);
    expect(daysBetween(day('2026-11-20'), day('2026-11-20'))).to.equal(0);
    expect(daysBetween(day('2026-11-20'), day('2026-11-19'))).to.equal(-1);
  });

  it('formats a date as dd/mm/yyyy', () =>
    expect(formatDate(day('2026-11-20'))).to.equal('20/11/2026'));

  it('adds and subtracts days', () => {
    expect(addDays(day('2026-12-31'), 1)).to.equal('2027-01-01');
    fc.assert(
      fc.property(
        days,
        fc.integer({ min: 0, max: 30 }),
        (date, count) => void expect(addDays(addDays(date, count), -count)).to.equal(date),
      ),
    );
  });

  it('compares dates as text', () => {
    fc.assert(fc.property(days, (date) => void expect(date < addDays(date, 1)).to.equal(true)));
  });
});

describe('parseInstant', () => {
  it('reads a date-time with a time zone, with or without seconds', () => {
    for (const [text, at] of [
      ['2026-11-20T15:00:00Z', '2026-11-20T15:00:00.000Z'],
      ['2026-11-20T12:00-03:00', '2026-11-20T15:00:00.000Z'],
      ['2026-11-20T12:00:00.5-03:00', '2026-11-20T15:00:00.500Z'],
      ['2026-11-20T15:00:00.123Z', '2026-11-20T15:00:00.123Z'],
      // As Python, Java and .NET write them.
      ['2026-11-20T15:00:00.123456Z', '2026-11-20T15:00:00.123Z'],
      ['2026-11-20T12:00:00.1234567-03:00', '2026-11-20T15:00:00.123Z'],
      ['2026-11-20t15:00:00.123456789z', '2026-11-20T15:00:00.123Z'],
      ['1900-01-02T00:00:00Z', '1900-01-02T00:00:00.000Z'],
      ['2199-12-30T23:59:59Z', '2199-12-30T23:59:59.000Z'],
    ] as const) {
      expect(parseInstant(text)).to.equal(at);
    }
  });

  it('rejects malformed texts, impossible dates and times outside the supported years', () => {
    for (const text of [
      ...[
        '2026-11-20',
        '2026-11-20T12:00:00',
        '2026-02-30T12:00:00Z',
        '2026-11-20T25:00:00Z',
        '2026-11-20T24:00:00-03:00',
        '2026-11-20 12:00Z',
        'x',
        '',
      ],
      ...['x2026-11-20T12:00:00Z', '2026-11-20T12:00:00Zx', '2026-11-20T12:00:00.1234567890Z'],
      ...[
        '1900-01-01T00:00:00+14:00',
        '2199-12-31T23:59:00-12:00',
        '1899-12-31T12:00Z',
        '2200-01-01T12:00Z',
      ],
    ]) {
      expect(parseInstant(text), text).to.equal(undefined);
    }
  });
});

describe('the coverage period', () => {
  const soldOn = day('2026-11-20');

  it('of a ticket runs from the payment day to the event day, inclusive', () => {
    const period = coveragePeriod(
      { kind: 'payment_to_event' },
      { soldOn, paidOn: day('2026-11-19'), eventOn: day('2026-12-31') },
    );
    expect(period).to.deep.equal({ start: '2026-11-19', end: '2026-12-31' });
  });

  it('is one day if the event is on the payment day', () => {
    expect(
      coveragePeriod({ kind: 'payment_to_event' }, { soldOn, paidOn: soldOn, eventOn: soldOn }),
    ).to.deep.equal({
      start: soldOn,
      end: soldOn,
    });
  });

  it('of a number of months ends the day before the anniversary', () => {
    expect(coveragePeriod({ kind: 'months', months: 12 }, { soldOn })).to.deep.equal({
      start: '2026-11-20',
      end: '2027-11-19',
    });
    expect(coveragePeriod({ kind: 'months', months: 1 }, { soldOn })).to.deep.equal({
      start: '2026-11-20',
      end: '2026-12-19',
    });
    const endOfMonth = { soldOn: day('2026-01-31') };
    expect(coveragePeriod({ kind: 'months', months: 1 }, endOfMonth)).to.deep.equal({
      start: '2026-01-31',
      end: '2026-02-28',
    });
  });

  it('is the period that the channel declared, if the plan requires it', () => {
    const declared = { start: day('2026-12-01'), end: day('2026-12-05') };
    expect(coveragePeriod({ kind: 'declared' }, { soldOn, declared })).to.deep.equal(declared);
  });

  it('is refused if a date that the rule needs is missing', () => {
    expect(coveragePeriod({ kind: 'declared' }, { soldOn })).to.include({
      refused: true,
      kind: 'period_not_declared',
    });
    expect(coveragePeriod({ kind: 'payment_to_event' }, { soldOn, paidOn: soldOn })).to.include({
      kind: 'period_not_declared',
    });
  });

  it('of an unpaid ticket runs from the day of the sale', () => {
    const eventOn = day('2026-12-31');
    expect(coveragePeriod({ kind: 'payment_to_event' }, { soldOn, eventOn })).to.deep.equal({
      start: soldOn,
      end: eventOn,
    });
  });

  it('must equal the period that the channel declared', () => {
    const right = { start: soldOn, end: day('2026-12-19') };
    const rule = { kind: 'months', months: 1 } as const;
    expect(coveragePeriod(rule, { soldOn, declared: right })).to.deep.equal(right);
    for (const declared of [
      { ...right, start: day('2026-11-21') },
      { ...right, end: day('2026-12-20') },
    ]) {
      expect(coveragePeriod(rule, { soldOn, declared })).to.include({ kind: 'period_differs' });
    }
    const eventOn = day('2026-12-30');
    expect(
      coveragePeriod({ kind: 'payment_to_event' }, { soldOn, eventOn, declared: right }),
    ).to.include({
      kind: 'period_differs',
    });
  });

  it('is refused if it ends before it starts', () => {
    const period = coveragePeriod(
      { kind: 'payment_to_event' },
      { soldOn, paidOn: soldOn, eventOn: day('2026-11-19') },
    );
    expect(isRefusal(period) && period.kind).to.equal('period_reversed');
  });
});

describe('the days of a period', () => {
  it('include the first and the last day', () => {
    expect(daysCovered({ start: day('2026-11-20'), end: day('2026-11-20') })).to.equal(1);
    expect(daysCovered({ start: day('2026-01-01'), end: day('2026-12-31') })).to.equal(365);
    expect(daysCovered({ start: day('2024-01-01'), end: day('2024-12-31') })).to.equal(366);
  });
});

describe('a point in time', () => {
  it('is written in UTC with milliseconds', () => {
    expect(instantOf(new Date(0))).to.equal('1970-01-01T00:00:00.000Z');
    expect(() => instantOf(new Date(Number.NaN))).to.throw(RangeError);
    expect(() => instantOf(new Date(8.64e15))).to.throw(RangeError, 'not a year of four digits');
  });
});

describe('the business day', () => {
  const DAYS: readonly [string, string][] = [
    ['2026-11-21T02:59:59.999Z', '2026-11-20'],
    ['2026-11-21T03:00:00.000Z', '2026-11-21'],
    // Summer time until 2019: two hours behind UTC.
    ['2018-12-01T01:59:59.999Z', '2018-11-30'],
    ['2018-12-01T02:00:00.000Z', '2018-12-01'],
  ];
  for (const [at, on] of DAYS)
    it(`of ${at} is ${on} in São Paulo`, () => expect(businessDay(at as Instant)).to.equal(on));
});
