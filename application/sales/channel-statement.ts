import type { CalendarDate } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { BookedSale, Sales } from './sales.ts';

export interface StatementLine extends BookedSale {
  /** The business day of the booking. */
  readonly on: CalendarDate;
}

export interface ChannelStatementParts {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly clock: Clock;
}

/** `from`: the first day; `until`: the first day that is no longer of it. */
interface StatementPeriod {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

/**
 * What came into a channel's books, and what left them again, in the order of time, a few lines in memory at once.
 * Undefined: there is no such channel. Of days that are over, it is the same whenever it is asked for.
 */
export type ChannelStatement = (
  channelLink: string,
  period: StatementPeriod,
) => Promise<AsyncIterable<StatementLine> | undefined>;

export const channelStatement =
  ({ catalogue, sales, clock }: ChannelStatementParts): ChannelStatement =>
  async (channelLink, { from, until }) => {
    if ((await catalogue.channel(channelLink)) === undefined) return undefined;
    return linesOf(sales.booked({ channelLink, from: clock.startOf(from), to: clock.startOf(until) }), clock);
  };

async function* linesOf(booked: ReturnType<Sales['booked']>, clock: Clock): AsyncIterable<StatementLine> {
  for await (const line of booked) yield { ...line, on: clock.dayOf(line.booking.at) };
}
