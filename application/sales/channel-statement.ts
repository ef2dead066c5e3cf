import type { CalendarDate } from '#domain';
import type { Clock } from '../clock.ts';
import type { Ports } from '../ports.ts';
import type { BookedLine, Sales } from './sales.ts';

export interface StatementLine extends BookedLine {
  /** The business day of the booking. */
  readonly on: CalendarDate;
}

type Needs = Pick<Ports, 'catalogue' | 'sales' | 'clock'>;

/** `from`: the first day; `until`: the first day that is no longer of it. */
interface StatementPeriod {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

interface Statement {
  /** In the order of time; a few in memory at once. */
  readonly lines: AsyncIterable<StatementLine>;
  /** Whether nothing is to be expected any more: what was booked in the last moments may have been stored later. */
  readonly isFinal: boolean;
}

/** Longer, in milliseconds, than anybody takes from booking a sale to having stored it. */
const SETTLING = 3_600_000;

/** What came into a channel's books, and what left them again. Undefined: there is no such channel. */
export type ChannelStatement = (
  channelLink: string,
  period: StatementPeriod,
) => Promise<Statement | undefined>;

export const makeChannelStatement = ({ catalogue, sales, clock }: Needs): ChannelStatement =>
  async function channelStatement(channelLink, { from, until }) {
    if ((await catalogue.channel(channelLink)) === undefined) return undefined;
    const to = clock.startOf(until);
    const booked = sales.booked({ channelLink, from: clock.startOf(from), to });
    return {
      lines: linesOf(booked, clock),
      isFinal: Date.parse(clock.now()) - Date.parse(to) > SETTLING,
    };
  };

async function* linesOf(
  booked: ReturnType<Sales['booked']>,
  clock: Clock,
): AsyncIterable<StatementLine> {
  for await (const line of booked) yield { ...line, on: clock.dayOf(line.booking.at) };
}
