import type { CalendarDate, ChannelTexts, Instant, Product } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { BookedLine, Sales } from '../sales/sales.ts';
import type { DeclinedCount, DeclinedOffers } from '../selling/declined-offers.ts';

export interface StatementLine extends BookedLine {
  /** Business day of the booking. */
  readonly on: CalendarDate;
  /** The names that the catalogue has now; undefined for what it no longer has. */
  readonly productName: string | undefined;
  readonly planName: string | undefined;
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly clock: Clock;
  readonly declinedOffers: DeclinedOffers;
}

/** First day, and the first day after the period. */
interface StatementPeriod {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

export interface Statement {
  /** Sorted by time; only a few lines are in memory at once. */
  readonly lines: AsyncIterable<StatementLine>;
  /** The number of lines; `limit` if there are as many or more. */
  countLines(limit: number): Promise<number>;
  /** Whether no more bookings can appear: recent ones may still be being stored. */
  readonly isFinal: boolean;
  /** What was stored later may be missing; undefined: nothing is missing. */
  readonly asOf: Instant | undefined;
  /** The offers that customers of the channel have declined, whatever the texts. */
  readonly declined: readonly DeclinedCount[];
}

/** Longer than it takes from booking a sale to storing it, in ms. */
const STORED_WITHIN_MS = 3_600_000;

/**
 * A channel's sales and cancellations in a period; with texts, of the sales that have exactly these.
 * Undefined: unknown channel.
 */
export type ChannelStatement = (
  channelLink: string,
  period: StatementPeriod,
  channelTexts?: ChannelTexts,
) => Promise<Statement | undefined>;

export const makeChannelStatement = ({
  catalogue,
  sales,
  clock,
  declinedOffers,
}: Needs): ChannelStatement =>
  async function channelStatement(channelLink, { from, until }, channelTexts) {
    const { channels, products } = await catalogue.current();
    if (!channels.has(channelLink)) return undefined;
    const to = clock.startOf(until);
    const asOf = sales.booksAsOf();
    const query = { channelLink, from: clock.startOf(from), to, asOf, channelTexts };
    return {
      lines: linesOf(sales.booked(query), products, clock),
      countLines: (limit) => sales.countBooked(query, limit),
      isFinal: Date.parse(asOf ?? clock.now()) - Date.parse(to) > STORED_WITHIN_MS,
      asOf,
      declined: await declinedOffers.list(channelLink, { from, until }),
    };
  };

async function* linesOf(
  booked: ReturnType<Sales['booked']>,
  products: readonly Product[],
  clock: Clock,
): AsyncIterable<StatementLine> {
  const byCode = new Map(products.map((product) => [product.code, product]));
  for await (const line of booked) {
    const product = byCode.get(line.sale.productCode);
    const plan = product?.plans.find(({ code }) => code === line.sale.planCode);
    const on = clock.dayOf(line.booking.at);
    yield { ...line, on, productName: product?.name, planName: plan?.name };
  }
}
