import {
  type BookedAmounts,
  type Booking,
  type BookTotals,
  type Collector,
  NO_LINES,
  withLine,
} from '#domain';
import type { TableLocale } from './statement-lines.ts';

/** The kinds of the rows of a table: its lines, and what they add up to. */
type RowKind =
  | Booking['kind']
  | 'total'
  | 'refunds_in_total'
  | 'owed_by_channel'
  | 'owed_to_channel'
  | 'balance';

const KINDS: Readonly<Record<RowKind, string>> = {
  sale: 'Venda',
  refund: 'Devolução',
  total: 'Total',
  refunds_in_total: 'Devoluções no total',
  owed_by_channel: 'Você deve',
  owed_to_channel: 'Você recebe',
  balance: 'Saldo',
};

const COLLECTORS: Readonly<Record<Collector, string>> = { channel: 'canal', service: 'serviço' };

/** The words of a table's cells. */
export const wordsFor = (locale: TableLocale | undefined) => ({
  kind: (kind: RowKind): string => (locale === undefined ? kind : KINDS[kind]),
  collector: (by: Collector): string => (locale === undefined ? by : COLLECTORS[by]),
});

interface TotalRow {
  readonly kind: RowKind;
  /** The collector whose lines are added up; absent where the row is not a sum of lines. */
  readonly collectedBy?: Collector;
  /** Exact sums in cents. */
  readonly totals: { readonly [Name in keyof BookedAmounts]: bigint | undefined };
}

/** Only this, where the row says what is owed. */
const asNetAmount = (netAmount: bigint): TotalRow['totals'] => ({
  ...{ net: undefined, iof: undefined, total: undefined, commission: undefined },
  netAmount,
});

/**
 * The sums of a statement's lines. What the channel collected and what the service collected are not
 * added up: of the one the channel owes the net amount, of the other it gets the commission.
 */
export class StatementTotals {
  readonly #sums: Record<Collector, BookTotals> = { channel: NO_LINES, service: NO_LINES };
  readonly #refunds: Record<Collector, BookTotals> = { channel: NO_LINES, service: NO_LINES };
  #all = NO_LINES;

  /** The number of lines that were added. */
  get lines(): number {
    return this.#all.lines;
  }

  add(booking: Booking): void {
    const { kind, collectedBy } = booking;
    this.#all = withLine(this.#all, booking);
    this.#sums[collectedBy] = withLine(this.#sums[collectedBy], booking);
    if (kind === 'refund')
      this.#refunds[collectedBy] = withLine(this.#refunds[collectedBy], booking);
  }

  /** The balance is what the channel owes, less what it gets; negative: it gets more. */
  rows(): readonly TotalRow[] {
    const ofCollector = (collectedBy: Collector): readonly TotalRow[] => [
      { kind: 'total', collectedBy, totals: this.#sums[collectedBy] },
      { kind: 'refunds_in_total', collectedBy, totals: this.#refunds[collectedBy] },
    ];
    const { owedByChannel, owedToChannel } = this.#all;
    return [
      ...ofCollector('channel'),
      ...ofCollector('service'),
      { kind: 'owed_by_channel', totals: asNetAmount(owedByChannel) },
      { kind: 'owed_to_channel', totals: asNetAmount(owedToChannel) },
      { kind: 'balance', totals: asNetAmount(owedByChannel - owedToChannel) },
    ];
  }
}
