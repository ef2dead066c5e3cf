import { expect } from 'chai';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { openPostgres } from '../../adapters/persistence/engine/database.ts';
import { LocalCounters, SharedCounters } from '../../adapters/persistence/identity/counters.ts';
import type { Counters } from '../../application/counters.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { leastTimeOf } from '../support/timing.ts';

/** The length of a window in these tests, in seconds. */
const WINDOW = 2;

const onPostgres = async () => {
  const database = await openPostgres({ url: await sharedPostgres.database(), pool: 2 });
  await database.migrate();
  const process = () => new SharedCounters(database.run, WINDOW);
  return { process, close: () => database.close() };
};

const STORES: Readonly<
  Record<string, () => Promise<{ process: () => Counters; close: () => Promise<void> }>>
> = {
  memory: async () => {
    // The fake has windows of a minute, so its clock runs thirty times as fast.
    const began = performance.now();
    const clock = new MemoryClock('2026-11-20T15:00:00.000Z');
    let shown = 0;
    const now = () => {
      const elapsed = ((performance.now() - began) / 1000) * (60 / WINDOW);
      clock.advance(elapsed - shown);
      shown = elapsed;
      return MemoryClock.prototype.now.call(clock);
    };
    const counters = new MemoryCounters({ now });
    return { process: () => counters, close: async () => {} };
  },
  'this process': async () => {
    const counters = new LocalCounters(WINDOW);
    return { process: () => counters, close: async () => {} };
  },
  PostgreSQL: onPostgres,
};

for (const [name, open] of Object.entries(STORES)) {
  describe(`the counters, on ${name}`, () => {
    let store: Awaited<ReturnType<typeof open>>;
    let one: Counters;
    let other: Counters;
    before(async () => {
      store = await open();
      [one, other] = [store.process(), store.process()];
    });
    after(() => store.close());

    it('count by name, and return the seconds until the window ends', async () => {
      expect(one.read('apples').count).to.equal(0);
      const counts = [one.add('apples'), one.add('apples'), one.add('pears'), one.read('apples')];
      expect(counts.map(({ count }) => count)).to.deep.equal([1, 2, 1, 2]);
      for (const { resetsIn } of counts) expect(resetsIn).to.be.within(1, 60);
    });

    it('include the counts of all processes within one second', async () => {
      let attempts = 0;
      const shared = async (): Promise<number> => {
        attempts += 1;
        const name = `plums-${attempts}`;
        one.add(name);
        one.add(name);
        other.add(name);
        const began = performance.now();
        // A busy machine may need longer than a window; then the next attempt decides.
        const counts = (counters: Counters, count: number) =>
          within(
            async () => counters.read(name).count,
            (found) => found === count,
            1_000,
          );
        if ((await counts(other, 3)) !== 3) return Number.POSITIVE_INFINITY;
        // The first counter receives the counts of the other when it next sends its own counts.
        one.add(name);
        if ((await counts(one, 4)) !== 4) return Number.POSITIVE_INFINITY;
        return (performance.now() - began) / 2;
      };
      expect(await leastTimeOf(1_000, shared)).to.be.below(1_000);
    });

    it('start at 0 in a new window', async () => {
      one.add('cherries');
      const counted = await within(
        async () => one.read('cherries'),
        ({ count }) => count === 0,
      );
      expect(counted.count).to.equal(0);
      expect(one.add('cherries').count).to.equal(1);
    });
  });
}

describe('the counters that processes share', () => {
  it('count in the process, without waiting, while PostgreSQL is unreachable', async () => {
    let asked = 0;
    const counters = new SharedCounters(() => {
      asked += 1;
      return Promise.reject(new Error('out of reach'));
    });
    for (let count = 1; count <= 5; count += 1)
      expect(counters.add('grapes').count).to.equal(count);
    await within(
      async () => asked,
      (times) => times > 0,
    );
    expect(counters.add('grapes').count).to.equal(6);
  });
});
