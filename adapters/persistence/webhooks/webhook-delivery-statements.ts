import type { Instant } from '#domain';
import type { EventType } from '../../../application/events/partner-events.ts';
import { type DeliveryStatus, KEPT_ATTEMPTS } from '../../../application/webhooks/deliveries.ts';
import type { Subscription } from '../../../application/webhooks/endpoints.ts';
import { statement } from '../engine/statement.ts';
import { type FeedValues, FOUND_EVENTS, SELECTED_EVENT } from '../events/partner-event-feed.ts';
import { columnNames, type RowOf, selection } from '../schema/columns.ts';
import { WEBHOOK_DELIVERY } from '../schema/tables.ts';

// The names of the others are those of columns of the event or of its sale.
const { id: _, place: __, status: ___, ...DELIVERY } = WEBHOOK_DELIVERY;

export const DELIVERY_COLUMNS = DELIVERY;

/** A delivery and its event. */
export interface StoredDelivery {
  readonly deliveryId: string;
  readonly deliveryStatus: RowOf<typeof WEBHOOK_DELIVERY>['status'];
}

const SELECTED = `
  ${selection(DELIVERY, 'delivery')}, delivery.id::text as "deliveryId",
  delivery.status as "deliveryStatus", ${SELECTED_EVENT}`;

const WITH_EVENT = `
  join partner_event as event on event.place = delivery.place
  left join sale on sale.id = event.sale_id`;

/**
 * One look at the index of waiting deliveries for each endpoint that has some, however many wait and
 * however many endpoints there are.
 */
export const findDueEndpoints = statement<
  { now: Instant; limit: number },
  { readonly id: string; readonly isFailing: boolean }
>(
  'find-due-webhook-endpoints',
  `
    with recursive waiting as (
      (select endpoint_id from webhook_delivery where status = 'waiting'
        order by endpoint_id limit 1)
      union all
      select (
        select next.endpoint_id from webhook_delivery as next
        where next.status = 'waiting' and next.endpoint_id > waiting.endpoint_id
        order by next.endpoint_id limit 1
      ) from waiting where endpoint_id is not null
    )
    select endpoint.id, endpoint.failing_since is not null as "isFailing"
    from waiting join webhook_endpoint as endpoint on endpoint.id = waiting.endpoint_id, lateral (
      select next_at from webhook_delivery
      where endpoint_id = endpoint.id and status = 'waiting' and next_at <= $now
      order by next_at limit 1
    ) as first
    where endpoint.disabled_at is null
      and (endpoint.paused_until is null or endpoint.paused_until <= $now)
    order by "isFailing", first.next_at, endpoint.id limit $limit`,
);

export const listDueDeliveries = statement<
  { endpointId: string; now: Instant; limit: number },
  StoredDelivery
>(
  'list-due-webhook-deliveries',
  `
    select ${SELECTED} from (
      select ${columnNames(WEBHOOK_DELIVERY)} from webhook_delivery
      where endpoint_id = $endpointId and status = 'waiting' and next_at <= $now
      order by next_at, id limit $limit
    ) as delivery ${WITH_EVENT}
    order by delivery.next_at, delivery.id`,
);

export const findDelivery = statement<{ endpointId: string; id: number }, StoredDelivery>(
  'find-webhook-delivery',
  `
    select ${SELECTED} from webhook_delivery as delivery ${WITH_EVENT}
    where delivery.endpoint_id = $endpointId and delivery.id = $id`,
);

/** Each status is read by its own part of the index, up to the limit. */
export const listDeliveries = statement<
  { endpointId: string; statuses: readonly DeliveryStatus[]; before: number | null; limit: number },
  StoredDelivery
>(
  'list-webhook-deliveries',
  `
    select ${SELECTED} from (
      select ${columnNames(WEBHOOK_DELIVERY)}
      from unnest($statuses::text[]) as wanted (wanted_status), lateral (
        select ${columnNames(WEBHOOK_DELIVERY)} from webhook_delivery
        where endpoint_id = $endpointId and status = wanted_status
          and id < coalesce($before::bigint, 9223372036854775807)
        order by id desc limit $limit
      ) as found
      order by id desc limit $limit
    ) as delivery ${WITH_EVENT}
    order by delivery.id desc`,
);

/** Each delivery is found by the place of its event. */
export const listTests = statement<
  { channelLink: string; type: EventType; limit: number },
  {
    readonly endpointId: string;
    readonly eventId: string;
    readonly isWronglySigned: boolean;
    readonly at: Date | string;
  }
>(
  'list-webhook-tests',
  `
    select delivery.endpoint_id as "endpointId", test.id::text as "eventId", test.at,
      test.detail ? 'isWronglySigned' as "isWronglySigned"
    from (
      select id, place, at, detail from partner_event
      where channel_link = $channelLink and type = $type
      order by channel_link desc, type desc, place desc limit $limit
    ) as test join webhook_delivery as delivery
      on delivery.place = test.place and delivery.status = 'delivered'
    order by test.place desc`,
);

/**
 * Notes attempts of several deliveries: a JSON array of `{ id, attempt, status, nextAt }`. Only an
 * attempt that took the event counts, if the delivery was to be tried later than it began: it was
 * noted by another run, or the partner has asked for a try since.
 */
export const noteAttempts = statement<{ notes: string }>(
  'note-webhook-attempts',
  `
    update webhook_delivery as delivery
    set attempts = noted.attempt || jsonb_path_query_array(attempts, '$[0 to ${KEPT_ATTEMPTS - 2}]'),
      tries = tries + case when counts or delivery.status <> 'waiting' then 1 else 0 end,
      status = case when counts then noted.status else delivery.status end,
      next_at = case when counts then noted."nextAt" else next_at end
    from (
      select noted.id, attempt, noted.status, "nextAt",
        known.status <> 'delivered' and (noted.status = 'delivered'
          or coalesce(known.next_at <= (attempt->>'at')::timestamptz, false)) as counts
      from jsonb_to_recordset($notes::jsonb)
          as noted (id bigint, attempt jsonb, status text, "nextAt" timestamptz)
        join webhook_delivery as known on known.id = noted.id
    ) as noted
    where delivery.id = noted.id`,
);

export const retryDelivery = statement<{ endpointId: string; id: number; now: Instant }>(
  'retry-webhook-delivery',
  `
    update webhook_delivery as delivery set status = 'waiting', tries = 0, next_at = $now
    from partner_event as event
    where endpoint_id = $endpointId and delivery.id = $id and event.place = delivery.place
    returning delivery.id`,
);

export const hastenDeliveries = statement<{ endpointId: string; now: Instant; limit: number }>(
  'hasten-webhook-deliveries',
  `
    update webhook_delivery set next_at = $now where id in (
      select id from webhook_delivery
      where endpoint_id = $endpointId and status = 'waiting' and next_at > $now
      order by next_at limit $limit)
    and status = 'waiting'`,
  { isSlow: true },
);

/**
 * What a replay needs of its endpoint, and a place after which all events of the time come. Places are
 * given after the events have happened, hours later where no worker was running, so the times of the
 * events do not tell where to begin. Places that had been given before the time are passed over; five
 * minutes allow for clocks that differ.
 */
export const beginReplay = statement<
  { endpointId: string; from: Instant },
  { readonly channelLink: string; readonly events: readonly Subscription[]; readonly start: string }
>(
  'begin-webhook-replay',
  `
    select channel_link as "channelLink", events, greatest(deleted_place, (
        select place from place_mark where at < $from::timestamptz - interval '5 minutes'
        order by at desc limit 1))::text as start
    from webhook_endpoint, event_numbering where webhook_endpoint.id = $endpointId`,
);

/** Deliveries of one event to one endpoint that a replay looks at for one that waits. */
const DELIVERIES_OF_EVENT = 10;

/**
 * Looks at the next events of the endpoint's channel and types, and adds those of the time. Each is
 * looked up by one part of the index, whatever PostgreSQL knows of what waits: else it may read all
 * that waits, for each event.
 */
export const replayEvents = statement<
  FeedValues & { endpointId: string; from: Instant; to: Instant; now: Instant },
  { readonly next: string | null }
>(
  'replay-partner-events',
  `
    with ${FOUND_EVENTS}, added as (
      insert into webhook_delivery (endpoint_id, place, status, created_at, next_at)
      select $endpointId, place, 'waiting', $now::timestamptz, $now::timestamptz from found
      where at >= $from and at < $to and not exists (
        select from (
          select place, endpoint_id, status from webhook_delivery
          where (place, endpoint_id) >= (found.place, $endpointId)
          order by place, endpoint_id limit ${DELIVERIES_OF_EVENT}
        ) as next
        where next.place = found.place and next.endpoint_id = $endpointId
          and next.status = 'waiting')
      order by place
    )
    select case when count(*) = $limit then max(place)::text end as next from found`,
  { isSlow: true },
);
