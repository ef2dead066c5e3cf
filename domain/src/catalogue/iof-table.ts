import { IOF_CLASSES, IOF_RATES, type IofRate } from '../pricing/iof.ts';
import { addMonths, type CalendarDate, parseDate } from '../values/calendar.ts';
import { name } from './fields.ts';
import { list, oneOf, ppm, type Reading, read, record, text } from './reading.ts';

const keyOf = ({ iofClass, from }: IofRate): string => `${from} ${iofClass}`;

const isSameRow = (one: IofRate, other: IofRate): boolean => keyOf(one) === keyOf(other);

const isEqual = (one: IofRate, other: IofRate): boolean =>
  isSameRow(one, other) && one.rate === other.rate && one.legalBasis === other.legalBasis;

/**
 * The table in force: the law's rates and those that operators added, in the order in which they
 * were added. A later row replaces an earlier one of the same class and day.
 */
export const mergeIofRates = (
  added: readonly IofRate[],
  law: readonly IofRate[] = IOF_RATES,
): readonly IofRate[] => {
  const rows = new Map([...law, ...added].map((row) => [keyOf(row), row]));
  return [...rows.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

/** A rate may be announced this many months before it takes effect. */
const ANNOUNCED_MONTHS = 120;

/** IOF is 25 % at most (Decreto 6.306/2007, art. 21). */
const MAX_IOF_PPM = 250_000;

const rows = list<IofRate>(
  record({
    iofClass: oneOf(IOF_CLASSES),
    from: text<CalendarDate>(
      10,
      { test: (given) => parseDate(given) !== undefined },
      'a date: YYYY-MM-DD',
      'deve ser uma data, AAAA-MM-DD, de hoje a dez anos adiante',
    ),
    rate: ppm(0, MAX_IOF_PPM),
    legalBasis: name,
  }),
);

/** The fields of the rows. */
export const IOF_RATES_SHAPE = rows.shape;

/**
 * Reads rows to add to a table. Rows that the table has already are left out, so that a table that
 * was read can be sent back with more rows.
 *
 * Refuses a row that begins before today, and one that changes a row in force: what was priced with
 * it stays explained.
 */
export const readIofRates = (
  input: unknown,
  table: readonly IofRate[],
  today: CalendarDate,
): Reading<readonly IofRate[]> =>
  read((value, path, note) => {
    const given = rows(value, path, note);
    if (given === undefined) return given;
    const latest = addMonths(today, ANNOUNCED_MONTHS);

    return given.filter((row, index) => {
      if (row?.from === undefined || row.iofClass === undefined) return false;
      if (table.some((each) => isEqual(each, row))) return false;
      const place = `${index}.from`;
      const isInForce = table.some((each) => isSameRow(each, row)) && row.from <= today;
      if (isInForce) note(place, 'in_force', row.from);
      else if (row.from < today || row.from > latest)
        note(place, 'out_of_range', `${today} to ${latest}`);
      if (given.findIndex((each) => each !== undefined && isSameRow(each, row)) < index)
        note(place, 'repeated');
      return true;
    });
  }, input);
