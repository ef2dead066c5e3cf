import { setTimeout as wait } from 'node:timers/promises';
import type { CopyProgress, GroupCopy } from '../../../application/all-groups/move-group.ts';
import { Unavailable } from '../../../application/unavailable.ts';
import { CONTROL_TABLES } from '../schema/control-tables.ts';
import { LateSession } from './late-session.ts';
import { refuseWrites, takeWrites } from './refuse-writes.ts';

/** Longest time that the copy may need for the last writes, ms; and pause between two looks. */
const [CATCH_UP_MS, LOOK_MS] = [5_000, 10];

/** The tables that move, apart from those of control and the versions of the tables. */
const READ_TABLES = `
  select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname = 'public' and tablename <> all ($1)
    or schemaname = 'jobs' and tablename in ('job', 'job_dependency')
  order by 1`;

const NOT_MOVED = [...CONTROL_TABLES, 'mikro_orm_migrations'];

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
  /** Of the publication, the subscription and its slot. */
  readonly #name: string;

  constructor(fromUrl: string, toUrl: string, group: number) {
    this.#fromUrl = fromUrl;
    this.#from = new LateSession(fromUrl);
    this.#to = new LateSession(toUrl);
    this.#name = copyName(group);
  }

  async begin(): Promise<void> {
    await this.#lock();
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
    if (!(await isThere(this.#from, 'pg_publication', 'pubname', this.#name)))
      await this.#from.ask(
        `create publication ${this.#name} for table ${tables.join(', ')} with (publish_via_partition_root = true)`,
      );
    if (await isThere(this.#to, 'pg_subscription', 'subname', this.#name)) return;
    await this.#empty(tables);
    // Apart from the subscription, which could not make it on its own server.
    if (!(await isThere(this.#from, 'pg_replication_slots', 'slot_name', this.#name)))
      await this.#from.ask(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [
        this.#name,
      ]);
    await this.#to.ask(
      `create subscription ${this.#name} connection ${quoted(this.#fromUrl)}
      publication ${this.#name} with (create_slot = false, synchronous_commit = on)`,
    );
  }

  /** @throws Error where another command moves the group, or both are the same database */
  async #lock(): Promise<void> {
    const lock = `select pg_try_advisory_lock(hashtext('insurance-sales'), hashtext($1)) as "isMine"`;
    const [from, to] = [
      await this.#from.one<{ isMine: boolean }>(lock, [this.#name]),
      await this.#to.one<{ isMine: boolean }>(lock, [this.#name]),
    ];
    if (!from.isMine) throw new Error('another command is moving this group');
    if (!to.isMine) throw new Error('the group is in this database already');
  }

  async progress(): Promise<CopyProgress> {
    const tables = await this.#to.one<{ all: number; copied: number }>(
      `
        select count(*)::int as all, count(*) filter (where srsubstate = 'r')::int as copied
        from pg_subscription_rel where srsubid = (select oid from pg_subscription where subname = $1)`,
      [this.#name],
    );
    const { failures } = await this.#to.one<{ failures: number }>(
      `
        select coalesce(sum(apply_error_count + sync_error_count), 0)::int as failures
        from pg_stat_subscription_stats where subname = $1`,
      [this.#name],
    );
    const { behind } = await this.#from.one<{ behind: number }>(
      `
        select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::float8 as behind
        from pg_replication_slots where slot_name = $1`,
      [this.#name],
    );
    return { tables: tables.all, copiedTables: tables.copied, bytesBehind: behind, failures };
  }

  async runningJobs(): Promise<number> {
    const text = `select count(*)::int as running from jobs.job where state = 'active'`;
    return (await this.#from.one<{ running: number }>(text)).running;
  }

  async takeOver(): Promise<void> {
    try {
      await refuseWrites(this.#from);
      await this.#catchUp();
      await this.#continueNumbers();
    } catch (error) {
      await takeWrites(this.#from);
      throw error;
    }
  }

  async release(): Promise<void> {
    await dropSubscription(this.#to, this.#name);
    await this.#from.ask(`drop publication if exists ${this.#name}`);
  }

  async giveUp(): Promise<void> {
    // The target may be gone for good.
    await dropSubscription(this.#to, this.#name).catch(() => {});
    await this.#from.ask(
      `
        select pg_terminate_backend(active_pid, 2000) from pg_replication_slots
        where slot_name = $1 and active`,
      [this.#name],
    );
    await this.#from.ask(
      `
        select pg_drop_replication_slot(slot_name) from pg_replication_slots
        where database = current_database() and not active
          and (slot_name = $1 or slot_name like 'pg\\_%\\_sync\\_%')`,
      [this.#name],
    );
    await this.#from.ask(`drop publication if exists ${this.#name}`);
    await takeWrites(this.#from);
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
      'select pg_current_wal_lsn()::text as position',
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

  async #continueNumbers(): Promise<void> {
    const sequences = await this.#from.ask<{ name: string; last: string }>(`
      select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
      from pg_sequences
      where schemaname = 'public' and data_type = 'bigint'::regtype and last_value is not null`);
    for (const { name, last } of sequences)
      await this.#to.ask('select setval($1::regclass, $2::bigint)', [name, last]);
  }
}

const copyName = (group: number): string => `insurance_sales_group_${group}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const isThere = async (
  session: LateSession,
  catalog: string,
  column: string,
  name: string,
): Promise<boolean> =>
  (await session.ask(`select 1 from ${catalog} where ${column} = $1`, [name])).length > 0;

/** Also where the server that it follows is gone. */
const dropSubscription = async (session: LateSession, name: string): Promise<void> => {
  if (!(await isThere(session, 'pg_subscription', 'subname', name))) return;
  try {
    await session.ask(`drop subscription ${name}`);
  } catch {
    await session.ask(`alter subscription ${name} disable`);
    await session.ask(`alter subscription ${name} set (slot_name = none)`);
    await session.ask(`drop subscription ${name}`);
  }
};

/** Drops what a move that was interrupted at its end left in the database of a group. @throws Unavailable */
export const tidyCopy = async (url: string, group: number): Promise<void> => {
  const session = new LateSession(url);
  try {
    await dropSubscription(session, copyName(group));
  } finally {
    await session.close();
  }
};
