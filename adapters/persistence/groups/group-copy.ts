import { setTimeout as wait } from 'node:timers/promises';
import type { CopyProgress, GroupCopy } from '../../../application/all-groups/move-group.ts';
import { Unavailable } from '../../../application/unavailable.ts';
import { CONTROL_TABLES } from '../schema/control-tables.ts';
import { LateSession } from './late-session.ts';
import { refuseWrites, takeWrites } from './refuse-writes.ts';
import {
  copyName,
  dropSubscription,
  endPublishing,
  isThere,
  PUBLICATION,
  SLOT,
  SUBSCRIPTION,
} from './replication.ts';

/** Longest time that the copy may need for the last writes, ms; and pause between two looks. */
const [CATCH_UP_MS, LOOK_MS] = [5_000, 10];

/** The tables that move, apart from those of control and the versions of the tables. */
const READ_TABLES = `
  select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname = 'public' and tablename <> all ($1)
    or schemaname = 'jobs' and tablename in ('job', 'job_dependency')
  order by 1`;

const NOT_MOVED = [...CONTROL_TABLES, 'mikro_orm_migrations'];

/** Held by a session until it ends. A lock is of its database alone. */
const LOCK = `select pg_try_advisory_lock(hashtext('insurance-sales'), hashtext($1)) as "isMine"`;
const LOCKED = 'move of a group';

/** What tells the tables of two databases apart. */
const READ_VERSION = `
  select concat((select max(name) from mikro_orm_migrations), ' ', (select max(version) from jobs.version))
    as version`;

/**
 * Copies the database of a group to another server by PostgreSQL's logical replication: a
 * publication of its tables, and a subscription to it.
 */
export class LogicalCopy implements GroupCopy {
  readonly #fromUrl: string;
  readonly #from: LateSession;
  readonly #to: LateSession;
  readonly #name: string;

  constructor(fromUrl: string, toUrl: string, group: number) {
    this.#fromUrl = fromUrl;
    this.#from = new LateSession(fromUrl);
    this.#to = new LateSession(toUrl);
    this.#name = copyName(group, toUrl);
  }

  async begin(): Promise<void> {
    const { isMine } = await this.#to.one<{ isMine: boolean }>(LOCK, [LOCKED]);
    if (!isMine) throw new Error('the group is in this database already');
    await takeWrites(this.#from);
    const [{ version }, { version: copied }, { level }] = [
      await this.#from.one<{ version: string }>(READ_VERSION),
      await this.#to.one<{ version: string }>(READ_VERSION),
      await this.#from.one<{ level: string }>(`select current_setting('wal_level') as level`),
    ];
    if (level !== 'logical')
      throw new Error('set wal_level = logical on the server of the group, and restart it');
    if (version !== copied)
      throw new Error(
        `the tables of the group are of another version (${version}) than this command's (${copied})`,
      );
    const tables = (await this.#from.ask<{ name: string }>(READ_TABLES, [NOT_MOVED])).map(
      ({ name }) => name,
    );
    if (!(await isThere(this.#from, ...PUBLICATION, this.#name)))
      await this.#from.ask(
        `create publication ${this.#name} for table ${tables.join(', ')} with (publish_via_partition_root = true)`,
      );
    if (await isThere(this.#to, ...SUBSCRIPTION, this.#name)) return;
    await this.#empty(tables);
    // Made before the subscription, which cannot make a slot on its own server.
    if (!(await isThere(this.#from, ...SLOT, this.#name)))
      await this.#from.ask(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [
        this.#name,
      ]);
    // Not in the text of a statement, which the server may log with the password.
    await this.#to.ask(`select set_config('insurance_sales.source', $1, false)`, [this.#fromUrl]);
    await this.#to.ask(`
      do $$ begin
        execute format(
          'create subscription ${this.#name} connection %L publication ${this.#name}
            with (create_slot = false, synchronous_commit = on)',
          current_setting('insurance_sales.source'));
      end $$`);
  }

  async lock(): Promise<void> {
    const { isMine } = await this.#from.one<{ isMine: boolean }>(LOCK, [LOCKED]);
    if (!isMine) throw new Error('another command is moving this group');
  }

  async progress(): Promise<CopyProgress> {
    const tables = await this.#to.one<{ all: number; copied: number }>(
      `
        select count(*)::int as all, count(*) filter (where srsubstate = 'r')::int as copied
        from pg_subscription_rel where srsubid = (
          select oid from pg_subscription where subname = $1
            and subdbid = (select oid from pg_database where datname = current_database()))`,
      [this.#name],
    );
    const { failures } = await this.#to.one<{ failures: number }>(
      `
        select coalesce(sum(apply_error_count + sync_error_count), 0)::int as failures
        from pg_stat_subscription_stats where subname = $1`,
      [this.#name],
    );
    const [slot] = await this.#from.ask<{ behind: number }>(
      `
        select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::float8 as behind
        from pg_replication_slots where slot_name = $1 and wal_status <> 'lost'`,
      [this.#name],
    );
    if (slot === undefined)
      throw new Error(
        'the old server has lost the log that the copy needs: give the move up, and begin again with an empty database',
      );
    const { all, copied } = tables;
    return { tables: all, copiedTables: copied, bytesBehind: slot.behind, failures };
  }

  async runningJobs(): Promise<number> {
    return (await this.#from.one<{ running: number }>(COUNT_RUNNING)).running;
  }

  async takeOver(): Promise<void> {
    try {
      await refuseWrites(this.#from);
      await this.#catchUp();
      await this.#compareEnds();
      await this.#continueNumbers();
    } catch (error) {
      await takeWrites(this.#from);
      throw error;
    }
  }

  async release(): Promise<void> {
    await dropSubscription(this.#to, this.#name);
    await endPublishing(this.#from, this.#name);
  }

  async giveUp(): Promise<void> {
    await takeWrites(this.#from);
    // The target may be gone for good.
    await dropSubscription(this.#to, this.#name).catch(() => {});
    await endPublishing(this.#from, this.#name);
  }

  async close(): Promise<void> {
    await Promise.all([this.#from.close(), this.#to.close()]);
  }

  /** The target has what making its tables put there, and nothing else. */
  async #empty(tables: readonly string[]): Promise<void> {
    const { used } = await this.#to.one<{ used: boolean }>(
      'select exists (select from sale) or exists (select from audit_entry) as used',
    );
    if (used) throw new Error('the database is not empty: move the group to a new one');
    // Nothing is ever taken out of the audit log.
    const emptied = tables.filter((name) => name !== 'public.audit_entry');
    await this.#to.ask(`truncate ${emptied.join(', ')}`);
  }

  /** Waits until the copy has the present position on disk. */
  async #catchUp(): Promise<void> {
    const { position } = await this.#from.one<{ position: string }>(
      'select pg_current_wal_insert_lsn()::text as position',
    );
    const giveUpAt = performance.now() + CATCH_UP_MS;
    for (;;) {
      const [found] = await this.#from.ask<{ isThere: boolean }>(
        `
          select confirmed_flush_lsn >= $2::pg_lsn as "isThere" from pg_replication_slots
          where slot_name = $1`,
        [this.#name, position],
      );
      if (found?.isThere) return;
      if (performance.now() > giveUpAt)
        throw new Unavailable('the copy did not get the last writes in time');
      await wait(LOOK_MS);
    }
  }

  /** A server that has failed over may have lost what it had confirmed. */
  async #compareEnds(): Promise<void> {
    const [from, to] = [
      await this.#from.one<{ ends: string }>(READ_ENDS),
      await this.#to.one<{ ends: string }>(READ_ENDS),
    ];
    if (from.ends !== to.ends)
      throw new Unavailable('the copy lacks rows: move to another database');
  }

  async #continueNumbers(): Promise<void> {
    const sequences = await this.#from.ask<{ name: string; last: string }>(`
      select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
      from pg_sequences
      where schemaname = 'public' and data_type = 'bigint'::regtype and last_value is not null`);
    for (const { name, last } of sequences)
      await this.#to.ask('select setval($1::regclass, $2::bigint)', [name, last]);
  }
}

/** Jobs that run, and mails that are being sent. */
const COUNT_RUNNING = `
  select (select count(*)::int from jobs.job where state = 'active')
    + (select count(*)::int from mailing where claimed_until > now())
    + (select count(*)::int from cancellation_mailing where claimed_until > now())
    + (select count(*)::int from refund_mailing where claimed_until > now()) as running`;

/** The last rows of the tables that only grow. */
const READ_ENDS = `
  select concat_ws(' ', (select max(id) from sale), (select max(number) from audit_entry),
    (select max(id) from alert), (select max(place) from partner_event),
    (select max(id) from answered_request)) as ends`;
