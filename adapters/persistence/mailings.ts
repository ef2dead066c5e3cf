import { type Instant, instantOf } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type {
  CopyKey,
  CopyOutcome,
  CopyRequest,
  Mailing,
  MailingName,
  MailingQuery,
  MailingStatus,
  Mailings,
} from '../../application/mail/mailings.ts';
import { entryFor, entryJson } from './audit-log.ts';
import type { Database } from './database.ts';
import type { Executor } from './statement.ts';

const COLUMNS = 'sale_id::text, number, requested_at, status, failures, settled_at, reason';

/** Whoever asks for a copy of a sale waits for whoever asked before: so they are counted one by one. */
const queueUp = `select pg_advisory_xact_lock(hashtext('mailing'), ($1::bigint % 2147483647)::int)`;

const keyed = `select ${COLUMNS} from mailing where client_id = $1 and idempotency_key = $2`;

const recent = `
  select requested_at from mailing where sale_id = $1 and number > 0 and requested_at > $2
  order by requested_at desc limit $3`;

const add = `
  insert into mailing (sale_id, number, requested_at, status, client_id, idempotency_key)
  select $1::bigint, coalesce(max(number), 0) + 1, $2, 'waiting', $3, $4 from mailing where sale_id = $1
  on conflict do nothing
  returning ${COLUMNS}`;

const find = {
  name: 'find-mailing',
  text: `select ${COLUMNS} from mailing where sale_id = $1 and number = $2`,
};

const noteFailure = {
  name: 'note-mailing-failure',
  text: `
    update mailing set failures = failures + 1, reason = $3
    where sale_id = $1 and number = $2 and status in ('waiting', 'handed_over')`,
};

const settle = {
  name: 'settle-mailing',
  text: `
    update mailing set status = $3, settled_at = $4, reason = $5
    where sale_id = $1 and number = $2 and status in ('waiting', 'handed_over')`,
};

const retry = {
  name: 'retry-mailing',
  text: `
    with changed as (
      update mailing set status = 'waiting', settled_at = null, reason = null, failures = 0
      where sale_id = $1 and number = $2 and status = 'undelivered' returning sale_id
    ), entry as (${entryFor('changed', '$3')}) select sale_id from changed`,
};

// In the order of the column: `sale_id` alone would be its text, which is answered.
const list = {
  name: 'list-mailings',
  text: `
    select ${COLUMNS} from mailing
    where ($1::text is null or status = $1 or ($1 = 'waiting' and status = 'handed_over')) and ($2::bigint is null or sale_id = $2)
      and ($3::bigint is null or (sale_id, number) < ($3, $4::integer))
    order by mailing.sale_id desc, number desc limit $5`,
};

const anyWaiting = {
  name: 'any-mailing-waiting',
  text: `select 1 from mailing where status = 'waiting' limit 1`,
};

const handOver = `
  update mailing set status = 'handed_over' where (sale_id, number) in (
    select sale_id, number from mailing where status = 'waiting' order by number = 0, sale_id, number limit $1 for update skip locked
  ) returning sale_id::text, number`;

interface Row {
  readonly sale_id: string;
  readonly number: number;
  readonly requested_at: Date | string;
  readonly status: MailingStatus | 'handed_over';
  readonly failures: number;
  readonly settled_at: Date | string | null;
  readonly reason: string | null;
}

/** The mailings, and their way to whoever sends them: to that they are handed over in the transaction that writes it down. */
export class DatabaseMailings implements Mailings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  requestCopy({ saleId, at, key, limit }: CopyRequest): Promise<CopyOutcome> {
    return this.#database.transaction(async (inside) => {
      await inside.executeSql(queueUp, [saleId]);
      const repeated = key && (await earlier(inside, key));
      if (repeated)
        return repeated.saleId === saleId
          ? { kind: 'repeated', mailing: repeated }
          : conflict(repeated);
      const counted = (await inside.executeSql(recent, [saleId, limit.since, limit.most]))
        .rows as Pick<Row, 'requested_at'>[];
      const earliest = counted.at(limit.most - 1);
      if (earliest) return { kind: 'too_many', earliest: instantFrom(earliest.requested_at) };
      const { rows } = await inside.executeSql(add, [
        saleId,
        at,
        key?.clientId ?? null,
        key?.key ?? null,
      ]);
      const [added] = rows as Row[];
      if (added) return { kind: 'requested', mailing: fromRow(added) };
      // The key was used for another sale, this very moment.
      return conflict((await earlier(inside, key as CopyKey)) as Mailing);
    });
  }

  async find({ saleId, number }: MailingName): Promise<Mailing | undefined> {
    const [row] = await this.#database.run<Row>(find, [saleId, number]);
    return row && fromRow(row);
  }

  async noteFailure({ saleId, number }: MailingName, reason: string): Promise<void> {
    await this.#database.run(noteFailure, [saleId, number, reason]);
  }

  async settle(
    { saleId, number }: MailingName,
    status: MailingStatus,
    at: Instant,
    reason?: string,
  ): Promise<void> {
    await this.#database.run(settle, [saleId, number, status, at, reason ?? null]);
  }

  async retry(
    { saleId, number }: MailingName,
    entry: AuditEntry,
  ): Promise<'waiting' | 'not_undelivered'> {
    const changed = await this.#database.run(retry, [saleId, number, entryJson(entry)]);
    return changed.length === 1 ? 'waiting' : 'not_undelivered';
  }

  async list({ status, saleId, before, limit }: MailingQuery): Promise<readonly Mailing[]> {
    const values = [
      status ?? null,
      saleId ?? null,
      before?.saleId ?? null,
      before?.number ?? null,
      limit,
    ];
    return (await this.#database.run<Row>(list, values)).map(fromRow);
  }

  /** Hands over what waits, so many at most, second copies first. */
  async handOver(
    most: number,
    take: (names: readonly MailingName[], inside: Executor) => Promise<void>,
  ): Promise<void> {
    if ((await this.#database.run(anyWaiting, [])).length === 0) return;
    await this.#database.transaction(async (inside) => {
      const { rows } = await inside.executeSql(handOver, [most]);
      const names = (rows as Row[]).map(({ sale_id, number }) => ({
        saleId: Number(sale_id),
        number,
      }));
      if (names.length > 0) await take(names, inside);
    });
  }
}

const earlier = async (
  inside: Executor,
  { clientId, key }: CopyKey,
): Promise<Mailing | undefined> => {
  const [row] = (await inside.executeSql(keyed, [clientId, key])).rows as Row[];
  return row && fromRow(row);
};

const conflict = ({ saleId }: Mailing): CopyOutcome => ({ kind: 'conflict', saleId });

const instantFrom = (at: Date | string): Instant => instantOf(new Date(at));

const fromRow = ({
  sale_id,
  number,
  requested_at,
  status,
  failures,
  settled_at,
  reason,
}: Row): Mailing => ({
  ...{ saleId: Number(sale_id), number, requestedAt: instantFrom(requested_at) },
  ...{ status: status === 'handed_over' ? 'waiting' : status, failures },
  ...(settled_at !== null && { settledAt: instantFrom(settled_at) }),
  ...(reason !== null && { reason }),
});
