import { expect } from 'chai';
import {
  awaitPayment,
  type CancellableSale,
  createSale,
  type Email,
  type PendingSale,
  paySale,
} from '#domain';
import { JobQueue } from '../../../adapters/jobs/queue.ts';
import { QUEUES } from '../../../adapters/jobs/queues.ts';
import {
  askSeldom,
  type Backlog,
  databaseFigures,
} from '../../../adapters/metrics/database-figures.ts';
import { type Database, openPostgres } from '../../../adapters/persistence/engine/database.ts';
import { queryInside } from '../../../adapters/persistence/engine/statement.ts';
import { readBacklog } from '../../../adapters/persistence/operations/backlog.ts';
import { DatabaseSales } from '../../../adapters/persistence/sales/sales.ts';
import { entry } from '../../support/identity.ts';
import { APPROVED, AT, AWAITED, cancelledOn, stateOf, terms } from '../../support/sales.ts';
import { openEmptyEmbedded, sharedPostgres } from '../../support/shared.ts';

const QUEUE_NAMES = QUEUES.map(({ name }) => name);

const EMPTY: Backlog = {
  queues: [],
  mails: [],
  webhooks: { due: 0, later: 0, oldestDueSeconds: 0 },
  openAlerts: [],
};

const DATABASES = {
  PGlite: openEmptyEmbedded,
  PostgreSQL: async () => openPostgres({ url: await sharedPostgres.migratedDatabase(), pool: 4 }),
};

for (const [name, open] of Object.entries(DATABASES))
  describe(`the figures of the database, on ${name}`, () => {
    let database: Database;
    let jobs: JobQueue;
    before(async () => {
      database = await open();
      await database.migrate();
      jobs = new JobQueue({ ...database, failed: () => {} });
      await jobs.prepare();
    });
    after(async () => {
      await jobs.stop();
      await database.close();
    });

    const run = (sql: string) => database.executor.executeSql(sql);
    const read = () => readBacklog(database.query, QUEUE_NAMES);

    it('show every queue, and nothing that waits, at first', async () => {
      const { queues, mails, webhooks } = await read();
      expect(queues.map(({ queue }) => queue)).to.have.members(QUEUE_NAMES);
      expect(
        queues.every(({ due, later, oldestDueSeconds }) => due + later + oldestDueSeconds === 0),
      ).to.be.true;
      expect(mails.map(({ waiting }) => waiting)).to.deep.equal([0, 0, 0]);
      expect(webhooks).to.deep.equal({ due: 0, later: 0, oldestDueSeconds: 0 });
    });

    it('count jobs that are due and jobs for later, and the age of the oldest', async () => {
      await run(`insert into jobs.job (name, start_after) values
        ('process-notice', now() - interval '1 hour'), ('process-notice', now() - interval '1 minute'),
        ('process-notice', now() + interval '1 hour'), ('resume-sale', now())`);
      await run(`insert into jobs.job (name, state, start_after) values
        ('process-notice', 'completed', now() - interval '2 hours'),
        ('process-notice', 'active', now() - interval '2 hours'),
        ('process-notice', 'retry', now() - interval '30 minutes')`);
      await run(`insert into mailing (sale_id, number, requested_at, status)
        select n, 0, now() - (10 - n) * interval '1 minute', 'waiting' from generate_series(1, 3) n`);
      await run(`insert into mailing (sale_id, number, requested_at, status, claimed_until)
        values (5, 0, now(), 'handed_over', now())`);
      await run(`insert into mailing (sale_id, number, requested_at, status, settled_at)
        values (4, 0, now(), 'sent', now())`);

      const { queues, mails } = await read();
      const notices = queues.find(({ queue }) => queue === 'process-notice');
      expect(notices).to.include({ due: 3, later: 1 });
      expect(notices?.oldestDueSeconds).to.be.within(3_600, 3_700);
      const [certificates, ...others] = mails;
      expect(certificates, 'claimed ones as well').to.include({ kind: 'certificate', waiting: 4 });
      expect(certificates?.oldestSeconds).to.be.within(540, 640);
      expect(others).to.deep.equal([
        { kind: 'cancellation', waiting: 0, oldestSeconds: 0 },
        { kind: 'refund', waiting: 0, oldestSeconds: 0 },
      ]);
      await run('delete from jobs.job; delete from mailing');
    });

    it('read the mails that wait, and none of those that are sent', async () => {
      await run(`
        insert into mailing (sale_id, number, requested_at, status, settled_at, channel_link)
        select n, 0, now(), 'sent', now(), 'loja' from generate_series(1, 20000) n`);
      await run(`
        insert into mailing (sale_id, number, requested_at, status, channel_link)
        select n, 0, now(), 'waiting', 'loja' || n % 3 from generate_series(20001, 20100) n`);
      await run('analyze mailing');
      const read = await database.transaction(async (inside) => {
        await readBacklog((asked, values) => queryInside(inside, asked, values), QUEUE_NAMES);
        const { rows } = await inside.executeSql(
          `select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
           where relname = 'mailing'`,
        );
        return Number((rows as readonly { read: string }[])[0]?.read);
      });
      expect(read).to.be.within(1, 2_000);
      await run('delete from mailing');
    });

    it('count webhooks to active endpoints; those of a paused one are for later', async () => {
      await run(`insert into webhook_endpoint
        (id, channel_link, url, events, created_at, sealed_secret, version, disabled_reason, disabled_at, paused_until)
        values ('a', 'c', 'https://a', '[]', now(), '', 1, null, null, null),
          ('paused', 'c', 'https://a', '[]', now(), '', 1, null, null, now() + interval '1 hour'),
          ('gone', 'c', 'https://a', '[]', now(), '', 1, 'gone', now(), null)`);
      await run(`insert into webhook_delivery (endpoint_id, place, status, created_at, next_at)
        select id, 1, 'waiting', now(), now() - interval '10 minutes' from webhook_endpoint
        union all select id, 2, 'waiting', now(), now() + interval '10 minutes' from webhook_endpoint
        union all select id, 3, 'delivered', now(), null from webhook_endpoint`);
      const { webhooks } = await read();
      expect(webhooks).to.include({ due: 1, later: 3 });
      expect(webhooks.oldestDueSeconds).to.be.within(600, 700);
    });

    it('find a due job behind many for later', async () => {
      await run(`insert into jobs.job (name, start_after)
        select 'await-payer', now() + interval '1 hour' from generate_series(1, 20100)`);
      await run(`insert into jobs.job (name, start_after)
        values ('await-payer', now() - interval '2 hours')`);
      const { queues } = await read();
      const payers = queues.find(({ queue }) => queue === 'await-payer');
      expect(payers).to.include({ due: 1, later: 20_100 });
      expect(payers?.oldestDueSeconds).to.be.within(7_200, 7_300);
      await run('truncate jobs.job');
    });

    it('find due webhooks behind many of a paused endpoint, due since a pause ended', async () => {
      await run('delete from webhook_delivery');
      await run(`insert into webhook_endpoint
        (id, channel_link, url, events, created_at, sealed_secret, version, paused_until)
        values ('back', 'c', 'https://a', '[]', now(), '', 1, now() - interval '20 minutes')`);
      await run(`insert into webhook_delivery (endpoint_id, place, status, created_at, next_at)
        select 'paused', n, 'waiting', now(), now() - interval '1 hour' from generate_series(1, 20100) n`);
      await run(`insert into webhook_delivery (endpoint_id, place, status, created_at, next_at)
        select 'back', n, 'waiting', now(), now() - interval '2 hours' from generate_series(1, 3) n`);
      const { webhooks } = await read();
      expect(webhooks).to.include({ due: 3, later: 20_000 });
      expect(webhooks.oldestDueSeconds).to.be.within(1_200, 1_300);
    });

    it('count open alerts by kind', async () => {
      expect((await read()).openAlerts).to.deep.equal([]);
      await run(`
        insert into alert (kind, subject, details, first_at, last_at, times, raise_number, status)
        select 'mail_undelivered', n::text, '{}', now(), now(), 3, n, 'open' from generate_series(1, 2) n`);
      await run(`
        insert into alert (kind, subject, details, first_at, last_at, times, raise_number, status,
          resolved_at, resolved_by, note)
        values ('sale_stuck', '6', '{}', now(), now(), 1, 3, 'resolved', now(), 'ana', 'sent again')`);
      expect((await read()).openAlerts).to.deep.equal([{ kind: 'mail_undelivered', count: 2 }]);
    });

    it('count a registration and each change of status once', async () => {
      const counted: string[] = [];
      const registered: string[] = [];
      const groups: string[] = [];
      const observer = {
        countSale: (line: string, status: string) => counted.push(`${line} ${status}`),
        countRegistered: (line: string) => registered.push(line),
        observeGroup: (kind: string, size: number, waitedMs: number) => {
          expect(waitedMs).to.be.within(0, 5_000);
          groups.push(`${kind} ${size}`);
        },
      };
      const sales = new DatabaseSales(database, (...task) => jobs.enqueue(...task), { observer });
      const idempotency = { owner: 'client', key: 'one', content: {} } as const;
      const sell = (ticket: string) => sales.register(createSale(ticket, AT, terms()), idempotency);
      const first = await sell('T-1');
      if (first.kind !== 'registered') throw new Error(first.kind);
      expect((await sell('T-2')).kind).to.equal('duplicate');
      expect(counted).to.deep.equal(['event_ticket paid']);
      expect(groups).to.deep.equal(['paid 1', 'paid 1']);

      const corrections = [{ email: 'a@example.com' as Email, at: AT }];
      const corrected = { ...first.sale, corrections } as CancellableSale;
      expect(await sales.save(corrected)).to.equal('saved');
      expect(counted, 'a change that keeps the status').to.have.length(1);

      const stale = cancelledOn(corrected, '2026-11-21');
      expect(await sales.save(stale)).to.equal('stale');
      expect(counted).to.have.length(1);
      const present = (await sales.load(first.sale.id)) as CancellableSale;
      const subject = `transaction/${present.id}`;
      const saving = { resume: true, entry: entry({ subject }) };
      expect(await sales.save(cancelledOn(present, '2026-11-21'), saving)).to.equal('saved');
      expect(counted).to.deep.equal(['event_ticket paid', 'event_ticket cancelled']);
      expect(registered).to.deep.equal(['event_ticket']);

      const byService = terms({ payment: { collectedBy: 'service', installments: 1 } });
      const pending = await sales.register(createSale('T-3', AT, byService));
      if (pending.kind !== 'registered') throw new Error(pending.kind);
      const awaiting = stateOf(awaitPayment(pending.sale as PendingSale, AWAITED));
      expect(await sales.save(stateOf(paySale(awaiting, APPROVED, AT)))).to.equal('saved');
      expect(counted.slice(2)).to.deep.equal(['event_ticket pending', 'event_ticket paid']);
      expect(registered, 'a sale that is paid later').to.have.length(2);
    });
  });

describe('the question to the database', () => {
  const check = () => Promise.resolve();
  const never = () => new Promise<never>(() => {});
  const away = () => Promise.reject(new Error('the database is away'));

  it('is asked once in a while, however often it is read', async () => {
    let asked = 0;
    const readBacklog = async () => {
      asked += 1;
      return { ...EMPTY, openAlerts: [{ kind: 'sale_stuck', count: asked }] };
    };
    const read = askSeldom({ check, readBacklog }, { askAgainMs: 100 });
    const [one, other] = await Promise.all([read(), read()]);
    expect(one).to.equal(other);
    await read();
    expect(asked).to.equal(1);
    await new Promise((resolve) => setTimeout(resolve, 110));
    expect((await read()).backlog?.openAlerts[0]?.count).to.equal(2);
  });

  it('is not waited for long, nor asked again while it is open', async () => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return never();
    };
    const questions = { check: ask, readBacklog: ask };
    const read = askSeldom(questions, { askAgainMs: 0, patienceMs: 10 });
    expect(await Promise.all([read(), read()])).to.deep.equal([{}, {}]);
    expect(databaseFigures(await read()).flatMap(({ values }) => values)).to.deep.equal([]);
    expect(asked).to.equal(1);
  });

  it('shows what was answered before while the backlog is slow', async () => {
    const answers = [Promise.resolve(EMPTY), never()];
    const readBacklog = () => answers.shift() as Promise<Backlog>;
    const read = askSeldom({ check, readBacklog }, { askAgainMs: 0, patienceMs: 10 });
    expect(await read()).to.deep.equal({ isUp: true, backlog: EMPTY });
    expect(await read()).to.deep.equal({ isUp: true, backlog: EMPTY });
    expect(answers).to.deep.equal([]);
  });

  it('finds the database up while the backlog is slow from the start, or cannot be read', async () => {
    const slow = askSeldom({ check, readBacklog: never }, { patienceMs: 10 });
    const failing = askSeldom({ check, readBacklog: away });
    for (const read of [slow, failing])
      expect(
        databaseFigures(await read()).map(({ name, values }) => [name, values[0]?.value]),
      ).to.deep.equal([['insurance_sales_database_up', 1]]);
  });

  it('may fail: then only that the database is away is shown', async () => {
    const answers = [check, away];
    const checks = () => (answers.shift() as typeof check)();
    const readBacklog = () => Promise.resolve(EMPTY);
    const read = askSeldom({ check: checks, readBacklog }, { askAgainMs: 0 });
    expect(await read()).to.deep.equal({ isUp: true, backlog: EMPTY });
    const figures = databaseFigures(await read());
    expect(figures.map(({ name, values }) => [name, values[0]?.value])).to.deep.equal([
      ['insurance_sales_database_up', 0],
    ]);
  });
});
