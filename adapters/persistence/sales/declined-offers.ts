import type { CalendarDate } from '#domain';
import type {
  DeclinedCount,
  DeclinedOffers,
} from '../../../application/selling/declined-offers.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { rowReader, selection } from '../schema/columns.ts';
import { DECLINED_OFFER } from '../schema/tables.ts';

const addCount = statement<
  DeclinedCount & { readonly channelLink: string },
  { readonly count: number }
>(
  'add-declined-offers',
  `
    insert into declined_offer as known (channel_link, day, product, count)
    values ($channelLink, $day, $product, $count)
    on conflict (channel_link, day, product) do update set count = known.count + excluded.count
    returning count::float8 as count`,
);

const listCounts = statement<
  { readonly channelLink: string; readonly from: CalendarDate; readonly until: CalendarDate },
  object
>(
  'list-declined-offers',
  `
    select ${selection(DECLINED_OFFER)} from declined_offer
    where channel_link = $channelLink and day >= $from and day < $until
    order by day, product collate "C"`,
);

const readRow = rowReader(DECLINED_OFFER);

export class DatabaseDeclinedOffers implements DeclinedOffers {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(channelLink: string, declined: DeclinedCount): Promise<number> {
    const [row] = await this.#database.query(addCount, { channelLink, ...declined });
    return row?.count ?? 0;
  }

  async list(
    channelLink: string,
    days: Parameters<DeclinedOffers['list']>[1],
  ): Promise<readonly DeclinedCount[]> {
    const rows = await this.#database.query(listCounts, { channelLink, ...days });
    return rows.map((row) => {
      const { day, product, count } = readRow(row);
      return { day: day as CalendarDate, product, count };
    });
  }
}
