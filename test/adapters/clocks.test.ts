import { expect } from 'chai';
import type { CalendarDate, Instant } from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { SystemClock } from '../../adapters/system/clock-and-identifiers.ts';

describe('the business day', () => {
  const DAYS: readonly [string, string][] = [
    ['2026-11-21T02:59:59.999Z', '2026-11-20'],
    ['2026-11-21T03:00:00.000Z', '2026-11-21'],
    // Summer time until 2019: two hours behind UTC.
    ['2018-12-01T01:59:59.999Z', '2018-11-30'],
    ['2018-12-01T02:00:00.000Z', '2018-12-01'],
  ];
  for (const [instant, day] of DAYS) {
    it(`of ${instant} is ${day} in São Paulo`, () => {
      expect(new SystemClock().dayOf(instant as Instant)).to.equal(day);
    });
  }

  for (const [day, start] of [
    ['2026-11-21', '2026-11-21T03:00:00.000Z'],
    ['2018-12-01', '2018-12-01T02:00:00.000Z'],
    // The first day of summer time had no midnight; its last day had two.
    ['2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['2018-02-18', '2018-02-18T03:00:00.000Z'],
    ['2018-02-17', '2018-02-17T02:00:00.000Z'],
  ] as const) {
    it(`of ${day} begins at ${start}`, () =>
      expect(new SystemClock().startOf(day as CalendarDate)).to.equal(start));
  }
});

for (const [name, clock] of Object.entries({
  machine: new SystemClock(),
  memory: new MemoryClock('2026-11-20T15:00:00.000Z'),
})) {
  describe(`the clock of the ${name}`, () => {
    it('starts each day in São Paulo where the day before ends', () => {
      const start = clock.startOf('2026-11-21' as CalendarDate);
      expect(start).to.equal('2026-11-21T03:00:00.000Z');
      expect(clock.dayOf(start)).to.equal('2026-11-21');
      expect(clock.dayOf('2026-11-21T02:59:59.999Z' as Instant)).to.equal('2026-11-20');
      expect(clock.dayOf(clock.now())).to.equal(clock.today());
    });
  });
}
