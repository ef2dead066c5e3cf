import { type Query, statement } from '../engine/statement.ts';

/** Mails, and webhooks of an endpoint, that are counted at most. */
const MOST = 20_000;

interface QueueLength {
  readonly queue: string;
  readonly due: number;
  readonly later: number;
  readonly oldestDueSeconds: number;
}

/** Recursive common table expression: the channels whose certificates wait to be mailed. */
export const WAITING_CHANNELS = `
  waiting_channel as (
    (select channel_link from mailing where status = 'waiting' order by channel_link limit 1)
    union all
    select (select next.channel_link from mailing as next
      where status = 'waiting' and next.channel_link > waiting_channel.channel_link
      order by next.channel_link limit 1)
    from waiting_channel where waiting_channel.channel_link is not null
  )`;

/**
 * The mails of a kind that wait, claimed ones as well. The oldest sale that waits has the oldest mail:
 * of certificates, that of each channel is looked up by the index in which mails are claimed.
 */
const mailsIn = (kind: string, table: string, oldest: string): string => `
  select '${kind}' as kind,
    (select count(*) from (select from ${table} where status = 'waiting' limit ${MOST}) as one)
      + (select count(*) from ${table} where claimed_until is not null) as waiting,
    coalesce((select extract(epoch from now() - min(requested_at)) from ${oldest}), 0)
      as "oldestSeconds"`;

const oldestIn = (table: string, where = ''): string => `
  lateral (select requested_at from ${table}
    where status = 'waiting' ${where} order by sale_id limit 1) as oldest`;

const MAILS = [
  mailsIn(
    'certificate',
    'mailing',
    `waiting_channel, ${oldestIn('mailing', 'and mailing.channel_link = waiting_channel.channel_link and (number = 0)')}`,
  ),
  mailsIn('cancellation', 'cancellation_mailing', oldestIn('cancellation_mailing')),
  mailsIn('refund', 'refund_mailing', oldestIn('refund_mailing')),
].join(' union all ');

/**
 * Times are compared by the clock of PostgreSQL. Jobs have no index by time, so one pass reads all
 * that wait: a limit would hide a job that is due behind those for later. Webhooks have one, by
 * endpoint: each count reads its own part, the oldest first.
 */
const countWaiting = statement<
  { readonly queues: readonly string[] },
  {
    readonly queues: readonly QueueLength[];
    readonly mails: readonly {
      readonly kind: string;
      readonly waiting: number;
      readonly oldestSeconds: number;
    }[];
    readonly webhooks: Omit<QueueLength, 'queue'>;
    readonly alerts: readonly { readonly kind: string; readonly count: number }[];
  }
>(
  'count-waiting-work',
  `
    with recursive ${WAITING_CHANNELS}, waiting_job as (
      select name, count(*) filter (where start_after <= now()) as due,
        count(*) filter (where start_after > now()) as later,
        extract(epoch from now() - min(start_after) filter (where start_after <= now())) as age
      from jobs.job where state < 'active' and not blocked group by name
    ), by_queue as (
      select queue, coalesce(due, 0) as due, coalesce(later, 0) as later,
        coalesce(age, 0) as "oldestDueSeconds"
      from unnest($queues::text[]) as queue left join waiting_job on name = queue
    ), endpoint as (
      select id, paused_until,
        case when paused_until > now() then '-infinity'::timestamptz else now() end as due_until
      from webhook_endpoint where disabled_at is null
    ), webhooks as (
      select coalesce(sum(due.count), 0) as due, coalesce(sum(later.count), 0) as later,
        coalesce(extract(epoch from now() - min(greatest(first_at, paused_until))
          filter (where due.count > 0)), 0) as "oldestDueSeconds"
      from endpoint, lateral (
        select count(*), min(next_at) as first_at from (
          select next_at from webhook_delivery
          where endpoint_id = endpoint.id and status = 'waiting' and next_at <= due_until
          order by next_at limit ${MOST}) as one
      ) as due, lateral (
        select count(*) from (
          select from webhook_delivery
          where endpoint_id = endpoint.id and status = 'waiting' and next_at > due_until
          order by next_at limit ${MOST}) as one
      ) as later
    )
    select (select jsonb_agg(to_jsonb(by_queue)) from by_queue) as queues,
      (select to_jsonb(webhooks) from webhooks) as webhooks,
      (select coalesce(jsonb_agg(to_jsonb(open)), '[]') from (
        select kind, count(*) from alert where status = 'open' group by kind) as open) as alerts,
      (select jsonb_agg(to_jsonb(mails)) from (${MAILS}) as mails) as mails`,
  { isSlow: true },
);

/**
 * Counts the work that waits in the database: jobs, mails, webhooks, open alerts. Mails end at
 * 20,000 of each kind, webhooks at 20,000 due and 20,000 later ones of an endpoint.
 *
 * @param queues the names of all queues
 * @throws Unavailable
 */
export const readBacklog = async (query: Query, queues: readonly string[]) => {
  const [found] = await query(countWaiting, { queues });
  const { alerts: openAlerts, ...waiting } = found as NonNullable<typeof found>;
  return { ...waiting, openAlerts };
};
