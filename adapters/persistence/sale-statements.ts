import { entryFor } from './audit-log.ts';
import type { Statement } from './statement.ts';

const columns = 'id::text, ticket, version, status, registered_at, terms, progress';

/** Part of a statement: remembers that the certificate of the sale in `source` is to be mailed, if it is due, and once. */
const mailingFor = (source: string, dueSince: string): string => `
  insert into mailing (sale_id, number, requested_at, status)
  select id, 0, ${dueSince}::timestamptz, 'waiting' from ${source} where ${dueSince}::timestamptz is not null on conflict do nothing`;

/** What is stored of a new sale, in this order, and when its certificate is due. */
const BROUGHT = {
  ...{
    ticket: 'text',
    channel_link: 'text',
    client_id: 'text',
    status: 'text',
    registered_at: 'timestamptz',
  },
  ...{ terms: 'json', progress: 'json', idempotency_key: 'text', idempotency_content: 'json' },
  ...{
    lease_holder: 'text',
    leased_until: 'timestamptz',
    external_sale_id: 'text',
    booked_at: 'timestamptz',
  },
  certificate_due: 'timestamptz',
};

const names = Object.keys(BROUGHT);

const placesFor = (sale: number): string =>
  Object.values(BROUGHT)
    .map((type, index) => `$${sale * names.length + index + 1}::${type}`)
    .join(', ');

/** Registers sales in so many places, of which the last may be empty, and tells the numbers of those that were not registered before. */
const registering = (places: number): Statement => ({
  name: `register-${places}-sales`,
  text: `
    with brought as materialized (
      select ${names} from (values ${Array.from({ length: places }, (_, sale) => `(${placesFor(sale)})`).join(', ')}) as brought (${names})
      where ticket is not null
    ), sold as (
      insert into sale (version, ${names.slice(0, -1)}) select 1, ${names.slice(0, -1)} from brought
      on conflict do nothing
      returning id, ticket
    ), mailed as (${mailingFor('sold join brought using (ticket)', 'certificate_due')})
    select id::text, ticket from sold`,
});

/** A statement for one sale, two, four: each is prepared once, which for every number would be too many. */
const STATEMENTS = Array.from({ length: 7 }, (_, power) => registering(2 ** power));

/** So many sales at once. */
export const MOST_SALES = 2 ** (STATEMENTS.length - 1);

/** Registers sales, each given as the values of `BROUGHT`: `MOST_SALES` at most. */
export const register = (
  sales: readonly (readonly unknown[])[],
): { readonly statement: Statement; readonly values: unknown[] } => {
  const power = Math.ceil(Math.log2(sales.length));
  const values: unknown[] = sales.flat();
  const places = 2 ** power * names.length;
  while (values.length < places) values.push(null);
  return { statement: STATEMENTS[power] as Statement, values };
};

const update = `
  update sale set status = $3, progress = $4::json, version = version + 1,
    leased_until = coalesce($6, leased_until),
    booked_at = ($4::json->>'bookedAt')::timestamptz, cancelled_at = ($4::json->>'cancelledAt')::timestamptz
  where id = $1 and version = $2 and ($5::text is null or lease_holder = $5) returning id`;

/** Only a change of state makes a certificate due: a sale that had been issued before there were certificates has none mailed. */
const changing = `
  with before as (select id as known, status from sale where id = $1), changed as (${update}), became as (
    select id from changed join before on known = id where before.status <> $3
  ), mailed as (${mailingFor('became', '$7')})`;

export const save = { name: 'save-sale', text: `${changing} select id from changed` };

export const saveWithEntry = {
  name: 'save-sale-with-entry',
  text: `${changing}, entry as (${entryFor('changed', '$8')}) select id from changed`,
};

export const claim = {
  name: 'claim-sale',
  text: `
    update sale set lease_holder = $2, leased_until = $3
    where id = $1 and (leased_until is null or leased_until <= $4)
    returning ${columns}`,
};

const select = `select ${columns} from sale`;

export const loadSome = { name: 'load-sales', text: `${select} where id = any($1::bigint[])` };

export const loadSomeByTicket = {
  name: 'load-sales-by-ticket',
  text: `${select} where ticket = any($1::text[])`,
};

export const findByExternalId = {
  name: 'find-sale-by-external-id',
  text: `${select} where channel_link = $1 and external_sale_id = $2`,
};

const earlier = `select ${columns}, idempotency_content, answered from sale`;

export const findEarlier = {
  name: 'find-earlier-sale',
  text: `${earlier} where client_id = $1 and idempotency_key = $2`,
};

export const findEarlierOfChannel = {
  name: 'find-earlier-sale-of-channel',
  text: `${earlier} where channel_link = $1 and external_sale_id = $2`,
};

export const holds = {
  name: 'holds-sale',
  text: 'select 1 from sale where id = $1 and lease_holder = $2',
};

export const release = {
  name: 'release-sale',
  text: 'update sale set lease_holder = null, leased_until = null where id = $1 and lease_holder = $2',
};

export const answer = {
  name: 'answer-sale',
  text: `
    update sale set answered = case when lease_holder = $2 then coalesce(answered, $3) else answered end,
      lease_holder = case when lease_holder = $2 then null else lease_holder end,
      leased_until = case when lease_holder = $2 then null else leased_until end
    where id = $1 returning answered`,
};
