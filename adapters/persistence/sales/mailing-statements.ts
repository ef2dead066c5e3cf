import type { Instant } from '#domain';
import type { MailingStatus } from '../../../application/mail/mailings.ts';
import { CANCELLATION_NUMBER, type MailingName } from '../../../application/mailing-name.ts';
import { statement } from '../engine/statement.ts';
import { entryFor } from '../operations/audit-log.ts';
import { columnNames, selection } from '../schema/columns.ts';
import { MAILING } from '../schema/tables.ts';

/**
 * Makes requests for copies of one sale wait for each other, so that they are counted one by one.
 */
export const lockCopiesOfSale = statement<{ saleId: number }>(
  'lock-copies-of-sale',
  `select pg_advisory_xact_lock(hashtext('mailing'), ($saleId::bigint % 2147483647)::int)`,
);

export const findByKey = statement<{ clientId: string; key: string }>(
  'find-mailing-by-key',
  `
    select ${selection(MAILING)} from mailing
    where client_id = $clientId and idempotency_key = $key`,
);

export const listRecentCopies = statement<
  { saleId: number; since: Instant; most: number },
  { readonly requestedAt: Date | string }
>(
  'list-recent-copies',
  `
    select requested_at as "requestedAt" from mailing
    where sale_id = $saleId and number > 0 and requested_at > $since
    order by requested_at desc limit $most`,
);

export const addCopy = statement<{
  saleId: number;
  at: Instant;
  clientId: string | null;
  idempotencyKey: string | null;
}>(
  'add-copy',
  `
    insert into mailing (sale_id, number, requested_at, status, client_id, idempotency_key)
    select $saleId::bigint, coalesce(max(number), 0) + 1, $at, 'waiting', $clientId, $idempotencyKey
    from mailing where sale_id = $saleId
    on conflict do nothing
    returning ${selection(MAILING)}`,
);

/** The statements for single mailings, on the table that holds them. */
const onTable = (table: 'mailing' | 'cancellation_mailing' | 'refund_mailing') => ({
  find: statement<MailingName>(
    `find-${table}`,
    `select ${selection(MAILING)} from ${table} where sale_id = $saleId and number = $number`,
  ),

  noteFailure: statement<MailingName & { reason: string }>(
    `note-${table}-failure`,
    `
      update ${table} set failures = failures + 1, reason = $reason
      where sale_id = $saleId and number = $number and status in ('waiting', 'handed_over')`,
  ),

  /** Stores the event that partners learn of, if it has a type. */
  settle: statement<
    MailingName & {
      status: MailingStatus;
      at: Instant;
      reason: string | null;
      event: string | null;
    }
  >(
    `settle-${table}`,
    `
      with settled as (
        update ${table} set status = $status, settled_at = $at, reason = $reason
        where sale_id = $saleId and number = $number and status in ('waiting', 'handed_over')
        returning sale_id, number, settled_at, reason
      )
      insert into new_partner_event (channel_link, type, at, sale_id, state, detail)
      select channel_link, $event::text, settled_at, sale_id,
        state_of_sale(version, status, updated_at, progress),
        jsonb_build_object('mailingNumber', number, 'reason', reason)
      from settled join sale on sale.id = sale_id where $event::text is not null`,
  ),

  retry: statement<MailingName & { entry: string }>(
    `retry-${table}`,
    `
      with changed as (
        update ${table} set status = 'waiting', settled_at = null, reason = null, failures = 0
        where sale_id = $saleId and number = $number and status = 'undelivered' returning sale_id
      ), entry as (${entryFor('changed')}) select sale_id from changed`,
  ),
});

const CERTIFICATES = onTable('mailing');
const CANCELLATIONS = onTable('cancellation_mailing');
const ACCOUNTS = onTable('refund_mailing');

/** Other mails than certificates have tables of their own (migrations 0012 and 0019). */
export const statementsFor = ({ number }: MailingName): ReturnType<typeof onTable> => {
  if (number === CANCELLATION_NUMBER) return CANCELLATIONS;
  return number < 0 ? ACCOUNTS : CERTIFICATES;
};

export const listMailings = statement<{
  status: MailingStatus | null;
  saleId: number | null;
  beforeSale: number | null;
  beforeNumber: number | null;
  limit: number;
}>(
  'list-mailings',
  `
    select ${selection(MAILING)} from (
      select ${columnNames(MAILING)} from mailing
      union all select ${columnNames(MAILING)} from cancellation_mailing
      union all select ${columnNames(MAILING)} from refund_mailing
    ) as every
    where ($status::text is null or status = $status
        or ($status = 'waiting' and status = 'handed_over'))
      and ($saleId::bigint is null or sale_id = $saleId)
      and ($beforeSale::bigint is null or (sale_id, number) < ($beforeSale, $beforeNumber::integer))
    order by sale_id desc, number desc limit $limit`,
);

export const findWaiting = statement<Record<string, never>>(
  'any-mailing-waiting',
  `
    select 1 where exists (select from mailing where status = 'waiting')
      or exists (select from cancellation_mailing where status = 'waiting')
      or exists (select from refund_mailing where status = 'waiting')`,
);

interface StoredName {
  readonly saleId: string;
  readonly number: number;
}

/** Passes over mailings that another process is handing over. */
export const handOverWaiting = statement<{ limit: number }, StoredName>(
  'hand-over-mailings',
  `
    update mailing set status = 'handed_over' where (sale_id, number) in (
      select sale_id, number from mailing where status = 'waiting'
      order by number = 0, sale_id, number limit $limit for update skip locked
    ) returning sale_id::text as "saleId", number`,
);

const handOverOf = (table: 'cancellation_mailing' | 'refund_mailing') =>
  statement<{ limit: number }, StoredName>(
    `hand-over-${table}`,
    `
      update ${table} set status = 'handed_over' where (sale_id, number) in (
        select sale_id, number from ${table} where status = 'waiting'
        order by sale_id limit $limit for update skip locked
      ) returning sale_id::text as "saleId", number`,
  );

export const handOverCancellations = handOverOf('cancellation_mailing');
export const handOverAccounts = handOverOf('refund_mailing');
