import type { Instant } from '#domain';
import { TEST_EVENT } from '../../../application/events/partner-events.ts';
import { SERVER } from '../engine/change-feed.ts';
import { type Query, statement } from '../engine/statement.ts';
import { columnNames, pick } from '../schema/columns.ts';
import { PARTNER_EVENT } from '../schema/tables.ts';
import { PLACES_OF_REGISTRATION, registrationsOf } from './registration-events.ts';

/** Sales, and as many changes, whose events get their places in one statement. */
const STEP = 10_000;

/**
 * The same if there are endpoints: with 20 of them a sale and a change are up to 60 deliveries, and
 * the statement has a time limit.
 */
const STEP_OF_DELIVERIES = 250;

/**
 * Places that are left out when another server has taken over. It may lack the last commits of the
 * old one, and so places that readers have seen: they must not get other events.
 */
const SPARED_PLACES = 1_000_000;

/** What waits for places. */
interface NewEvents {
  readonly server: string;
  readonly lastPlace: string;
  /** The events of the sales up to this one have their places. */
  readonly saleId: string;
  /** The last sale that is visible. */
  readonly newestSale: string | null;
  /** The transactions that were writing sales then. */
  readonly writers: readonly string[];
  readonly hasChanges: boolean;
  /** Whether there is an active endpoint, of any channel. */
  readonly hasEndpoints: boolean;
}

/**
 * No row if nothing waits. `writers` are the transactions that may have written a sale that is not
 * visible yet: each has locked the table so, since before it took a number. It gives the lock back
 * after its sales have become visible. The locks are read after the snapshot of the statement was
 * taken, so no writer of a number below the last visible one is missing.
 */
const findNewEvents = statement<Record<string, never>, NewEvents>(
  'find-new-partner-events',
  `
    select ${SERVER} as server, last_place::text as "lastPlace", sale_id::text as "saleId",
      newest.id::text as "newestSale", changes.first is not null as "hasChanges",
      exists (select from webhook_endpoint where disabled_at is null) as "hasEndpoints",
      case when newest.id > sale_id then to_jsonb(array(
        select distinct virtualtransaction from pg_locks
        where locktype = 'relation' and relation = 'sale'::regclass and mode = 'RowExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())
          and pid is distinct from pg_backend_pid()
      )) else '[]' end as writers
    from event_numbering, (select max(id) as id from sale) as newest,
      (select min(number) as first from new_partner_event) as changes
    where changes.first is not null or newest.id > sale_id`,
);

const content = columnNames(
  pick(PARTNER_EVENT, 'id', 'channelLink', 'type', 'at', 'saleId', 'state', 'detail'),
);

interface Step {
  readonly server: string;
  readonly lastPlace: number;
  /** The sales after this one, up to the other, get places for their registration. */
  readonly from: number;
  readonly to: number;
  /** Changes that get places. */
  readonly step: number;
  readonly hasEndpoints: boolean;
  readonly now: Instant;
}

/**
 * Gives places to registrations and changes, and makes a delivery for each active endpoint that
 * wants the event. Does nothing if another process is giving places, or has given some since.
 *
 * Places for further sales follow the range before, if nothing came between, and if it is of the
 * same hour: ranges are deleted as a whole. The events of registrations are stored only for channels
 * that have endpoints.
 */
const numberEvents = statement<Step, { readonly changes: number }>(
  'number-partner-events',
  `
    with numbering as materialized (
      select last_place + case when server is distinct from $server and server is not null
        then ${SPARED_PLACES} else 0 end as base
      from event_numbering where last_place = $lastPlace and sale_id = $from
      for update skip locked
    ), longer as (
      update registration_range set last_sale = $to, at = $now
      from numbering
      where $to::bigint > $from::bigint and last_sale = $from
        and first_place + ${PLACES_OF_REGISTRATION} * (last_sale - first_sale + 1) - 1 = base
        and date_trunc('hour', at) = date_trunc('hour', $now::timestamptz)
      returning 1
    ), added as (
      insert into registration_range (first_place, first_sale, last_sale, at)
      select base + 1, $from::bigint + 1, $to::bigint, $now::timestamptz from numbering
      where $to::bigint > $from::bigint and not exists (select from longer)
    ), registered as (
      insert into partner_event (place, ${content})
      ${registrationsOf('numbering cross join sale', {
        firstPlace: 'numbering.base + 1',
        firstSale: '($from::bigint + 1)',
      })}
      where $hasEndpoints and sale.id > $from and sale.id <= $to and sale.channel_link in (
        select channel_link from webhook_endpoint where disabled_at is null)
      returning place, channel_link, type, detail
    ), changed as (
      delete from new_partner_event
      where exists (select from numbering)
        and number in (select number from new_partner_event order by number limit $step)
      returning ${content}, number
    ), placed as (
      insert into partner_event (place, ${content})
      select base + ${PLACES_OF_REGISTRATION} * ($to::bigint - $from::bigint)
        + row_number() over (order by at, number), ${content}
      from numbering cross join changed
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
    ), made as (
      select count(*)::int as changes from changed
    ), kept as (
      update event_numbering set sale_id = $to, server = $server,
        last_place = base + ${PLACES_OF_REGISTRATION} * ($to::bigint - $from::bigint) + changes
      from numbering, made
    )
    select changes from made where exists (select from numbering)`,
  { isSlow: true },
);

/**
 * Makes the function that gives new events their places, in one process at a time.
 *
 * It returns `more` if some are left, and `later` if sales that are being written may still come
 * before others. After a failure it takes smaller steps: a database that is slow must not stop it.
 *
 * @throws Unavailable
 */
export const makeGivePlaces = (query: Query): ((now: Instant) => Promise<GivenPlaces>) => {
  let open: OpenSales | undefined;
  let size = STEP;

  const number = async (step: Step): Promise<{ readonly changes: number } | undefined> => {
    size = Math.max(1, Math.floor(step.step / 4));
    const [made] = await query(numberEvents, step);
    size = STEP;
    return made;
  };

  return async function givePlaces(now) {
    const [found] = await query(findNewEvents, {});
    if (found === undefined) return 'done';
    const { server, hasChanges, hasEndpoints } = found;
    const [lastPlace, from] = [Number(found.lastPlace), Number(found.saleId)];
    const known = findKnownSales(open, found);
    open = known.open;

    const step = hasEndpoints ? Math.min(size, STEP_OF_DELIVERIES) : size;
    const to = Math.min(Math.max(known.saleId, from), from + step);
    if (to === from && !hasChanges) return 'later';
    const made = await number({ server, lastPlace, from, to, step, hasEndpoints, now });
    if (made === undefined) return 'later';
    if (to < known.saleId || made.changes === step) return 'more';
    return Number(found.newestSale) > to ? 'later' : 'done';
  };
};

export type GivenPlaces = 'done' | 'more' | 'later';

/** Sales that have places as soon as the transactions have ended that were writing sales then. */
interface OpenSales extends Pick<NewEvents, 'server' | 'writers'> {
  readonly saleId: number;
}

/**
 * Numbers are given before a sale becomes visible, so one that is missing may still appear. It
 * cannot any more when every transaction has ended that was writing sales while a later number was
 * already visible.
 *
 * @returns the sale up to which every sale is visible (0: not known), and those to look at next time
 */
const findKnownSales = (
  open: OpenSales | undefined,
  { server, newestSale, writers }: NewEvents,
): { readonly saleId: number; readonly open: OpenSales | undefined } => {
  const newest = { server, writers, saleId: Number(newestSale ?? 0) };
  if (writers.length === 0) return { saleId: newest.saleId, open: undefined };
  // Another server knows nothing of these transactions, and may lack their sales.
  if (open?.server !== server) return { saleId: 0, open: newest };
  const isWriting = new Set(writers);
  return open.writers.some((writer) => isWriting.has(writer))
    ? { saleId: 0, open }
    : { saleId: open.saleId, open: newest };
};
