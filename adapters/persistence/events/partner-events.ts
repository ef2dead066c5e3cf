import type { Instant } from '#domain';
import {
  type EventType,
  type FeedPage,
  type FeedQuery,
  type PartnerEvents,
  TEST_EVENT,
} from '../../../application/events/partner-events.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { readFeed, readPartnerEvent } from './partner-event-feed.ts';
import { type GivenPlaces, makeGivePlaces } from './partner-event-places.ts';

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
    with gone as (
      delete from partner_event where at < $at::timestamptz
        and place in (select place from partner_event order by place limit $limit)
      returning place
    ), deliveries as (
      delete from webhook_delivery where place in (select place from gone)
    ), marks as (
      delete from place_mark where at < $at
    ), noted as (
      update event_numbering set deleted_place = last.place
      from (select max(place) as place from gone) as last where last.place > deleted_place
    )
    select count(*)::int as count from gone`,
  { isSlow: true },
);

export class DatabasePartnerEvents implements PartnerEvents {
  readonly #database: Database;
  /** Gives new events their places, and makes their deliveries. */
  readonly givePlaces: (now: Instant) => Promise<GivenPlaces>;

  constructor(database: Database) {
    this.#database = database;
    this.givePlaces = makeGivePlaces(database.query);
  }

  async read(query: FeedQuery): Promise<FeedPage | 'deleted'> {
    const { after, limit } = query;
    // One more than the page shows tells whether another page follows.
    const rows = await this.#database.query(readFeed, { ...query, limit: limit + 1 });
    const { lastPlace, deletedPlace } = rows[0] as (typeof rows)[number];
    if (after > 0 && after < Number(deletedPlace)) return 'deleted';

    const found = rows.filter(({ place }) => place !== null).map(readPartnerEvent);
    const events = found.slice(0, limit);
    const hasMore = found.length > limit;
    const next = hasMore ? events.at(-1)?.place : undefined;
    return { events, next: next ?? Math.max(after, Number(lastPlace)), hasMore };
  }

  async requestTest(
    channelLink: string,
    endpointId: string,
    at: Instant,
    signature: 'right' | 'wrong' = 'right',
  ): Promise<string> {
    const wrong = signature === 'wrong' && { isWronglySigned: true };
    const detail = JSON.stringify({ endpointId, ...wrong });
    const test = { channelLink, type: TEST_EVENT, at, detail };
    const [added] = await this.#database.query(addTest, test);
    return `evt_${added?.id.replaceAll('-', '')}`;
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const [gone] = await this.#database.query(deleteOld, { at, limit });
    return gone?.count ?? 0;
  }
}
