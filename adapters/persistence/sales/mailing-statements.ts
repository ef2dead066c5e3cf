import type { Instant } from '#domain';
import type { MailingStatus } from '../../../application/mail/mailings.ts';
import { CANCELLATION_NUMBER, type MailingName } from '../../../application/mailing-name.ts';
import { statement } from '../engine/statement.ts';
import { entryFor } from '../operations/audit-log.ts';
import { WAITING_CHANNELS } from '../operations/backlog.ts';
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
  entry: string;
}>(
  'add-copy',
  `
    with added as (
      insert into mailing
        (sale_id, number, requested_at, status, client_id, idempotency_key, channel_link)
      select $saleId::bigint, coalesce(max(number), 0) + 1, $at, 'waiting', $clientId, $idempotencyKey,
        coalesce((select channel_link from sale where id = $saleId), '')
      from mailing where sale_id = $saleId
      on conflict do nothing
      returning ${columnNames(MAILING)}
    ), entry as (${entryFor('added')}) select ${selection(MAILING)} from added`,
);

const IS_DUE = `status = 'waiting' and (next_at is null or next_at <= $now)`;

/**
 * Certificates: of each channel that has some the oldest, second copies before all. So thousands of
 * one channel do not hold up the ten of another.
 */
const EACH_CHANNEL_IN_TURN = `
  ${WAITING_CHANNELS}, due as (
    select sale_id, number, row_number() over (
        partition by waiting_channel.channel_link order by number = 0, sale_id, number) as turn
    from waiting_channel, lateral (
      select sale_id, number from mailing
      where mailing.channel_link = waiting_channel.channel_link and ${IS_DUE}
      order by (number = 0), sale_id, number limit $limit) as oldest
  )`;

const OLDEST_FIRST = (table: string): string => `
  due as (
    select sale_id, number, 0::bigint as turn from ${table} where ${IS_DUE}
    order by sale_id, number limit $limit
  )`;

/** The statements for single mailings, on the table that holds them. */
const onTable = (table: 'mailing' | 'cancellation_mailing' | 'refund_mailing') => ({
  find: statement<MailingName>(
    `find-${table}`,
    `select ${selection(MAILING)} from ${table} where sale_id = $saleId and number = $number`,
  ),

  /**
   * Claims for a time what is due, and what was claimed by a worker that is gone: of each channel in
   * turn, where several wait. Passes over mailings that another process is claiming.
   */
  claim: statement<
    { now: Instant; until: Instant; limit: number },
    { readonly saleId: string; readonly number: number; readonly failures: number }
  >(
    `claim-${table}s`,
    `
      with recursive ${table === 'mailing' ? EACH_CHANNEL_IN_TURN : OLDEST_FIRST(table)},
      abandoned as (
        select sale_id, number, 0::bigint as turn from ${table}
        where claimed_until < $now and status = 'handed_over' order by claimed_until limit $limit
      ), free as (
        select sale_id, number from ${table}
        where (sale_id, number) in (
            select sale_id, number from (
              select sale_id, number, turn from due
              union all select sale_id, number, turn from abandoned) as any_of
            order by turn, sale_id, number limit $limit)
          and (status = 'waiting' or claimed_until < $now)
        for update skip locked
      )
      update ${table} as claimed set status = 'handed_over', claimed_until = $until
      from free where claimed.sale_id = free.sale_id and claimed.number = free.number
      returning claimed.sale_id::text as "saleId", claimed.number, failures`,
  ),

  /** Prolongs the claims of mailings. */
  renew: statement<{ names: string; until: Instant }>(
    `renew-${table}-claims`,
    `
      update ${table} set claimed_until = $until
      from jsonb_to_recordset($names::jsonb) as name ("saleId" bigint, number integer)
      where sale_id = "saleId" and ${table}.number = name.number and claimed_until is not null`,
  ),

  /** Marks mailings, and stores the events that partners learn of. */
  record: statement<{ results: string; at: Instant }>(
    `record-${table}s`,
    `
      with result as (
        select "saleId", number, status, reason, "nextAt", event
        from jsonb_to_recordset($results::jsonb) as given ("saleId" bigint, number integer,
          status text, reason text, "nextAt" timestamptz, event text)
      ), recorded as (
        update ${table} as known set status = result.status, next_at = "nextAt", claimed_until = null,
          settled_at = case when result.status <> 'waiting' then $at::timestamptz end,
          failures = failures + (result.reason is not null)::integer,
          reason = coalesce(result.reason, case when result.status = 'waiting' then known.reason end)
        from result
        where known.sale_id = "saleId" and known.number = result.number
          and known.status in ('waiting', 'handed_over')
        returning known.sale_id, known.number, settled_at, known.reason, event
      )
      insert into new_partner_event (channel_link, type, at, sale_id, state, detail)
      select channel_link, event, settled_at, sale_id,
        state_of_sale(version, status, updated_at, progress),
        jsonb_build_object('mailingNumber', number, 'reason', reason)
      from recorded join sale on sale.id = sale_id where event is not null`,
  ),

  retry: statement<MailingName & { entry: string }>(
    `retry-${table}`,
    `
      with changed as (
        update ${table} set status = 'waiting', settled_at = null, reason = null, failures = 0,
          next_at = null
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

export const findLostMail = statement<{ saleIds: readonly number[] }, { readonly saleId: string }>(
  'find-lost-mail',
  `
    select distinct sale_id::text as "saleId" from mailing
    where status = 'undelivered' and sale_id = any($saleIds::bigint[]) and not exists (
      select from mailing as later
      where later.sale_id = mailing.sale_id and later.number > mailing.number
        and later.status <> 'undelivered')`,
);

type Kinds = readonly ReturnType<typeof onTable>[];

/** The mails that tell of money, in the order in which they are claimed. */
export const MONEY_KINDS: Kinds = [CANCELLATIONS, ACCOUNTS];
export const CERTIFICATE_KINDS: Kinds = [CERTIFICATES];
export const KINDS: Kinds = [...MONEY_KINDS, ...CERTIFICATE_KINDS];

const anyDue = (table: string): string => `
  exists (select from ${table} where ${IS_DUE})
    or exists (select from ${table} where claimed_until < $now and status = 'handed_over')`;

export const findDue = statement<{ now: Instant }>(
  'any-mailing-due',
  `
    select 1 where ${['mailing', 'cancellation_mailing', 'refund_mailing'].map(anyDue).join(' or ')}`,
);

/** Locks the count of the present minute; other workers wait for its end. */
export const lockPace = statement<{ minute: Instant }, { readonly taken: number }>(
  'lock-mail-pace',
  `
    insert into mail_pace (minute, taken) values ($minute, 0)
    on conflict (minute) do update set taken = mail_pace.taken returning taken`,
);

/** Counts what was claimed, and forgets earlier minutes. */
export const notePace = statement<{ minute: Instant; taken: number }>(
  'note-mail-pace',
  `
    with forgotten as (delete from mail_pace where minute < $minute)
    update mail_pace set taken = taken + $taken where minute = $minute`,
);
