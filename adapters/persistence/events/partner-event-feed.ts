import type { EventType } from '../../../application/events/partner-events.ts';
import { statement } from '../engine/statement.ts';
import { columnNames } from '../schema/columns.ts';
import { PARTNER_EVENT } from '../schema/tables.ts';
import { SELECTED_EVENT } from './partner-event-row.ts';
import { registrationsOf } from './registration-events.ts';

/** Sales that a page looks at, where only those that were born paid are wanted. */
const WALKED_SALES = 2_000;

export interface FeedValues {
  readonly channelLink: string;
  readonly after: number;
  readonly types: readonly EventType[];
  readonly limit: number;
  /** Sales whose registration is looked at. */
  readonly walk: number;
}

/** Each sale has an event for the first type, so no more sales than events have to be looked at. */
export const walkFor = (types: readonly EventType[], limit: number): number => {
  if (types.includes('sale.registered')) return limit;
  return types.includes('sale.paid') ? WALKED_SALES : 0;
};

const columns = columnNames(PARTNER_EVENT);

/**
 * Common table expressions: `numbering`, as it is; `reached`, the place up to which events have been
 * looked for; `found`, the next events of the channel, sorted by place. The events of registrations
 * are read from the sales, the others are stored: each type is read by its own part of the index. So
 * a page costs the same however many events there are.
 *
 * The rows are compared as a whole, and the channel once more outside: PostgreSQL would else take
 * another index and search for the channel's few events among all others.
 */
export const FEED = `
  numbering as (
    select last_place, deleted_place, sale_id from event_numbering
  ), start as (
    select coalesce(
      (select least(first_sale + ($after::bigint - first_place + 1) / 2, last_sale + 1)
        from registration_range where first_place <= $after order by first_place desc limit 1),
      (select min(first_sale) from registration_range)) as sale_id
  ), registered as materialized (
    ${registrationsOf(
      `(
        select id, ticket, channel_link, booked_at, registered_at from (
          select id, ticket, channel_link, booked_at, registered_at from sale
          where (channel_link, id) >= ($channelLink, (select sale_id from start))
          order by channel_link, id limit $walk
        ) as next
        where channel_link = $channelLink and id <= (select sale_id from numbering)
      ) as sale cross join lateral (
        select first_place, first_sale from registration_range
        where first_sale <= sale.id order by first_sale desc limit 1
      ) as given`,
      { firstPlace: 'given.first_place', firstSale: 'given.first_sale' },
    )}
  ), reached as (
    select case when $walk > 0 and count(distinct sale_id) = $walk then max(place)
      else (select last_place from numbering) end as place
    from registered
  ), found as (
    select ${columns} from (
      select ${columns} from registered where place > $after and type = any($types::text[])
      union
      select ${columns} from unnest($types::text[]) as wanted (wanted_type), lateral (
        select ${columns} from partner_event
        where (channel_link, type, place) > ($channelLink, wanted_type, $after)
        order by channel_link, type, place limit $limit
      ) as stored
      where channel_link = $channelLink and type = wanted_type
        and place <= (select place from reached)
    ) as every
    order by place limit $limit
  )`;

interface StoredPage {
  readonly lastPlace: string;
  readonly deletedPlace: string;
  readonly reachedPlace: string;
  /** Null if there is no event. */
  readonly place: string | null;
}

/** One statement, so that no event gets its place, or is deleted, while the others are read. */
export const readFeed = statement<FeedValues, StoredPage>(
  'read-partner-events',
  `
    with ${FEED}
    select numbering.last_place::text as "lastPlace", reached.place::text as "reachedPlace",
      numbering.deleted_place::text as "deletedPlace", ${SELECTED_EVENT}
    from numbering cross join reached left join found as event on true
      left join sale on sale.id = event.sale_id
    order by event.place`,
);
