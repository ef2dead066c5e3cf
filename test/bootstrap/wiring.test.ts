import { expect } from 'chai';
import type { CalendarDate, Instant } from '#domain';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { businessDay, SystemClock } from '../../adapters/system/clock.ts';
import type { Clock } from '../../application/clock.ts';
import { Registry } from '../../bootstrap/registry.ts';

interface Parts {
  readonly port: number;
  readonly address: string;
  readonly clock: Clock;
}

describe('the registry', () => {
  it('builds a part once, from the parts that it reads', () => {
    let built = 0;
    const { parts } = new Registry<Parts>()
      .bind('port', () => 80)
      .bind('address', ({ port }) => {
        built += 1;
        return `localhost:${port.toFixed()}`;
      });

    expect([parts.address, parts.address, built]).to.deep.equal([
      'localhost:80',
      'localhost:80',
      1,
    ]);
  });

  it('swaps a part in one line, for every part that is built from it', () => {
    const registry = new Registry<Parts>()
      .bind('port', () => 80)
      .bind('address', ({ port }) => `localhost:${port}`);

    registry.bind('port', () => 8080);
    expect(registry.parts.address).to.equal('localhost:8080');
  });

  it('names a part that was bound nowhere, or that needs itself', () => {
    const { parts } = new Registry<Parts>().bind('address', ({ port }) => `localhost:${port}`);
    expect(() => parts.address).to.throw('the part "port" of the service is bound nowhere');
    const circle = new Registry<Parts>().bind('port', (all) => all.port);
    expect(() => circle.parts.port).to.throw();
  });

  it('does not compile with a part of another type', () => {
    const registry = new Registry<Parts>();
    // @ts-expect-error a text is no number
    registry.bind('port', () => '80');
    // @ts-expect-error a number is no clock
    registry.bind('clock', () => 80);
    // @ts-expect-error the port is a number, not a text
    registry.bind('address', ({ port }) => port.toUpperCase());
    // @ts-expect-error there is no part of that name
    registry.bind('harbour', () => 80);
    expect(registry.parts).to.have.property('clock');
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
  for (const [instant, day] of DAYS) {
    it(`of ${instant} is ${day} in São Paulo`, () => {
      expect(businessDay(Date.parse(instant))).to.equal(day);
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
