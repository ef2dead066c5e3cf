import type { Instant } from '#domain';
import {
  type EventType,
  type FeedPage,
  type FeedQuery,
  type PartnerEvents,
  TEST_EVENT,
} from '../../application/events/partner-events.ts';
import { columnNames } from './columns.ts';
import type { Database } from './database.ts';
import { givePlaces } from './partner-event-places.ts';
import { readPartnerEvent, SELECTED_EVENT } from './partner-event-row.ts';
import { statement } from './statement.ts';
import { PARTNER_EVENT } from './tables.ts';

interface Place {
  readonly lastPlace: string;
  readonly deletedPlace: string;
}

/**
 * A page of a channel's events, and one event more, beside how far places were given. A single
 * statement, so that no event can get a place between both.
 *
 * Each type is read by its own part of the index, up to the limit, so that a page costs the same
 * however many events there are of other types.
 */
const readFeed = statement<
  {
    readonly channelLink: string;
    readonly after: number;
    readonly types: readonly EventType[];
    readonly limit: number;
  },
  Place & { readonly place: string | null }
>(
  'read-partner-events',
  `
    select numbering.last_place::text as "lastPlace", numbering.deleted_place::text as "deletedPlace",
      ${SELECTED_EVENT}
    from event_numbering as numbering left join lateral (
      select ${columnNames(PARTNER_EVENT)} from unnest($types::text[]) as wanted (wanted_type), lateral (
        select ${columnNames(PARTNER_EVENT)} from partner_event
        where channel_link = $channelLink and type = wanted_type and place > $after
        order by place limit $limit
      ) as found
      order by place limit $limit
    ) as event on true left join sale on sale.id = event.sale_id
    order by event.place`,
);

const addTest = statement<
  {
    readonly channelLink: string;
    readonly type: EventType;
    readonly at: Instant;
    readonly detail: string;
  },
  { readonly id: string }
>(
  'add-test-event',
  `
    insert into new_partner_event (channel_link, type, at, detail)
    values ($channelLink, $type, $at, $detail) returning id::text`,
);

/** The oldest events, and their deliveries. Places are given in about the order of time. */
const deleteOld = statement<
  { readonly at: Instant; readonly limit: number },
  { readonly count: number }
>(
  'delete-old-partner-events',
  `
    with oldest as (
      select place, at from partner_event order by place limit $limit
    ), gone as (
      delete from partner_event where place in (select place from oldest where at < $at)
      returning place
    ), deliveries as (
      delete from webhook_delivery where place in (select place from gone)
    ), noted as (
      update event_numbering set deleted_place = last.place
      from (select max(place) as place from gone) as last where last.place > deleted_place
    )
    select count(*)::int as count from gone`,
  { isSlow: true },
);

export class DatabasePartnerEvents implements PartnerEvents {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read({ limit, ...query }: FeedQuery): Promise<FeedPage | 'deleted'> {
    const rows = await this.#database.query(readFeed, { ...query, limit: limit + 1 });
    const { lastPlace, deletedPlace } = rows[0] as Place;
    if (query.after > 0 && query.after < Number(deletedPlace)) return 'deleted';

    const found = rows.filter(({ place }) => place !== null).map(readPartnerEvent);
    const events = found.slice(0, limit);
    const hasMore = found.length > limit;
    return { events, hasMore, next: (hasMore && events.at(-1)?.place) || Number(lastPlace) };
  }

  async requestTest(channelLink: string, endpointId: string, at: Instant): Promise<string> {
    const detail = JSON.stringify({ endpointId });
    const test = { channelLink, type: TEST_EVENT, at, detail };
    const [added] = await this.#database.query(addTest, test);
    return `evt_${added?.id.replaceAll('-', '')}`;
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const [gone] = await this.#database.query(deleteOld, { at, limit });
    return gone?.count ?? 0;
  }

  /**
   * Gives new events their places, and makes their deliveries.
   *
   * @returns `later`: some sales have no events yet, because others are still being written
   */
  givePlaces(now: Instant): Promise<'done' | 'more' | 'later'> {
    return givePlaces(this.#database, now);
  }
}
