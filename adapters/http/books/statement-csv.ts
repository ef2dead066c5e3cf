import { stringify } from 'csv-stringify/sync';
import {
  type BookTotals,
  type Cents,
  type Collector,
  formatDecimal,
  NO_LINES,
  withLine,
} from '#domain';
import type { StatementLine } from '../../../application/statements/channel-statement.ts';
import { guardFormulas } from './formula-guards.ts';
import {
  COLUMNS,
  factsOf,
  figuresOf,
  headerOf,
  pendingOf,
  type TableLocale,
  textCells,
} from './statement-lines.ts';

/** How a table is written: by RFC 4180, or as the spreadsheets of a country open it. */
interface CsvStyle {
  readonly delimiter: string;
  readonly decimalMark: string;
  /** Tells Excel that the file is UTF-8. */
  readonly byteOrderMark: string;
}

const RFC_4180: CsvStyle = { delimiter: ',', decimalMark: '.', byteOrderMark: '' };

const STYLES: Readonly<Record<TableLocale, CsvStyle>> = {
  'pt-BR': { delimiter: ';', decimalMark: ',', byteOrderMark: '\uFEFF' },
};

/** Writes the rows of a table in a style. */
const rowWriter = ({ delimiter, decimalMark }: CsvStyle) => {
  const writeRow = (row: object): string =>
    stringify([row], { columns: [...COLUMNS], delimiter, record_delimiter: 'windows' });

  const decimal = (cents: Cents | bigint): string => formatDecimal(cents).replace('.', decimalMark);

  return {
    writeHeader: (locale: TableLocale | undefined) =>
      `${COLUMNS.map((name) => headerOf(name, locale)).join(delimiter)}\r\n`,

    writeLine: (each: StatementLine): string =>
      writeRow({
        ...factsOf(each),
        ...textCells(each, guardFormulas),
        ...figuresOf<Cents, string>(each.booking, decimal),
        refund_pending: decimal(pendingOf(each)),
      }),

    writeTotals: (totals: BookTotals, collectedBy: Collector | ''): string =>
      writeRow({
        type: 'total',
        collected_by: collectedBy,
        ...figuresOf<bigint, string>(totals, decimal),
      }),
  };
};

/**
 * Writes a statement as CSV. The last lines are the totals of what the channel collected, of what
 * the service collected, and of both.
 */
export async function* writeCsv(
  lines: AsyncIterable<StatementLine>,
  locale?: TableLocale,
): AsyncIterable<string> {
  const style = locale === undefined ? RFC_4180 : STYLES[locale];
  const { writeHeader, writeLine, writeTotals } = rowWriter(style);
  const totals = { channel: NO_LINES, service: NO_LINES };
  let all = NO_LINES;

  yield style.byteOrderMark + writeHeader(locale);
  for await (const each of lines) {
    yield writeLine(each);
    const { booking } = each;
    totals[booking.collectedBy] = withLine(totals[booking.collectedBy], booking);
    all = withLine(all, booking);
  }
  yield writeTotals(totals.channel, 'channel') +
    writeTotals(totals.service, 'service') +
    writeTotals(all, '');
}
