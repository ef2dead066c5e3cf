import { asRegistered, instantOf, type Sale } from '#domain';
import {
  type EventType,
  type PartnerEvent,
  TEST_EVENT,
} from '../../../application/events/partner-events.ts';
import { statement } from '../engine/statement.ts';
import { columnNames, rowReader, selection } from '../schema/columns.ts';
import { readAnswer, SALE_STATE, saleOfRow } from '../schema/sale-row.ts';
import { type EventState, PARTNER_EVENT } from '../schema/tables.ts';

// Its name would be that of the sale's number.
const { id: _, ...EVENT } = PARTNER_EVENT;

/**
 * The columns of a SELECT from `partner_event as event left join sale on sale.id = event.sale_id`.
 */
export const SELECTED_EVENT = `
  ${selection(EVENT, 'event')}, event.id::text as "eventId", ${selection(SALE_STATE, 'sale')}`;

const readEvent = rowReader(EVENT);

/** Reads an event from a row of `SELECTED_EVENT`. */
export const readPartnerEvent = (stored: object): PartnerEvent => {
  const { place, channelLink, at, type, state, detail } = readEvent(stored);
  const { eventId } = stored as { readonly eventId: string };
  const numbered = { place, id: `evt_${eventId.replaceAll('-', '')}`, channelLink, at };
  if (type === TEST_EVENT) {
    const wrong = detail?.isWronglySigned === true && ({ isWronglySigned: true } as const);
    return { ...numbered, type, endpointId: detail?.endpointId ?? '', ...wrong };
  }

  const { idempotencyKey, ...known } = saleOfRow(stored);
  const named = idempotencyKey === undefined ? {} : { idempotencyKey };
  const sale = { ...(state === null ? asRegistered(known) : saleAfter(known, state)), ...named };
  if (type !== 'certificate.sent' && type !== 'certificate.undelivered')
    return { ...numbered, type, sale };

  const { mailingNumber = 0, reason } = detail ?? {};
  const failed = typeof reason === 'string' ? { reason } : {};
  return { ...numbered, type, sale, mailingNumber, ...failed };
};

const saleAfter = (sale: Sale, { updatedAt, ...state }: EventState): Sale => ({
  ...readAnswer(sale, state),
  ...(updatedAt !== null && { updatedAt: instantOf(new Date(updatedAt)) }),
});

export interface FeedValues {
  readonly channelLink: string;
  readonly after: number;
  readonly types: readonly EventType[];
  readonly limit: number;
}

const columns = columnNames(PARTNER_EVENT);

/**
 * Common table expression: the next events of the channel, sorted by place. Each type is read by its
 * own part of the index, so a page costs the same however many events there are.
 *
 * The rows are compared as a whole, and the channel once more outside: PostgreSQL would else take
 * another index and search for the channel's few events among all others.
 */
export const FOUND_EVENTS = `
  found as (
    select ${columns} from unnest($types::text[]) as wanted (wanted_type), lateral (
      select ${columns} from partner_event
      where (channel_link, type, place) > ($channelLink, wanted_type, $after)
      order by channel_link, type, place limit $limit
    ) as next
    where channel_link = $channelLink and type = wanted_type
    order by place limit $limit
  )`;

interface StoredPage {
  readonly lastPlace: string;
  readonly deletedPlace: string;
  /** Null if there is no event. */
  readonly place: string | null;
}

/** One statement, so that no event gets its place, or is deleted, while the others are read. */
export const readFeed = statement<FeedValues, StoredPage>(
  'read-partner-events',
  `
    with ${FOUND_EVENTS}
    select numbering.last_place::text as "lastPlace",
      numbering.deleted_place::text as "deletedPlace", ${SELECTED_EVENT}
    from event_numbering as numbering left join found as event on true
      left join sale on sale.id = event.sale_id
    order by event.place`,
);
