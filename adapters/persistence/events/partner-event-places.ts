import type { Instant } from '#domain';
import { registrationEvents, TEST_EVENT } from '../../../application/events/partner-events.ts';
import { ALL_EVENTS } from '../../../application/webhooks/endpoints.ts';
import { SERVER } from '../engine/change-feed.ts';
import { type Query, statement } from '../engine/statement.ts';
import { columnNames, pick } from '../schema/columns.ts';
import { PARTNER_EVENT } from '../schema/tables.ts';

/**
 * Sales, and as many changes, whose events get their places in one statement. Each event may be a
 * delivery to 20 endpoints, and the statement has a time limit.
 */
const STEP = 1_024;

/**
 * Places that are left out when another server has taken over. It may lack the last commits of the
 * old one, and so places that readers have seen: they must not get other events.
 */
const SPARED_PLACES = 1_000_000;

/** How often it is noted up to which place all had been given, for replays. */
const MARKED_MINUTES = 60;

const content = columnNames(
  pick(PARTNER_EVENT, 'id', 'channelLink', 'type', 'at', 'saleId', 'state', 'detail'),
);

const eventsOf = (status: 'paid' | 'pending'): string =>
  `array['${registrationEvents({ status }).join("', '")}']`;

/** The types of the events of a registration. A sale that is born paid is booked at once. */
const REGISTRATION_EVENTS = `
  unnest(case when sale.booked_at is not distinct from sale.registered_at
    then ${eventsOf('paid')} else ${eventsOf('pending')} end)`;

/**
 * Gives places to the events that wait, and makes a delivery for each active endpoint that wants the
 * event. Registrations come first, so that the events of a sale keep their order. Returns no row if
 * nothing waits, or if another process is giving places.
 *
 * Another process may have given places after this statement began to look, and before it got the
 * lock: what it has taken still waits in `waiting`, but not in `sold`. So changes are taken only if
 * `waiting` has all registrations that are in sight, and `sold` has got them. `waiting` has those of
 * as many sales as the step, and at most 63 more. Rows and sales are looked up one by one, by an
 * index, whatever PostgreSQL knows of how many wait: else it may read all sales.
 *
 * The id of an event of a registration follows from the ticket: a server that has taken over, or was
 * restored, may have to give places once more, and partners know by the id what they have.
 */
const numberEvents = statement<
  { readonly step: number; readonly now: Instant },
  { readonly hasMore: boolean }
>(
  'number-partner-events',
  `
    with numbering as materialized (
      select last_place + case when server <> ${SERVER} then ${SPARED_PLACES} else 0 end as base
      from event_numbering
      where exists (select from new_registration) or exists (select from new_partner_event)
      limit 1 for update skip locked
    ), waiting as materialized (
      select number, sales from (
        select number, sales, sum(sales) over (order by number) as total from (
          select number, cardinality(sale_ids) as sales from new_registration
          order by number limit $step
        ) as next
      ) as summed where total - sales < $step
    ), seen as materialized (
      select coalesce(sum(sales), 0) < $step as is_all from waiting
    ), sold as (
      delete from new_registration
      where exists (select from numbering) and number = any(array(select number from waiting))
      returning number, sale_ids
    ), registered as (
      insert into partner_event (place, id, channel_link, type, at, sale_id)
      select base + row_number() over (order by number, sale.id, turn),
        md5(ticket || ' ' || type)::uuid, channel_link, type, registered_at, sale.id
      from numbering, sold, unnest(sale_ids) as sale_id, lateral (
          select id, ticket, channel_link, registered_at, booked_at from sale
          where id = sale_id limit 1
        ) as sale,
        ${REGISTRATION_EVENTS} with ordinality as made (type, turn)
      returning place, channel_link, type, detail
    ), changed as (
      delete from new_partner_event
      where exists (select from numbering) and (select is_all from seen)
        and (select count(*) from sold) = (select count(*) from waiting)
        and number in (select number from new_partner_event order by number limit $step)
      returning ${content}, number
    ), placed as (
      insert into partner_event (place, ${content})
      select base + (select count(*) from registered) + row_number() over (order by number),
        ${content}
      from numbering, changed
      returning place, channel_link, type, detail
    ), fresh as (
      select place, channel_link, type, detail from registered
      union all select place, channel_link, type, detail from placed
    ), delivered as (
      insert into webhook_delivery (endpoint_id, place, status, created_at, next_at)
      select endpoint.id, place, 'waiting', $now::timestamptz, $now::timestamptz
      from fresh join webhook_endpoint as endpoint using (channel_link)
      where endpoint.disabled_at is null and case fresh.type
        when '${TEST_EVENT}' then fresh.detail->>'endpointId' = endpoint.id
        else endpoint.events ?| array[fresh.type, '${ALL_EVENTS}'] end
      order by place
    ), marked as (
      insert into place_mark (at, place) select $now::timestamptz, base from numbering
      where not exists (
        select from place_mark where at > $now::timestamptz - interval '${MARKED_MINUTES} minutes')
      on conflict do nothing
    ), kept as (
      update event_numbering set last_place = base + made, server = ${SERVER}
      from numbering, (select count(*) as made from fresh) as counted
    )
    select not (select is_all from seen) or (select count(*) from changed) = $step
      or (select count(*) from sold) < (select count(*) from waiting) as "hasMore"
    from numbering`,
  { isSlow: true },
);

export type GivenPlaces = 'done' | 'more';

/**
 * Makes the function that gives new events their places, in one process at a time. It returns `more`
 * if some are left. After a failure it takes smaller steps: a database that is slow must not stop it.
 *
 * @throws Unavailable
 */
export const makeGivePlaces = (query: Query): ((now: Instant) => Promise<GivenPlaces>) => {
  let size = STEP;

  return async function givePlaces(now) {
    const step = size;
    size = Math.max(1, Math.floor(step / 4));
    const [made] = await query(numberEvents, { step, now });
    size = STEP;
    return made?.hasMore === true ? 'more' : 'done';
  };
};
