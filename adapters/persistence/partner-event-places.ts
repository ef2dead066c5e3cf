import type { Instant } from '#domain';
import { TEST_EVENT } from '../../application/events/partner-events.ts';
import { SERVER } from './change-feed.ts';
import { columnNames, pick } from './columns.ts';
import type { Database } from './database.ts';
import { PLACES_OF_REGISTRATION, registrationsOf } from './registration-events.ts';
import { type Executor, queryInside, statement } from './statement.ts';
import { PARTNER_EVENT } from './tables.ts';

/** Sales, and changes, whose events get their places in one transaction. */
const STEP = 1_000;

/** What waits for places; no row if nothing does. */
const findNewEvents = statement<Record<string, never>, { readonly hasChanges: boolean }>(
  'find-new-partner-events',
  `
    select changes.first is not null as "hasChanges"
    from event_numbering, (select min(number) as first from new_partner_event) as changes
    where changes.first is not null or (select max(id) from sale) > sale_id`,
);

/**
 * Places that are left out when another server has taken over. It may lack the last commits of the
 * old one, and so places that readers have seen: they must not get other events.
 */
const SPARED_PLACES = 1_000_000;

interface Numbering {
  readonly lastPlace: string;
  /** The server that is asked, and whether it gave the last places as well. */
  readonly server: string;
  readonly isSameServer: boolean;
  /** The events of the sales up to this one have their places. */
  readonly saleId: string;
  /** Sales up to this one get places as soon as `openWriters` have ended; null: none is open. */
  readonly openSaleId: string | null;
  /** The transactions that were writing sales when `openSaleId` was read. */
  readonly openWriters: readonly string[];
}

/** Passes over the numbering while another process gives places. */
const lockNumbering = statement<Record<string, never>, Numbering>(
  'lock-event-numbering',
  `
    select last_place::text as "lastPlace", sale_id::text as "saleId",
      open_sale_id::text as "openSaleId", open_writers as "openWriters",
      present.server, coalesce(event_numbering.server = present.server, true) as "isSameServer"
    from event_numbering, (select ${SERVER} as server) as present
    for update of event_numbering skip locked`,
);

const findLastSale = statement<Record<string, never>, { readonly id: string | null }>(
  'find-last-sale',
  'select max(id)::text as id from sale',
);

/**
 * The transactions that may have written a sale that is not visible yet: each has locked the table
 * so, since before it took a number. It gives the lock back after its sales have become visible.
 */
const findWriters = statement<Record<string, never>, { readonly writer: string }>(
  'find-sale-writers',
  `
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'sale'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())
      and pid is distinct from pg_backend_pid()`,
);

const content = columnNames(
  pick(PARTNER_EVENT, 'id', 'channelLink', 'type', 'at', 'saleId', 'state', 'detail'),
);

interface Step {
  readonly lastPlace: number;
  /** The sales after this one, up to the other, get places for their registration. */
  readonly from: number;
  readonly to: number;
  readonly now: Instant;
}

/**
 * Gives places to registrations and changes, and makes a delivery for each active endpoint that
 * wants the event. Places for further sales follow the range before, if nothing came between, and if
 * it is of the same hour: ranges are deleted as a whole.
 *
 * The events of registrations are stored only for channels that have endpoints.
 */
const numberEvents = statement<Step, { readonly lastPlace: string; readonly changes: number }>(
  'number-partner-events',
  `
    with longer as (
      update registration_range set last_sale = $to, at = $now
      where $to::bigint > $from::bigint and last_sale = $from
        and first_place + ${PLACES_OF_REGISTRATION} * (last_sale - first_sale + 1) - 1 = $lastPlace
        and date_trunc('hour', at) = date_trunc('hour', $now::timestamptz)
      returning 1
    ), added as (
      insert into registration_range (first_place, first_sale, last_sale, at)
      select $lastPlace::bigint + 1, $from::bigint + 1, $to::bigint, $now::timestamptz
      where $to::bigint > $from::bigint and not exists (select from longer)
    ), registered as (
      insert into partner_event (place, ${content})
      ${registrationsOf('sale', { firstPlace: '$lastPlace::bigint + 1', firstSale: '($from::bigint + 1)' })}
      where sale.id > $from and sale.id <= $to and sale.channel_link in (
        select channel_link from webhook_endpoint where disabled_at is null)
      returning place, channel_link, type, detail
    ), changed as (
      delete from new_partner_event
      where number in (select number from new_partner_event order by number limit ${STEP})
      returning ${content}, number
    ), placed as (
      insert into partner_event (place, ${content})
      select $lastPlace::bigint + ${PLACES_OF_REGISTRATION} * ($to::bigint - $from::bigint)
        + row_number() over (order by at, number), ${content}
      from changed
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
        else endpoint.events ? fresh.type end
      order by place
    )
    select count(*)::int as changes, (coalesce(max(place), $lastPlace::bigint
      + ${PLACES_OF_REGISTRATION} * ($to::bigint - $from::bigint)))::text as "lastPlace"
    from placed`,
);

const keepNumbering = statement<{
  readonly lastPlace: number;
  readonly saleId: number;
  readonly openSaleId: number | null;
  readonly openWriters: string;
  readonly server: string;
}>(
  'keep-event-numbering',
  `
    update event_numbering set last_place = $lastPlace, sale_id = $saleId,
      open_sale_id = $openSaleId, open_writers = $openWriters, server = $server`,
);

/** Gives new events their places, in one process at a time. */
export const givePlaces = async (
  database: Database,
  now: Instant,
): Promise<'done' | 'more' | 'later'> => {
  const [found] = await database.query(findNewEvents, {});
  if (found === undefined) return 'done';
  return database.transaction(async (inside) => {
    const [numbering] = await queryInside(inside, lockNumbering, {});
    return numbering === undefined
      ? 'done'
      : giveNextPlaces(inside, { ...numbering, ...found, now });
  });
};

const giveNextPlaces = async (
  inside: Executor,
  {
    openSaleId,
    openWriters,
    server,
    isSameServer,
    hasChanges,
    now,
    ...last
  }: Numbering & { readonly hasChanges: boolean; readonly now: Instant },
): Promise<'done' | 'more' | 'later'> => {
  const { known, open } = await findKnownSales(inside, {
    saleId: Number(openSaleId ?? last.saleId),
    writers: openWriters,
  });
  const from = Number(last.saleId);
  const to = Math.min(Math.max(known, from), from + STEP);
  const lastPlace = Number(last.lastPlace) + (isSameServer ? 0 : SPARED_PLACES);
  const isIdle = to === from && !hasChanges;
  const [made] = isIdle
    ? []
    : await queryInside(inside, numberEvents, { lastPlace, from, to, now });

  await queryInside(inside, keepNumbering, {
    lastPlace: Number(made?.lastPlace ?? lastPlace),
    saleId: to,
    openSaleId: open.saleId,
    openWriters: JSON.stringify(open.writers),
    server,
  });
  if (to < known || made?.changes === STEP) return 'more';
  return open.saleId > to ? 'later' : 'done';
};

interface OpenSales {
  readonly saleId: number;
  readonly writers: readonly string[];
}

/**
 * Numbers are given before a sale becomes visible, so one that is missing may still appear. It
 * cannot any more when every transaction has ended that was writing sales while a later number was
 * already visible.
 *
 * @returns the sale up to which every sale is visible, and those to look at next time
 */
const findKnownSales = async (
  inside: Executor,
  open: OpenSales,
): Promise<{ readonly known: number; readonly open: OpenSales }> => {
  const [last] = await queryInside(inside, findLastSale, {});
  const writers = (await queryInside(inside, findWriters, {})).map(({ writer }) => writer);
  const newest = { saleId: Number(last?.id ?? 0), writers };
  if (writers.length === 0) return { known: newest.saleId, open: newest };
  const isWriting = new Set(writers);
  return open.writers.some((writer) => isWriting.has(writer))
    ? { known: 0, open }
    : { known: open.saleId, open: newest };
};
