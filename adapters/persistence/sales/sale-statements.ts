import {
  type CalendarDate,
  type Cents,
  channelTextsOf,
  type Instant,
  instantOf,
  type Json,
  type Sale,
} from '#domain';
import type { NamedSale, SaleStatus } from '../../../application/sales/sales.ts';
import { type StatementOf, statement } from '../engine/statement.ts';
import { entryFor } from '../operations/audit-log.ts';
import { columnNames, pick, selection } from '../schema/columns.ts';
import {
  type AnsweredState,
  channelTextsIn,
  SALE,
  SALE_CHANGES,
  SALE_STATE,
  type StoredTexts,
} from '../schema/sale-row.ts';

/**
 * Part of a statement: stores a mailing of the certificate for each row of `source` that has a due
 * time. A sale has at most one such mailing.
 */
const mailingFor = (source: string, dueSince: string): string => `
  insert into mailing (sale_id, number, requested_at, status, channel_link)
  select id, 0, ${dueSince}::timestamptz, 'waiting', channel_link from ${source}
  where ${dueSince}::timestamptz is not null
  on conflict do nothing`;

/** The columns of a sale that an earlier request is answered from. */
const earlierColumns = { ...SALE_STATE, ...pick(SALE, 'idempotencyContent', 'answered') };

interface StoredEarlierSale {
  readonly idempotencyContent: Json;
  readonly answered: AnsweredState | null;
}

const selectSale = `select ${selection(SALE_STATE)} from sale`;
const selectEarlier = `select ${selection(earlierColumns)} from sale`;

export interface SaveValues {
  readonly id: number;
  readonly version: number;
  readonly status: Sale['status'];
  readonly progress: string;
  readonly holder: string | null;
  readonly leasedUntil: Instant | null;
  readonly certificateDue: Instant | null;
  /** The numbers of the sale with its insurer. */
  readonly numbers: readonly string[];
  /** The types of the events of the news of its money. */
  readonly moneyEvents: readonly string[];
  /** The type of the event that a new status makes; null: none. */
  readonly statusEvent: string | null;
}

/**
 * Changes the sale if its version and lease are as given, stores the events of the change, and the
 * mailing that a change of status makes due. Only a change of status does: a sale that was issued
 * before there were certificates gets none by a later change.
 */
const changeSale = (mailed: string): string => `
  with before as (
    select id as known, status from sale where id = $id
  ), changed as (
    update sale set ${SALE_CHANGES}
    where id = $id and version = $version and ($holder::text is null or lease_holder = $holder)
    returning id, channel_link, version, status, updated_at, progress
  ), became as (
    select id, channel_link, before.status as was from changed join before on known = id
    where before.status <> $status
  ), updated as (
    insert into sale_update (sale_id, channel_link, updated_at)
    select id, channel_link, updated_at from changed
    on conflict (sale_id) do update set updated_at = excluded.updated_at
  ), told as (
    insert into new_partner_event (channel_link, type, at, sale_id, state)
    select channel_link, type, updated_at, id,
      state_of_sale(version, status, updated_at, progress)
    from changed, unnest($moneyEvents::text[]
      || case when exists (select from became) then $statusEvent::text end) as type
    where type is not null
  ), numbered as (
    insert into sale_number (channel_link, number, sale_id)
    select channel_link, number, id from changed, unnest($numbers::text[]) as number
    on conflict do nothing
  ), mailed as (${mailed})`;

/** A sale that ended before there were notices gets none when its refund arrives. */
const endMailing = `
  insert into cancellation_mailing (sale_id, requested_at, status)
  select id, $noticeDue::timestamptz, 'waiting' from became
  where was not in ('cancelled', 'refunded')
  on conflict do nothing`;

const resendIn = (table: string): string => `
  update ${table} set status = 'waiting', settled_at = null, reason = null, failures = 0,
    next_at = null
  where $resendMails::boolean and status = 'undelivered' and sale_id in (select id from changed)`;

const withEntry = `
  resent as (${resendIn('mailing')}),
  resent_notice as (${resendIn('cancellation_mailing')}),
  resent_account as (${resendIn('refund_mailing')}),
  entry as (${entryFor('changed')})`;

/** The mail that asks the payer for an account. */
const askingForAccount = `
  account as (
    insert into refund_mailing (sale_id, number, requested_at, status)
    select id, coalesce((select min(number) from refund_mailing where sale_id = id), -1) - 1,
      updated_at, 'waiting'
    from changed
  )`;

/** A row if the sale was changed. */
export interface SavedChange {
  readonly hasNewStatus: boolean;
}

/** What a change of a sale stores beside it. */
export interface SaveParts {
  /** The notice for a sale that has ended, and whose insured gets a mail. */
  readonly ended?: { readonly noticeDue: Instant } | undefined;
  readonly entry?:
    | {
        readonly entry: string;
        /** Whether undelivered mailings of the sale wait again. */
        readonly resendMails: boolean;
      }
    | undefined;
  readonly asksForAccount: boolean;
}

/** Whether a change of a sale stores each of `SaveParts` beside it. */
type Variant = Readonly<Record<keyof SaveParts, boolean>>;

const nameOf = ({ ended, entry, asksForAccount }: Variant): string =>
  `save-sale${ended ? '-cancelled' : ''}${entry ? '-with-entry' : ''}${asksForAccount ? '-ask' : ''}`;

const savingOf = (variant: Variant): StatementOf<SaveValues, SavedChange> => {
  const parts = [
    changeSale(variant.ended ? endMailing : mailingFor('became', '$certificateDue')),
    ...(variant.entry ? [withEntry] : []),
    ...(variant.asksForAccount ? [askingForAccount] : []),
  ];
  return statement(
    nameOf(variant),
    `${parts.join(', ')} select exists (select from became) as "hasNewStatus" from changed`,
  );
};

const EITHER = [false, true];

const SAVINGS = new Map(
  EITHER.flatMap((ended) => EITHER.map((entry) => ({ ended, entry })))
    .flatMap((each) => EITHER.map((asksForAccount) => ({ ...each, asksForAccount })))
    .map((variant) => [nameOf(variant), savingOf(variant)]),
);

/** The statement that changes a sale, and its values. */
export const prepareSave = (
  change: SaveValues,
  { ended, entry, asksForAccount }: SaveParts,
): readonly [StatementOf<SaveValues, SavedChange>, unknown[]] => {
  const variant = { ended: ended !== undefined, entry: entry !== undefined, asksForAccount };
  const saving = SAVINGS.get(nameOf(variant)) as StatementOf<SaveValues, SavedChange>;
  return [saving, saving.values({ ...change, ...ended, ...entry })];
};

export const claimSale = statement<{
  readonly id: number;
  readonly holder: string;
  readonly leasedUntil: Instant;
  readonly now: Instant;
}>(
  'claim-sale',
  `
    update sale set lease_holder = $holder, leased_until = $leasedUntil
    where id = $id and (leased_until is null or leased_until <= $now)
    returning ${selection(SALE_STATE)}`,
);

export const loadSales = statement<{ readonly ids: readonly number[] }, { readonly id: string }>(
  'load-sales',
  `${selectSale} where id = any($ids::bigint[])`,
);

export interface StoredStatus extends Pick<SaleStatus, 'line' | 'status'> {
  readonly id: string;
  readonly channelLink: string;
  readonly ticket: string;
  readonly externalSaleId: string | null;
  readonly idempotencyKey: string | null;
  /** The day of the cancellation; null if the sale was not cancelled. */
  readonly cancelledOn: CalendarDate | null;
}

export const findStatuses = statement<{ readonly ids: readonly number[] }, StoredStatus>(
  'find-statuses',
  `
    select id::text, channel_link as "channelLink", terms#>>'{product,line}' as line, status, ticket,
      external_sale_id as "externalSaleId", idempotency_key as "idempotencyKey",
      case when status in ('cancelled', 'refunded') then progress#>>'{cancellation,on}' end as "cancelledOn"
    from sale where id = any($ids::bigint[])`,
);

export const loadSalesByTicket = statement<
  { readonly tickets: readonly string[] },
  { readonly ticket: string }
>('load-sales-by-ticket', `${selectSale} where ticket = any($tickets::text[])`);

interface ExternalName {
  readonly channelLink: string;
  readonly externalSaleId: string;
}

export interface ChannelName {
  readonly channelLink: string;
  /** An `externalSaleId` or a ticket. */
  readonly name: string;
}

/** `place`: that of the name in the list, from 1. The row is one of `SALE_STATE`. */
export interface FoundByName {
  readonly place: number;
}

/** A part per index: one condition with OR is answered by reading all sales of the channel. */
export const findSalesByEitherName = statement<
  { readonly channelLinks: readonly string[]; readonly names: readonly string[] },
  FoundByName
>(
  'find-sales-by-either-name',
  `
    select place::int, ${selection(SALE_STATE, 'found')}
    from unnest($channelLinks::text[], $names::text[]) with ordinality as wanted (channel, name, place)
    cross join lateral (
      select ${columnNames(SALE_STATE)} from sale
      where channel_link = channel and external_sale_id = name
      union all
      select ${columnNames(SALE_STATE)} from sale
      where channel_link = channel and ticket = name and external_sale_id is distinct from name
    ) as found`,
);

export const findSaleByNumber = statement<
  { readonly channelLink: string; readonly number: string },
  { readonly id: string }
>(
  'find-sale-by-number',
  `
    ${selectSale} where id = (
      select max(sale_id) from sale_number where channel_link = $channelLink and number = $number)`,
);

interface StoredNamedSale extends Pick<NamedSale, 'ticket' | 'status'>, StoredTexts {
  readonly id: string;
  readonly externalSaleId: string | null;
  readonly total: Cents;
  /** The time in ms since 1970. */
  readonly bookedAt: number | null;
}

const selectNamed = `
  select id::text, ticket, external_sale_id as "externalSaleId", status,
    (terms#>>'{quote,premium,total}')::float8 as total,
    extract(epoch from booked_at)::float8 * 1000 as "bookedAt"${Object.entries(
      channelTextsIn('terms'),
    )
      .map(([name, text]) => `, ${text} as "${name}"`)
      .join('')}
  from sale where channel_link = $channelLink`;

/** Each part uses an index of its own. */
export const findNamedSales = statement<
  { readonly channelLink: string; readonly names: readonly string[] },
  StoredNamedSale
>(
  'find-named-sales',
  `
    ${selectNamed} and external_sale_id = any($names::text[])
    union
    ${selectNamed} and ticket = any($names::text[])`,
);

export const readNamedSale = (stored: StoredNamedSale): NamedSale => {
  const { id, ticket, externalSaleId, status, total, bookedAt } = stored;
  return {
    ...{ id: Number(id), ticket, status, total, ...channelTextsOf(stored) },
    ...(externalSaleId !== null && { externalSaleId }),
    ...(bookedAt !== null && { bookedAt: instantOf(new Date(bookedAt)) }),
  };
};

export const findEarlierOfChannel = statement<ExternalName, StoredEarlierSale>(
  'find-earlier-sale-of-channel',
  `${selectEarlier} where channel_link = $channelLink and external_sale_id = $externalSaleId`,
);

export const findEarlierOfClient = statement<
  { readonly clientId: string; readonly key: string },
  StoredEarlierSale
>('find-earlier-sale', `${selectEarlier} where client_id = $clientId and idempotency_key = $key`);

interface LeaseName {
  readonly id: number;
  readonly holder: string;
}

export const holdsLease = statement<LeaseName>(
  'holds-sale',
  'select 1 from sale where id = $id and lease_holder = $holder',
);

export const releaseLease = statement<LeaseName>(
  'release-sale',
  `
    update sale set lease_holder = null, leased_until = null
    where id = $id and lease_holder = $holder`,
);

/** Keeps the first answer of the lease's holder, and ends the lease. */
export const answerSale = statement<
  LeaseName & { readonly answered: string },
  { readonly answered: AnsweredState | null }
>(
  'answer-sale',
  `
    update sale set
      answered = case
        when lease_holder = $holder then coalesce(answered, $answered) else answered end,
      lease_holder = case when lease_holder = $holder then null else lease_holder end,
      leased_until = case when lease_holder = $holder then null else leased_until end
    where id = $id returning answered`,
);

/** The predicate is that of the index `sale_card_mark`. */
export const forgetCards = statement<{
  readonly before: Instant;
  readonly limit: number;
  readonly erased: string;
}>(
  'forget-cards',
  `
    with old as (
      select id from sale
      where strpos(idempotency_content::text, '"creditCard":"') > 0
        and idempotency_content::text ~ '"creditCard":"[^"]{5,}"' and registered_at < $before
      order by id limit $limit)
    update sale set idempotency_content = regexp_replace(idempotency_content::text,
      '"creditCard":"[^"]{5,}"', '"creditCard":"' || $erased || '"', 'g')::json
    from old where sale.id = old.id returning sale.id`,
  { isSlow: true },
);
