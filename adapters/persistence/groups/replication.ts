import { createHash } from 'node:crypto';
import { LateSession } from './late-session.ts';

/**
 * The name of the publication, the subscription and the slot of a copy. Another for each target: one
 * that was given up must not take the slot of the next.
 */
export const copyName = (group: number, toUrl: string): string => {
  const digest = createHash('sha256').update(toUrl).digest('hex');
  return `insurance_sales_group_${group}_${digest.slice(0, 12)}`;
};

/** A catalog of PostgreSQL, and its column with the name. */
export const SUBSCRIPTION = ['pg_subscription', 'subname'] as const;
export const SLOT = ['pg_replication_slots', 'slot_name'] as const;
export const PUBLICATION = ['pg_publication', 'pubname'] as const;

/** What limits a catalog of the whole server to the present database. */
const OWN_DATABASE: Readonly<Record<string, string>> = {
  pg_subscription: 'subdbid = (select oid from pg_database where datname = current_database())',
  pg_replication_slots: 'database = current_database()',
};

export const isThere = async (
  session: LateSession,
  catalog: string,
  column: string,
  name: string,
): Promise<boolean> =>
  (
    await session.ask(
      `select 1 from ${catalog} where ${column} = $1 and ${OWN_DATABASE[catalog] ?? 'true'}`,
      [name],
    )
  ).length > 0;

/**
 * Drops the slot and the publication of a copy at the server that it follows.
 *
 * @throws Error if the slot cannot be dropped: because of it the server would keep all its log
 */
export const endPublishing = async (session: LateSession, name: string): Promise<void> => {
  await session.ask(
    `
      select pg_terminate_backend(active_pid, 2000) from pg_replication_slots
      where slot_name = $1 and active and database = current_database()`,
    [name],
  );
  await session.ask(
    `
      select pg_drop_replication_slot(slot_name) from pg_replication_slots
      where database = current_database() and not active
        and (slot_name = $1 or slot_name like 'pg\\_%\\_sync\\_%')`,
    [name],
  );
  await session.ask(`drop publication if exists ${name}`);
  if (await isThere(session, ...SLOT, name))
    throw new Error(`drop the replication slot ${name} on the old server by hand`);
};

/** Drops the subscription of a copy, also where the server that it follows is gone. */
export const dropSubscription = async (session: LateSession, name: string): Promise<void> => {
  if (!(await isThere(session, ...SUBSCRIPTION, name))) return;
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
    await dropSubscription(session, copyName(group, url));
  } finally {
    await session.close();
  }
};
