import { type Query, statement } from './statement.ts';

/** Rows that are counted at most, so that a scrape costs little however much waits. */
const MOST = 100_000;

interface QueueLength {
  readonly queue: string;
  readonly due: number;
  readonly later: number;
  readonly oldestDueSeconds: number;
}

/**
 * Each part reads a partial index of what waits. Times are compared by the clock of PostgreSQL.
 */
const countWaiting = statement<
  { readonly queues: readonly string[] },
  {
    readonly queues: readonly QueueLength[];
    readonly certificates: number;
    readonly cancellations: number;
    readonly webhooks: Omit<QueueLength, 'queue'>;
  }
>(
  'count-waiting',
  `
    with by_queue as (
      select queue, count(*) filter (where start_after <= now()) as due,
        count(*) filter (where start_after > now()) as later,
        coalesce(extract(epoch from now() - min(start_after) filter (where start_after <= now())), 0)
          as "oldestDueSeconds"
      from unnest($queues::text[]) as queue left join lateral (
        select start_after from jobs.job
        where name = queue and state < 'active' and not blocked limit ${MOST}
      ) as job on true
      group by queue
    ), webhooks as (
      select count(*) filter (where next_at <= now()) as due,
        count(*) filter (where next_at > now()) as later,
        coalesce(extract(epoch from now() - min(next_at) filter (where next_at <= now())), 0)
          as "oldestDueSeconds"
      from (
        select greatest(delivery.next_at, endpoint.paused_until) as next_at
        from webhook_delivery as delivery
        join webhook_endpoint as endpoint on endpoint.id = delivery.endpoint_id
        where delivery.status = 'waiting' and endpoint.disabled_at is null limit ${MOST}
      ) as delivery
    )
    select (select jsonb_agg(to_jsonb(by_queue)) from by_queue) as queues,
      (select to_jsonb(webhooks) from webhooks) as webhooks,
      (select count(*) from (select from mailing where status = 'waiting' limit ${MOST}) as one)::int
        as certificates,
      (select count(*) from (
        select from cancellation_mailing where status = 'waiting' limit ${MOST}) as one)::int
        as cancellations`,
);

const hasAlerts = statement<Record<string, never>, { readonly exists: boolean }>(
  'has-table-of-alerts',
  `select to_regclass('alert') is not null as exists`,
);

const countAlerts = statement<
  Record<string, never>,
  { readonly kind: string; readonly count: number }
>(
  'count-open-alerts',
  `select kind, count(*)::int as count from alert where status = 'open' group by kind`,
);

/** The alerts that no operator has resolved, by kind. @throws Unavailable */
const countOpenAlerts = async (query: Query) => {
  const [table] = await query(hasAlerts, {});
  return table?.exists ? query(countAlerts, {}) : [];
};

interface Queues {
  /** All of them. */
  readonly names: readonly string[];
  /** The queues into which mails are handed over. */
  readonly certificates: string;
  readonly cancellations: string;
}

/**
 * Counts the work that waits in the database: jobs, mails, webhooks, open alerts; of each kind
 * 100,000 at most.
 *
 * @throws Unavailable
 */
export const readBacklog = async (query: Query, queues: Queues) => {
  const [[found], openAlerts] = await Promise.all([
    query(countWaiting, { queues: queues.names }),
    countOpenAlerts(query),
  ]);
  const waiting = found as NonNullable<typeof found>;
  const handedOver = (name: string): number => {
    const { due = 0, later = 0 } = waiting.queues.find(({ queue }) => queue === name) ?? {};
    return due + later;
  };
  return {
    queues: waiting.queues,
    mails: [
      {
        kind: 'certificate',
        waiting: waiting.certificates + handedOver(queues.certificates),
      },
      {
        kind: 'cancellation',
        waiting: waiting.cancellations + handedOver(queues.cancellations),
      },
    ],
    webhooks: waiting.webhooks,
    openAlerts,
  };
};
