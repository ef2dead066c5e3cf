import { stringify } from 'csv-stringify/sync';
import { type Cents, formatDecimal } from '#domain';
import type { StatementLine } from '../../../application/statements/channel-statement.ts';
import { guardFormulas } from '../../kit/sheets/formula-guards.ts';
import {
  COLUMNS,
  factsOf,
  figuresOf,
  headerOf,
  pendingOf,
  type TableLocale,
  textCells,
} from './statement-lines.ts';
import { StatementTotals, wordsFor } from './statement-totals.ts';

/** Rows that become text together: the library takes longer to begin than to write a row. */
const ROWS_TOGETHER = 200;

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
const rowWriter = ({ delimiter, decimalMark }: CsvStyle, locale: TableLocale | undefined) => {
  const words = wordsFor(locale);
  const writeRows = (rows: readonly object[]): string =>
    stringify([...rows], { columns: [...COLUMNS], delimiter, record_delimiter: 'windows' });

  const decimal = (cents: Cents | bigint): string => formatDecimal(cents).replace('.', decimalMark);

  return {
    writeHeader: () => `${COLUMNS.map((name) => headerOf(name, locale)).join(delimiter)}\r\n`,

    writeRows,

    rowOf: (each: StatementLine): object => ({
      ...factsOf(each),
      type: words.kind(each.booking.kind),
      collected_by: words.collector(each.booking.collectedBy),
      ...textCells(each, guardFormulas),
      ...figuresOf<Cents, string>(each.booking, decimal),
      refund_pending: decimal(pendingOf(each)),
    }),

    writeTotals: (totals: StatementTotals): string =>
      writeRows(
        totals.rows().map(({ kind, collectedBy, totals: sums }) => ({
          type: words.kind(kind),
          collected_by: collectedBy && words.collector(collectedBy),
          ...figuresOf(sums, (cents) => (cents === undefined ? '' : decimal(cents))),
        })),
      ),
  };
};

/** Writes a statement as CSV. Its last rows are what the lines add up to. */
export async function* writeCsv(
  lines: AsyncIterable<StatementLine>,
  locale?: TableLocale,
): AsyncIterable<string> {
  const style = locale === undefined ? RFC_4180 : STYLES[locale];
  const { writeHeader, rowOf, writeRows, writeTotals } = rowWriter(style, locale);
  const totals = new StatementTotals();
  let rows: object[] = [];

  yield style.byteOrderMark + writeHeader();
  for await (const each of lines) {
    totals.add(each.booking);
    if (rows.push(rowOf(each)) < ROWS_TOGETHER) continue;
    yield writeRows(rows);
    rows = [];
  }
  yield writeRows(rows) + writeTotals(totals);
}
