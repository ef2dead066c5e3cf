import { expect } from 'chai';
import type { Instant } from '#domain';
import { JobQueue } from '../../adapters/jobs/queue.ts';
import type { Workers } from '../../adapters/jobs/workers.ts';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import { DatabaseSaleJobs } from '../../adapters/persistence/sales/sale-jobs.ts';
import { withoutChance } from '../support/chance.ts';
import { expectError } from '../support/expected-error.ts';
import { openEmptyEmbedded } from '../support/shared.ts';
import { within } from '../support/stores.ts';

interface Row {
  readonly name: string;
  readonly state: string;
  readonly data: { readonly saleId?: number };
}

describe('the job queue', () => {
  let database: Database;
  let queue: JobQueue;
  const seen: string[] = [];
  const waiting: string[] = [];
  const asked: number[] = [];
  let watched = 0;
  let replaySteps = 0;
  let settled = 0;
  let digests = 0;
  let outcome: Awaited<ReturnType<Workers['resumeSale']>> | Error = 'done';
  before(async () => {
    database = await openEmptyEmbedded();
    queue = new JobQueue({
      ...database,
      failed: (error) => seen.push(`failed: ${(error as Error).message}`),
    });
    await queue.prepare();
    await queue.work({
      resumeSale: async (id) => {
        seen.push(`resume ${id}`);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      processNotice: async (id) => {
        seen.push(`notice ${id}`);
        return 'done';
      },
      deliver: async ({ id }) => {
        seen.push(`deliver ${id}`);
        return 'done';
      },
      stuck: async (id, tries) => {
        seen.push(`stuck ${id} after ${tries}`);
      },
      findStuck: async (saleId) => {
        seen.push(`find ${saleId}`);
        return saleId === 5 ? { id: 7, times: 2 } : undefined;
      },
      unstuck: async ({ id, times }, tries) => {
        seen.push(`went on after ${tries}: ${id}, ${times}`);
      },
      followSales: async () => 'done',
      followBookings: async () => 'done',
      settleAlerts: async () => {
        settled += 1;
      },
      notifyOperators: async () => {
        digests += 1;
        return digests < 3 ? 'more' : 'done';
      },
      sendMails: async (limit) => {
        asked.push(limit);
        return waiting.splice(0, limit).length;
      },
      watchLegalClocks: async () => {
        watched += 1;
      },
      givePlaces: async () => 'done',
      dueEndpoints: async () => [],
      sendWebhooks: async () => {},
      replayEvents: async () => {
        replaySteps += 1;
        return replaySteps < 4 ? 'more' : 'done';
      },
    });
  });
  after(async () => {
    await queue.stop();
    await database.close();
  });
  beforeEach(async () => {
    await database.executor.executeSql('delete from jobs.job', []);
    seen.length = 0;
  });

  const jobs = async (): Promise<readonly Row[]> =>
    (
      await database.executor.executeSql(
        'select name, state, data from jobs.job order by created_on',
      )
    ).rows as Row[];
  const states = async () => (await jobs()).map(({ name, state }) => `${name} ${state}`);
  const resume = (saleId: number) =>
    database.transaction((inside) => queue.enqueue([{ kind: 'resume_sale', saleId }], inside));
  const until = (fits: () => Promise<boolean>) => within(fits, (done) => done);

  it('looks at the time limits of the law when it starts', async () => {
    await until(async () => watched > 0);
    expect(watched).to.equal(1);
  });

  it('settles alerts when it starts, and tells of one kind after the other', async () => {
    await until(async () => settled > 0 && digests >= 3);
    expect([settled, digests]).to.deep.equal([1, 3]);
  });

  it('does the steps of a replay one after the other', async () => {
    await until(async () => replaySteps >= 4);
  });

  it('does the jobs of a committed transaction, and none of one that was rolled back', async () => {
    outcome = 'done';
    await resume(1);
    await database.transaction((inside) =>
      queue.enqueue([{ kind: 'process_notice', noticeId: 'evt', gateway: 'asaas' }], inside),
    );
    await queue.enqueueDelivery({ id: 'd', event: 'e', reference: 'r', chargeId: 'c' }, 0);
    const givenUp = database.transaction(async (inside) => {
      await queue.enqueue([{ kind: 'resume_sale', saleId: 2 }], inside);
      throw new Error('given up');
    });
    expect((await expectError(givenUp)).message).to.equal('given up');
    await until(
      async () => (await states()).filter((each) => each.endsWith('completed')).length === 3,
    );
    expect(seen).to.have.members(['resume 1', 'notice evt', 'deliver d']);
  });

  it('retries jobs that end with `later` or throw, and stores no message of an error', async () => {
    for (const each of ['later', new Error('4111111111111111')] as const) {
      outcome = each;
      await resume(3);
      await until(async () => (await states()).includes('resume-sale retry'));
      const { rows } = await database.executor.executeSql(
        'select each::text from jobs.job as each',
      );
      expect(withoutChance(rows)).not.to.include('4111');
      outcome = 'done';
      await database.executor.executeSql('update jobs.job set start_after = now()', []);
      await until(async () => (await states()).includes('resume-sale completed'));
      await database.executor.executeSql('delete from jobs.job', []);
    }
  });

  it('tells of a sale how often it was tried, and when it is tried next', async () => {
    const saleJobs = new DatabaseSaleJobs(database, (...task) => queue.enqueue(...task));
    outcome = 'later';
    await resume(12);
    await until(async () => (await states()).includes('resume-sale retry'));
    const job = await saleJobs.find(12);
    expect(job?.tries).to.be.at.least(1);
    expect(Date.parse(job?.nextAt ?? '')).to.be.above(Date.now() - 5_000);
    expect(await saleJobs.find(13)).to.equal(undefined);

    await saleJobs.ensure(12);
    expect(await jobs()).to.have.length(1);
    outcome = { kind: 'await_payer' };
    await database.executor.executeSql('update jobs.job set start_after = now()', []);
    await until(async () => (await states()).includes('resume-sale completed'));
    expect(await saleJobs.find(12)).to.deep.include({ tries: 0 });
    await database.executor.executeSql('delete from jobs.job', []);
    expect(await saleJobs.find(12)).to.equal(undefined);
  });

  it('resumes a sale that waits for its payer when its payer can no longer pay', async () => {
    const closesAt = '2099-01-01T02:59:59.000Z' as Instant;
    outcome = { kind: 'await_payer', closesAt };
    await resume(9);
    const planned = async () => {
      const { rows } = await database.executor.executeSql(
        `select start_after from jobs.job where name = 'resume-sale' and start_after > '2098-01-01'`,
        [],
      );
      return (rows as { start_after: string }[]).map((row) =>
        new Date(row.start_after).toISOString(),
      );
    };
    await until(async () => (await planned()).length > 0);
    expect(await planned()).to.deep.equal([closesAt]);
    await database.executor.executeSql('delete from jobs.job', []);
  });

  it('checks a sale that waits for its payer at intervals, and resumes it soon when it can go on', async () => {
    outcome = { kind: 'await_payer' };
    await resume(4);
    await until(
      async () => (await states()).join() === 'resume-sale completed,await-payer created',
    );
    await database.executor.executeSql(
      `update jobs.job set start_after = now() where name = 'await-payer'`,
      [],
    );
    await until(async () => (await states()).includes('await-payer retry'));
    outcome = 'later';
    await database.executor.executeSql(
      `update jobs.job set start_after = now() where name = 'await-payer'`,
      [],
    );
    await until(async () => (await states()).includes('await-payer completed'));
    const again = (await jobs()).filter(
      ({ name, state }) => name === 'resume-sale' && state !== 'completed',
    );
    expect(again.map(({ data }) => data)).to.deep.equal([{ saleId: 4 }]);
  });

  it('reports a sale that was tried many times without success', async () => {
    outcome = 'later';
    await resume(5);
    await until(async () => (await states()).includes('resume-sale retry'));
    await database.executor.executeSql(
      'update jobs.job set retry_count = 24, start_after = now()',
      [],
    );
    await until(async () => seen.includes('stuck 5 after 25'));
    expect(seen).to.include('stuck 5 after 25');
    expect(
      seen.filter((each) => each === 'find 5'),
      'at the last try',
    ).to.have.length(1);
    outcome = 'done';
    await until(async () => (await states()).includes('resume-sale retry'));
    await database.executor.executeSql('update jobs.job set start_after = now()', []);
    await until(async () => (await states()).includes('resume-sale completed'));
    // What was raised while the sale was resumed is not seen, and stays.
    const last = ['find 5', 'resume 5', 'went on after 26: 7, 2'];
    expect(seen.slice(-3)).to.deep.equal(last);
  });

  it('sends mails in steps, one after the other while more are due', async () => {
    asked.length = 0;
    waiting.push(...Array.from({ length: 250 }, (_, index) => `${index}`));
    await until(async () => waiting.length === 0 && asked.length >= 3);
    expect(asked.slice(0, 3)).to.deep.equal([100, 100, 100]);
  });

  it('retries the jobs that a killed process left active', async () => {
    outcome = 'done';
    await database.transaction((inside) =>
      queue.enqueue(
        [{ kind: 'resume_sale', saleId: 6, notBefore: '2199-01-01T00:00:00.000Z' as never }],
        inside,
      ),
    );
    await database.executor.executeSql(
      `update jobs.job set state = 'active', started_on = now()`,
      [],
    );
    const next = new JobQueue({ ...database, failed: () => {} });
    await next.prepare();
    await until(async () => seen.includes('resume 6'));
    await next.stop();
    expect(seen).to.deep.equal(['resume 6']);
  });
});
