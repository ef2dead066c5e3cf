import { statement } from '../engine/statement.ts';
import { selection } from '../schema/columns.ts';
import { SALE_STATE } from '../schema/sale-row.ts';

export interface News {
  /** Up to which event the sales had been entered. */
  readonly from: string;
  /** Null if nothing is new. */
  readonly to: string | null;
  readonly count: number;
  /** Sales that are new. */
  readonly fresh: readonly string[] | null;
  /** Sales whose certificate was mailed: perhaps to a corrected address. */
  readonly mailed: readonly string[] | null;
}

export const readNews = statement<{ readonly limit: number }, News>(
  'read-search-news',
  `
    with known as materialized (
      select place from search_place where follower = 'search'
    ), news as materialized (
      select place, sale_id, type = 'sale.registered' as is_fresh,
        type like 'certificate.%' as is_mailed
      from partner_event where place > (select place from known) order by place limit $limit
    )
    select (select place::text from known) as from, max(place)::text as to,
      count(*)::integer as count,
      array_agg(distinct sale_id::text) filter (where is_fresh) as fresh,
      array_agg(distinct sale_id::text) filter (where is_mailed) as mailed
    from news`,
);

const sales = `select ${selection(SALE_STATE)} from sale`;

export const readSales = statement<{
  readonly fresh: readonly string[];
  readonly mailed: readonly string[];
}>(
  'read-sales-to-find',
  `
    ${sales} where id = any($fresh::bigint[])
    union all
    ${sales} where id = any($mailed::bigint[]) and id <> all($fresh::bigint[])
      and version > 1 and progress->'corrections' is not null`,
);

export const readSalesBefore = statement<{ readonly before: number; readonly limit: number }>(
  'read-all-sales-to-find',
  `${sales} where id < $before order by sale.id desc limit $limit`,
  { isSlow: true },
);

export interface EnteredRows {
  readonly terms: readonly string[];
  readonly termSales: readonly number[];
  readonly sales: readonly number[];
  readonly names: readonly string[];
  readonly words: readonly string[];
  readonly counts: readonly number[];
}

/** In the order of the keys, so that two processes that enter the same sales do not deadlock. */
export const enterSales = statement<EnteredRows>(
  'enter-sales-to-find',
  `
    with terms as (
      insert into search_term (term, sale_id)
      select term, sale_id from unnest($terms::bigint[], $termSales::bigint[]) as given (term, sale_id)
      order by term, sale_id on conflict do nothing
    ), names as (
      insert into search_name (sale_id, words)
      select sale_id, words from unnest($sales::bigint[], $names::text[]) as given (sale_id, words)
      order by sale_id on conflict (sale_id) do update set words = excluded.words
      where search_name.words <> excluded.words
    )
    insert into search_word as known (word, sales)
    select word, count from unnest($words::text[], $counts::bigint[]) as given (word, count)
    order by word collate "C"
    on conflict (word) do update set sales = known.sales + excluded.sales`,
);

export const movePlace = statement<{ readonly from: string; readonly to: string }>(
  'move-search-place',
  `update search_place set place = $to where follower = 'search' and place = $from`,
);

export const emptySearch = statement<Record<string, never>>(
  'empty-search',
  'truncate search_term, search_name, search_word',
);

/** Words that begin with a prefix, the commonest first: a rare one has few sales to look at. */
export const expandWords = statement<
  {
    readonly prefixes: readonly string[];
    readonly isWhole: readonly boolean[];
    readonly limit: number;
  },
  { readonly turn: number; readonly word: string; readonly sales: string }
>(
  'expand-search-words',
  `
    select turn::integer, word, sales::text
    from unnest($prefixes::text[], $isWhole::boolean[]) with ordinality as wanted (prefix, is_whole, turn),
      lateral (
        select word, sales from search_word
        where word = prefix or (not is_whole and word > prefix collate "C"
          and word < (prefix || chr(1114111)) collate "C")
        order by word = prefix desc, sales desc limit $limit
      ) as found
    order by turn, sales desc`,
);

export interface Candidates {
  /** The sales, the newest first. */
  readonly ids: readonly string[] | null;
  /** Down to which sale all were looked at; null: all of them. */
  readonly completeTo: string | null;
}

interface Looking {
  /** The terms of the rarest word: it may be the beginning of several. */
  readonly terms: readonly string[];
  /** The terms of the next rarest word. */
  readonly seconds: readonly string[];
  /** All further words, as patterns for the names. */
  readonly patterns: readonly string[];
  readonly before: number;
  readonly channels: readonly string[];
  readonly perTerm: number;
  readonly limit: number;
}

/** Whether a sale is of the one channel that is asked for, if any. */
const ofChannel = (id: string): string => `(
  cardinality($channels::text[]) = 0 or (
    select channel_link = any($channels::text[]) from sale as own where own.id = ${id}))`;

const findByWords = (name: string, second: string) =>
  statement<Looking, Candidates>(
    name,
    `
      with candidate as (
        select next.sale_id, wanted from unnest($terms::bigint[]) as wanted, lateral (
          select sale_id from search_term where term = wanted and sale_id < $before
          order by sale_id desc limit $perTerm
        ) as next
      ), fitting as (
        select distinct candidate.sale_id from candidate join search_name using (sale_id)
        where words like all($patterns::text[]) and ${second}
          and ${ofChannel('candidate.sale_id')}
        order by candidate.sale_id desc limit $limit
      )
      select (select array_agg(sale_id::text order by sale_id desc) from fitting) as ids, (
        select max(last)::text from (
          select min(sale_id) as last from candidate group by wanted having count(*) >= $perTerm
        ) as cut) as "completeTo"`,
  );

/** The candidates one by one: without the limit PostgreSQL would read the whole list of a common word. */
const SECOND_OF_FEW = `(
  cardinality($seconds::bigint[]) = 0 or (
    select true from search_term as other
    where term = any($seconds::bigint[]) and other.sale_id = candidate.sale_id limit 1))`;

/** PostgreSQL walks along the two lists, which are sorted. */
const SECOND_OF_MANY = `exists (
  select from search_term as other
  where term = ($seconds::bigint[])[1] and other.sale_id = candidate.sale_id)`;

/**
 * Sales that have one of the terms, one of the second terms, and all patterns in their names: at most
 * `perTerm` of each term are looked at, the newest.
 */
export const findAmongFew = findByWords('find-sales-among-few', SECOND_OF_FEW);

/** The same for one second term and many candidates. */
export const findAmongMany = findByWords('find-sales-among-many', SECOND_OF_MANY);

/** The newest sales of a channel, as far as all patterns stand in their names. */
export const findInChannel = statement<
  Pick<Looking, 'patterns' | 'before' | 'limit'> & {
    readonly channelLink: string;
    readonly looks: number;
  },
  Candidates
>(
  'find-sales-in-channel',
  `
    with own as materialized (
      select id from sale where channel_link = $channelLink and id < $before
      order by channel_link desc, id desc limit $looks
    ), fitting as (
      select own.id from own join search_name on sale_id = own.id
      where words like all($patterns::text[]) order by own.id desc limit $limit
    )
    select (select array_agg(id::text order by id desc) from fitting) as ids,
      (select min(id)::text from own having count(*) >= $looks) as "completeTo"`,
);

/**
 * Names of sales are unique in a channel: each channel is a look into two indexes. `isCut`: more sales
 * have a term than were looked at.
 */
export const findByKeys = statement<
  {
    readonly terms: readonly string[];
    readonly name: string;
    readonly saleId: number;
    readonly before: number;
    readonly channels: readonly string[];
    /** Sales of each term that are looked at. */
    readonly perTerm: number;
    readonly limit: number;
  },
  { readonly ids: readonly string[] | null; readonly isCut: boolean }
>(
  'find-sales-by-keys',
  `
    with recursive channel as (
      (select channel_link as link from sale order by channel_link limit 1)
      union all
      select (
        select channel_link from sale where channel_link > link order by channel_link limit 1
      ) from channel where link is not null
    ), keyed as materialized (
      select wanted, next.sale_id from unnest($terms::bigint[]) as wanted, lateral (
        select sale_id from search_term where term = wanted and sale_id < $before
        order by sale_id desc limit $perTerm
      ) as next
    ), found as (
      select id from (
        select sale_id as id from keyed
        union select id from sale where id = $saleId
        union select id from sale where ticket = upper($name)
        union select named.id from channel, lateral (
          select id from sale where channel_link = link and external_sale_id = $name
          union all select sale_id from sale_number where channel_link = link and number = $name
        ) as named
      ) as known
      where id < $before and ${ofChannel('known.id')} order by known.id desc limit $limit
    )
    select (select array_agg(id::text) from found) as ids,
      exists (select from keyed group by wanted having count(*) >= $perTerm) as "isCut"`,
);

export const loadSales = statement<{ readonly ids: readonly string[] }>(
  'load-found-sales',
  `${sales} where id = any($ids::bigint[]) order by sale.id desc`,
);
