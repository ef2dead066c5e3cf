import {
  bookingsOf,
  businessDay,
  type CalendarDate,
  type Cents,
  cents,
  type Instant,
  owedByChannel,
  owedToChannel,
  type Sale,
} from '#domain';
import type { RebuildStep } from '../../../application/rebuild.ts';
import type {
  BookingTotals,
  SummedBookings,
  SummedOffers,
  TotalKey,
  Totals,
  TotalsQuery,
} from '../../../application/totals/booking-totals.ts';
import { offersOf } from '../../../application/totals/counted-offers.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { selection } from '../schema/columns.ts';
import { SALE_STATE, saleOfRow } from '../schema/sale-row.ts';
import { readSalesBefore } from '../search/search-statements.ts';

const AMOUNTS = [
  ...['net', 'iof', 'total', 'commission', 'net_amount'],
  ...['owed_by_channel', 'owed_to_channel'],
];

/** What was booked a moment ago may still be being stored. */
const STORED_WITHIN = "interval '10 seconds'";

/**
 * The sales of the next events by which something may have been booked, and the time before which
 * everything will have been counted: what waits for its place in the feed was booked later.
 */
const readNews = statement<
  { readonly limit: number },
  {
    readonly from: string;
    readonly to: string | null;
    readonly count: number;
    readonly asOf: Date | string;
    readonly sales: readonly string[] | null;
  }
>(
  'read-news-of-bookings',
  `
    with known as materialized (
      select place from total_place where follower = 'totals'
    ), news as materialized (
      select place, sale_id, type, at from partner_event
      where place > (select place from known) order by place limit $limit
    ), left_over as (
      select at from partner_event where place > (select max(place) from news)
      order by place limit 1
    )
    select (select place::text from known) as "from", max(place)::text as "to",
      count(*)::integer as count,
      least(statement_timestamp() - ${STORED_WITHIN},
        (select at from left_over),
        (select min(at) from new_partner_event),
        (select registered_at from sale where id = (
          select sale_ids[1] from new_registration order by number limit 1))
      ) as "asOf",
      array_agg(distinct sale_id::text) filter (
        where type in ('sale.awaiting_payment', 'sale.paid', 'sale.issued', 'sale.cancelled',
          'sale.refunded')) as sales
    from news`,
);

const readSales = statement<{ readonly ids: readonly string[] }>(
  'read-sales-to-count',
  `select ${selection(SALE_STATE)} from sale where id = any($ids::bigint[])`,
);

type Columns = {
  readonly [Name in
    | 'saleIds'
    | 'days'
    | 'channels'
    | 'products'
    | 'kinds'
    | 'net'
    | 'iof'
    | 'total'
    | 'commission'
    | 'netAmount'
    | 'owedByChannel'
    | 'owedToChannel']: readonly (string | number)[];
};

const GIVEN = ['sale_id', 'day', 'channel_link', 'product_code', 'kind', ...AMOUNTS].join(', ');

/** Each booking once, with its sums or not at all. In the order of the keys: two never deadlock. */
const countBookings = statement<Columns>(
  'count-bookings',
  `
    with given as materialized (
      select ${GIVEN} from unnest($saleIds::bigint[], $days::text[], $channels::text[], $products::text[],
        $kinds::text[], $net::bigint[], $iof::bigint[], $total::bigint[], $commission::bigint[],
        $netAmount::bigint[], $owedByChannel::bigint[], $owedToChannel::bigint[])
        as given (${GIVEN})
    ), fresh as (
      insert into counted_booking (sale_id, kind)
      select sale_id, kind from given order by sale_id, kind on conflict do nothing
      returning sale_id, kind
    )
    insert into booking_total as known
      (day, channel_link, product_code, kind, lines, ${AMOUNTS.join(', ')})
    select day, channel_link, product_code, kind, count(*),
      ${AMOUNTS.map((name) => `sum(${name})`).join(', ')}
    from given join fresh using (sale_id, kind)
    group by day, channel_link, product_code, kind
    order by day, channel_link, product_code, kind
    on conflict (day, channel_link, product_code, kind) do update
    set lines = known.lines + excluded.lines,
      ${AMOUNTS.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')}`,
);

const movePlace = statement<{
  readonly from: string;
  readonly to: string;
  readonly asOf: Date | string;
}>(
  'move-place-of-totals',
  `
    update total_place set place = $to, as_of = greatest(as_of, $asOf::timestamptz)
    where follower = 'totals' and place = $from`,
);

const readPlace = statement<
  Record<string, never>,
  { readonly asOf: Date | string | null; readonly since: CalendarDate | null }
>(
  'read-place-of-totals',
  `
    select as_of as "asOf", (select min(day) from booking_total) as since
    from total_place where follower = 'totals'`,
);

const KEYS: Readonly<Record<TotalKey, string>> = {
  ...{ day: 'day', channel: 'channel_link', product: 'product_code' },
};

type Summed = { readonly [Name in keyof SummedBookings]: string };

const readTotalsBy = (by: TotalKey) =>
  statement<
    {
      readonly from: string;
      readonly to: string;
      readonly channelLink: string | null;
      readonly productCode: string | null;
    },
    Summed
  >(
    `read-totals-by-${by}`,
    `
      select ${KEYS[by]} as key, kind, sum(lines)::text as lines, sum(net)::text as net,
        sum(iof)::text as iof, sum(total)::text as total, sum(commission)::text as commission,
        sum(net_amount)::text as "netAmount", sum(owed_by_channel)::text as "owedByChannel",
        sum(owed_to_channel)::text as "owedToChannel"
      from booking_total
      where day >= $from and day <= $to
        and ($channelLink::text is null or channel_link = $channelLink)
        and ($productCode::text is null or product_code = $productCode)
      group by 1, 2 order by 1, 2 desc`,
  );

const READ: Readonly<Record<TotalKey, ReturnType<typeof readTotalsBy>>> = {
  day: readTotalsBy('day'),
  channel: readTotalsBy('channel'),
  product: readTotalsBy('product'),
};

const emptyTotals = statement<Record<string, never>>(
  'empty-totals',
  'truncate booking_total, counted_booking',
);

const amount = (stored: string): Cents => cents(Number(stored));

/** An offer adds its price and nothing else. */
const NOTHING = { net: 0, iof: 0, commission: 0, netAmount: 0, owedByChannel: 0, owedToChannel: 0 };

const countedIn = (sale: Sale) => [
  ...bookingsOf(sale).map((booking) => ({
    ...{ sale, ...booking, day: businessDay(booking.at) },
    ...{ owedByChannel: owedByChannel(booking), owedToChannel: owedToChannel(booking) },
  })),
  ...offersOf(sale).map((offer) => ({ sale, ...NOTHING, ...offer })),
];

const columnsOf = (sales: readonly Sale[]): Columns => {
  const counted = sales.flatMap(countedIn);
  const each = <Value>(read: (of: (typeof counted)[number]) => Value): readonly Value[] =>
    counted.map(read);
  return {
    saleIds: each(({ sale }) => sale.id),
    days: each(({ day }) => day),
    channels: each(({ sale }) => sale.terms.channelLink),
    products: each(({ sale }) => sale.terms.product.code),
    kinds: each(({ kind }) => kind),
    net: each(({ net }) => net),
    iof: each(({ iof }) => iof),
    total: each(({ total }) => total),
    commission: each(({ commission }) => commission),
    netAmount: each(({ netAmount }) => netAmount),
    owedByChannel: each((of) => of.owedByChannel),
    owedToChannel: each((of) => of.owedToChannel),
  };
};

export class DatabaseBookingTotals implements BookingTotals {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async follow(limit: number): Promise<'done' | 'more'> {
    const [news] = await this.#database.query(readNews, { limit });
    if (!news) return 'done';
    const { from, to, asOf, count, sales } = news;
    if (sales !== null) {
      const rows = await this.#database.query(readSales, { ids: sales });
      await this.#count(rows.map(saleOfRow));
    }
    // Another process may have moved it: then the same bookings were given twice, and counted once.
    await this.#database.query(movePlace, { from, to: to ?? from, asOf });
    return count < limit ? 'done' : 'more';
  }

  async read({ by, from, to, ...filters }: TotalsQuery): Promise<Totals> {
    const { channelLink = null, productCode = null } = filters;
    // First the time, then what is counted by then, or more.
    const [place] = await this.#database.query(readPlace, {});
    const rows = await this.#database.query(READ[by], { from, to, channelLink, productCode });
    const asOf = place?.asOf ? (new Date(place.asOf).toISOString() as Instant) : null;
    const [sums, offers] = [rows.filter(isBooking), rows.filter((row) => !isBooking(row))];
    const since = place?.since ?? null;
    return { asOf, since, sums: sums.map(summedOf), offers: offers.map(offersOfRow) };
  }

  async empty(): Promise<void> {
    await this.#database.query(emptyTotals, {});
  }

  async rebuild(before: number, limit: number): Promise<RebuildStep> {
    const rows = await this.#database.query(readSalesBefore, { before, limit });
    const sales = rows.map(saleOfRow);
    await this.#count(sales);
    return { entered: sales.length, next: Math.min(before, ...sales.map(({ id }) => id)) };
  }

  async #count(sales: readonly Sale[]): Promise<void> {
    const columns = columnsOf(sales);
    if (columns.saleIds.length > 0) await this.#database.query(countBookings, columns);
  }
}

const isBooking = ({ kind }: Summed): boolean => kind === 'sale' || kind === 'refund';

const offersOfRow = ({ key, kind, lines, total }: Summed): SummedOffers => ({
  ...{ key, kind: kind as SummedOffers['kind'], lines: Number(lines), total: amount(total) },
});

const summedOf = ({ key, kind, lines, ...sums }: Summed): SummedBookings => ({
  ...{ key, kind: kind as SummedBookings['kind'], lines: Number(lines) },
  ...{ net: amount(sums.net), iof: amount(sums.iof), total: amount(sums.total) },
  ...{ commission: amount(sums.commission), netAmount: amount(sums.netAmount) },
  ...{ owedByChannel: amount(sums.owedByChannel), owedToChannel: amount(sums.owedToChannel) },
});
