import type { Instant, Sale } from '#domain';
import { statement } from '../engine/statement.ts';
import { selection } from '../schema/columns.ts';
import { SALE_STATE } from '../schema/sale-row.ts';

interface UpdatedQuery {
  readonly channelLink: string;
  readonly since: Instant;
  readonly before: number;
  readonly limit: number;
  /** Whether any of the filters is given. */
  readonly isFiltered: boolean;
  /** Each filter is null where the query has none. */
  readonly statuses: readonly Sale['status'][] | null;
  readonly productCode: string | null;
  /** JSON. */
  readonly channelTexts: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** Sales that a step of the walk reads. */
const STEP_SALES = 250;

/** Whether a row of `sale` passes the filters. */
const FITS = `
  ($statuses::text[] is null or status = any($statuses::text[]))
  and ($productCode::text is null or terms#>>'{product,code}' = $productCode)
  and ($channelTexts::jsonb is null or terms::jsonb @> $channelTexts::jsonb)
  and ($from::timestamptz is null or registered_at >= $from)
  and ($to::timestamptz is null or registered_at < $to)`;

/**
 * A page of the channel's sales that were registered or changed since a time, the newest first.
 *
 * No index has the time of registration, because it would cost every sale. So `walk` reads the
 * channel's sales step by step, from the newest on: PostgreSQL takes only as many steps as the page
 * needs, and the last one is at an hour before the time. Numbers are given in the order of
 * registration, but for the seconds that a sale takes to be stored and by which clocks differ.
 *
 * The order by channel and number makes each step use the index of both. PostgreSQL does not know
 * how large the channel is, and would else search for its sales among all others.
 *
 * `touched` is read by the index of channel and time, and the numbers are compared later (`+ 0`), or
 * PostgreSQL might read every change that the channel has ever had.
 */
export const listUpdatedSales = statement<UpdatedQuery>(
  'list-updated-sales',
  `
    with recursive walk as (
      select $before::bigint as last, 'infinity'::timestamptz as at, '{}'::bigint[] as ids
      union all
      select step.last, step.at, step.ids from walk, lateral (
        select min(id) as last, min(registered_at) as at,
          array_agg(id order by id desc) filter (
            where registered_at >= $since::timestamptz and ${FITS}) as ids
        from (
          select id, channel_link, registered_at, status, terms from sale
          where (channel_link, id) < ($channelLink, walk.last)
          order by channel_link desc, id desc limit ${STEP_SALES}
        ) as next
        where channel_link = $channelLink
      ) as step
      where walk.at >= $since::timestamptz - interval '1 hour'
    ), registered as (
      select id from walk, unnest(ids) as id limit $limit
    ), touched as materialized (
      select sale_id from sale_update
      where channel_link = $channelLink and updated_at >= $since::timestamptz
        and sale_id + 0 < $before
      order by channel_link, updated_at
    ), changed as (
      select sale_id from touched
      where not $isFiltered::boolean
        or exists (select 1 from sale where id = sale_id and ${FITS})
      order by sale_id desc limit $limit
    )
    select ${selection(SALE_STATE)} from sale
    where id in (select id from registered union select sale_id from changed)
    order by sale.id desc limit $limit`,
  { isSlow: true },
);
