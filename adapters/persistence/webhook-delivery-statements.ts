import type { Instant } from '#domain';
import { TEST_EVENT } from '../../application/events/partner-events.ts';
import { type DeliveryStatus, KEPT_ATTEMPTS } from '../../application/webhooks/deliveries.ts';
import { columnNames, type RowOf, selection } from './columns.ts';
import { SELECTED_EVENT } from './partner-event-row.ts';
import { statement } from './statement.ts';
import { WEBHOOK_DELIVERY } from './tables.ts';

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

/** One look at the index of waiting deliveries for each endpoint, however many deliveries wait. */
export const findDueEndpoints = statement<
  { now: Instant; limit: number },
  { readonly id: string; readonly isFailing: boolean }
>(
  'find-due-webhook-endpoints',
  `
    select endpoint.id, endpoint.failing_since is not null as "isFailing"
    from webhook_endpoint as endpoint, lateral (
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
      select found.* from unnest($statuses::text[]) as wanted (status), lateral (
        select ${columnNames(WEBHOOK_DELIVERY)} from webhook_delivery
        where endpoint_id = $endpointId and status = wanted.status
          and id < coalesce($before::bigint, 9223372036854775807)
        order by id desc limit $limit
      ) as found
      order by found.id desc limit $limit
    ) as delivery ${WITH_EVENT}
    order by delivery.id desc`,
);

/** Notes attempts of several deliveries: a JSON array of `{ id, attempt, status, nextAt }`. */
export const noteAttempts = statement<{ notes: string }>(
  'note-webhook-attempts',
  `
    update webhook_delivery as delivery
    set attempts = noted.attempt || jsonb_path_query_array(attempts, '$[0 to ${KEPT_ATTEMPTS - 2}]'),
      tries = tries + 1,
      status = case when delivery.status = 'delivered' then 'delivered' else noted.status end,
      next_at = case when delivery.status = 'delivered' then null else noted."nextAt" end
    from jsonb_to_recordset($notes::jsonb)
      as noted (id bigint, attempt jsonb, status text, "nextAt" timestamptz)
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

/** Looks at the next events of the endpoint's channel and types, and adds those of the time. */
export const replayEvents = statement<
  {
    endpointId: string;
    from: Instant;
    to: Instant;
    after: number;
    now: Instant;
    limit: number;
  },
  { readonly seen: number; readonly lastPlace: string | null }
>(
  'replay-partner-events',
  `
    with seen as (
      select found.place, found.at
      from webhook_endpoint as endpoint, jsonb_array_elements_text(endpoint.events) as wanted (type),
        lateral (
          select place, at from partner_event
          where channel_link = endpoint.channel_link and type = wanted.type and place > $after
          order by place limit $limit
        ) as found
      where endpoint.id = $endpointId and wanted.type <> '${TEST_EVENT}'
      order by found.place limit $limit
    ), added as (
      insert into webhook_delivery (endpoint_id, place, status, created_at, next_at)
      select $endpointId, place, 'waiting', $now::timestamptz, $now::timestamptz
      from seen
      where at >= $from and at < $to and not exists (
        select from webhook_delivery as waiting
        where waiting.place = seen.place and waiting.endpoint_id = $endpointId
          and waiting.status = 'waiting')
      order by place
    )
    select count(*)::int as seen, max(place)::text as "lastPlace" from seen`,
  { isSlow: true },
);
