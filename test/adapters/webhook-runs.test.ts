import { expect } from 'chai';
import { JobQueue } from '../../adapters/jobs/queue.ts';
import { WEBHOOK_RUNS } from '../../adapters/jobs/queues.ts';
import { WebhookRuns } from '../../adapters/jobs/webhook-runs.ts';
import type { Workers } from '../../adapters/jobs/workers.ts';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import type { SendingRun } from '../../application/webhooks/send-deliveries.ts';
import { openEmptyEmbedded, sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const unused = async (): Promise<never> => {
  throw new Error('not part of this test');
};

/** The endpoints that have something due, and what their runs do. */
class Endpoints {
  /** By id: whether it fails. */
  readonly due = new Map<string, boolean>();
  readonly runs: SendingRun[] = [];
  #open = 0;
  mostOpen = 0;
  work: (run: SendingRun) => Promise<void> = async () => {};

  add(ids: readonly string[], isFailing = false): void {
    for (const id of ids) this.due.set(id, isFailing);
  }

  countOf(id: string): number {
    return this.runs.filter(({ endpointId }) => endpointId === id).length;
  }

  readonly workers: Workers = {
    ...{ resumeSale: unused, processNotice: unused, deliver: unused, mail: unused },
    ...{
      stuck: unused,
      findStuck: unused,
      unstuck: unused,
      watchLegalClocks: async () => {},
    },
    ...{
      sendMails: async () => 0,
      settleAlerts: async () => {},
      notifyOperators: async () => 'done',
      givePlaces: async () => 'done',
      replayEvents: async () => 'done',
      followSales: async () => 'done',
      followBookings: async () => 'done',
    },
    dueEndpoints: async (limit) =>
      [...this.due].slice(0, limit).map(([id, isFailing]) => ({ id, isFailing })),
    sendWebhooks: async (run) => {
      this.runs.push(run);
      this.#open += 1;
      this.mostOpen = Math.max(this.mostOpen, this.#open);
      try {
        await this.work(run);
        this.due.delete(run.endpointId);
      } finally {
        this.#open -= 1;
      }
    },
  };
}

const named = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The part of pg-boss that runs need, with the jobs in memory. */
class MemoryJobs {
  readonly jobs = new Map<string, { id: string; data: { endpointId: string }; queue: string }>();
  readonly #fetched = new Set<string>();
  #last = 0;

  async insert(queue: string, jobs: readonly { data?: object | null }[]): Promise<null> {
    for (const { data } of jobs) {
      const { endpointId } = data as { endpointId: string };
      const has = [...this.jobs.values()].some((job) => job.data.endpointId === endpointId);
      if (has) continue;
      this.#last += 1;
      this.jobs.set(`${this.#last}`, { id: `${this.#last}`, data: { endpointId }, queue });
    }
    return null;
  }

  async fetch(queue: string, { batchSize }: { batchSize: number }): Promise<object[]> {
    const waiting = [...this.jobs.values()].filter((job) => job.queue === queue);
    const jobs = waiting.filter(({ id }) => !this.#fetched.has(id)).slice(0, batchSize);
    for (const { id } of jobs) this.#fetched.add(id);
    return jobs;
  }

  async deleteJob(_: string, jobs: readonly { id: string }[]): Promise<void> {
    for (const { id } of jobs) this.jobs.delete(id);
  }

  async touch(): Promise<void> {}

  async fail(): Promise<void> {}
}

describe('the runs that send webhooks', () => {
  const { now } = performance;
  let aheadMs: number;

  beforeEach(() => {
    aheadMs = 0;
    performance.now = () => now.call(performance) + aheadMs;
  });
  afterEach(() => {
    performance.now = now;
  });

  it('give up runs that do not end, and leave their slots to others', async () => {
    const [endpoints, boss] = [new Endpoints(), new MemoryJobs()];
    const failures: unknown[] = [];
    const parts = boss as unknown as ConstructorParameters<typeof WebhookRuns>[0];
    const runs = new WebhookRuns(parts, endpoints.workers, (error) => failures.push(error));
    const look = async (): Promise<void> => {
      // Endpoints that have not answered count no more.
      aheadMs += 200;
      await runs.look();
      await pause(0);
    };
    let [isBroken, ends] = [true, (): void => {}];
    const held = new Promise<void>((resolve) => {
      ends = resolve;
    });
    endpoints.work = () => (isBroken ? held : Promise.resolve());

    for (const [index, { isFailing, mostOpen }] of WEBHOOK_RUNS.entries())
      endpoints.add(named(`held-${index}`, mostOpen), isFailing);
    const all = endpoints.due.size;
    for (let count = 0; count < 200 && endpoints.runs.length < all; count += 1) await look();
    expect(endpoints.runs).to.have.length(all);

    isBroken = false;
    endpoints.add(['other']);
    endpoints.add(['other-failing'], true);
    await look();
    expect(endpoints.runs).to.have.length(all);
    expect(failures).to.deep.equal([]);

    aheadMs += 61_000;
    for (let count = 0; count < 200 && endpoints.due.size > 0; count += 1) await look();
    expect(failures).to.have.length(all);
    expect(endpoints.due.size).to.equal(0);
    for (const id of ['other', 'other-failing', 'held-0-0', 'held-1-0'])
      expect(endpoints.countOf(id), id).to.equal(id.startsWith('held') ? 2 : 1);

    // They end after all, and nothing is left.
    ends();
    await look();
    expect(boss.jobs.size).to.equal(0);
    expect(failures).to.have.length(all);
    await runs.stop();
  });

  /** Blocks the event loop longer than a run counts as active without an answer. */
  const standStill = (): void => {
    const until = now.call(performance) + 150;
    while (now.call(performance) < until);
  };

  /** Begins to block the event loop now and then. @returns the function that ends it */
  const PAUSES: Readonly<Record<string, (boss: MemoryJobs) => () => void>> = {
    'while jobs are fetched': (boss) => {
      const fetch = boss.fetch.bind(boss);
      boss.fetch = async (...given) => {
        const jobs = await fetch(...given);
        standStill();
        return jobs;
      };
      return () => {};
    },
    'in each of its turns': () => {
      let next: NodeJS.Immediate;
      const turn = (): void => {
        standStill();
        next = setImmediate(turn);
      };
      next = setImmediate(turn);
      return () => clearImmediate(next);
    },
  };

  for (const [when, begin] of Object.entries(PAUSES))
    it(`keep their limit when the event loop stands still ${when}`, async () => {
      const [endpoints, boss] = [new Endpoints(), new MemoryJobs()];
      const end = begin(boss);
      const parts = boss as unknown as ConstructorParameters<typeof WebhookRuns>[0];
      const runs = new WebhookRuns(parts, endpoints.workers, () => {});
      endpoints.work = async ({ onAnswered }) => {
        // Far more often than a run has to answer, so that a busy machine does not matter.
        for (let count = 0; count < 48; count += 1) {
          await pause(5);
          onAnswered();
        }
      };
      endpoints.add(named('working', 40));
      await runs.look();
      await within(
        async () => endpoints.due.size,
        (size) => size === 0,
      );
      end();
      expect(endpoints.runs).to.have.length(40);
      expect(endpoints.mostOpen).to.be.within(2, WEBHOOK_RUNS[0].pace.max);
      await runs.stop();
    });
});

const STORES: Readonly<Record<string, () => Promise<Database>>> = {
  PGlite: openEmptyEmbedded,
  PostgreSQL: async () => openPostgres({ url: await sharedPostgres.migratedDatabase(), pool: 4 }),
};

for (const [store, open] of Object.entries(STORES)) {
  describe(`the jobs that send webhooks, on ${store}`, () => {
    let database: Database;
    let endpoints: Endpoints;
    let queues: JobQueue[] = [];
    let failures: number;

    const start = async (): Promise<JobQueue> => {
      const queue = new JobQueue({
        ...database,
        failed: () => {
          failures += 1;
        },
      });
      await queue.prepare();
      await queue.work(endpoints.workers);
      queues.push(queue);
      return queue;
    };
    const jobs = async (): Promise<readonly { name: string; state: string; key: string }[]> =>
      (
        await database.executor.executeSql(`
          select name, state::text, singleton_key as key from jobs.job
          where name like 'send-webhooks%'`)
      ).rows as { name: string; state: string; key: string }[];
    const ran = (ids: readonly string[]) =>
      within(
        async () => ids.filter((id) => endpoints.countOf(id) > 0).length,
        (count) => count === ids.length,
      );

    before(async () => {
      database = await open();
    });
    after(() => database.close());
    beforeEach(() => {
      endpoints = new Endpoints();
      failures = 0;
    });
    afterEach(async () => {
      await Promise.all(queues.map((queue) => queue.stop()));
      queues = [];
      await database.executor.executeSql('delete from jobs.job');
    });

    it('run once for each endpoint that has something due, and leave nothing behind', async () => {
      await start();
      const ids = named('once', 60);
      endpoints.add(ids);
      expect(await ran(ids)).to.equal(60);
      await within(jobs, ({ length }) => length === 0);
      expect(await jobs()).to.deep.equal([]);
      expect(endpoints.runs).to.have.length(60);
      endpoints.add(['once-7']);
      await within(
        async () => endpoints.countOf('once-7'),
        (count) => count === 2,
      );
      expect(endpoints.countOf('once-7')).to.equal(2);
      expect(failures).to.equal(0);
    });

    it('do not wait for endpoints that do not answer', async () => {
      await start();
      const [hanging, others] = [named('hanging', 40), named('other', 40)];
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      endpoints.work = ({ endpointId }) =>
        endpointId.startsWith('hanging') ? held : Promise.resolve();
      endpoints.add(hanging);
      expect(await ran(hanging)).to.equal(40);
      endpoints.add(others);
      expect(await ran(others)).to.equal(40);
      expect(hanging.map((id) => endpoints.countOf(id))).to.deep.equal(Array(40).fill(1));
      release();
    });

    it('have a limit for those that work, and others for endpoints that fail', async () => {
      await start();
      const [fine, failing] = WEBHOOK_RUNS;
      endpoints.work = async ({ onAnswered }) => {
        for (let count = 0; count < 6; count += 1) {
          await pause(40);
          onAnswered();
        }
      };
      endpoints.add(named('working', 40));
      await ran(named('working', 40));
      expect(endpoints.mostOpen).to.be.within(2, fine.pace.max);

      await within(
        async () => endpoints.due.size,
        (size) => size === 0,
      );
      endpoints.mostOpen = 0;
      endpoints.add(named('failing', 12), true);
      await ran(named('failing', 12));
      expect(endpoints.mostOpen).to.be.within(1, failing.pace.max);
      const kinds = new Set(endpoints.runs.slice(40).map(({ isFailing }) => isFailing));
      expect(kinds).to.deep.equal(new Set([true]));
    });

    it('are repeated when they fail, after a pause', async () => {
      await start();
      endpoints.work = async () => {
        if (endpoints.runs.length < 3) throw new Error('out of reach');
      };
      endpoints.add(['throwing']);
      await within(
        async () => endpoints.countOf('throwing'),
        (count) => count >= 3,
      );
      expect(endpoints.countOf('throwing')).to.equal(3);
      expect(failures).to.equal(2);
    });

    it('end when the process stops, or are given back', async () => {
      const queue = await start();
      const stopped: string[] = [];
      endpoints.work = ({ endpointId, stopping }) =>
        new Promise((resolve) => {
          if (endpointId === 'deaf') return;
          stopping.addEventListener('abort', () => {
            stopped.push(endpointId);
            resolve();
          });
        });
      endpoints.add(['polite', 'deaf']);
      await ran(['polite', 'deaf']);
      expect((await jobs()).map(({ state }) => state)).to.deep.equal(['active', 'active']);
      await queue.stop();
      queues = [];
      expect(stopped).to.deep.equal(['polite']);
      expect(await jobs()).to.deep.equal([]);
    });

    if (store === 'PostgreSQL')
      it('run in one process at a time, and go on in another one after a crash', async () => {
        const [one, other] = [await start(), await start()];
        expect(one).not.to.equal(other);
        const open = new Map<string, number>();
        let doubled = 0;
        endpoints.work = async ({ endpointId }) => {
          open.set(endpointId, (open.get(endpointId) ?? 0) + 1);
          doubled += (open.get(endpointId) ?? 0) > 1 ? 1 : 0;
          await pause(150);
          open.set(endpointId, 0);
        };
        const ids = named('shared', 30);
        for (let round = 0; round < 4; round += 1) {
          endpoints.add(ids);
          await within(
            async () => endpoints.due.size,
            (size) => size === 0,
          );
        }
        expect(doubled).to.equal(0);

        // A process that takes a job and says nothing any more.
        await database.executor.executeSql(`
          insert into jobs.job (name, singleton_key, data, state, policy, started_on, heartbeat_on,
            heartbeat_seconds, expire_seconds, retry_limit)
          select name, 'crashed', '{"endpointId":"crashed"}', 'active', policy, now(),
            now() - interval '9 seconds', 10, 120, 100 from jobs.queue where name = 'send-webhooks'`);
        endpoints.add(['crashed']);
        await ran(['crashed']);
        expect(endpoints.countOf('crashed')).to.equal(1);
      });
  });
}
