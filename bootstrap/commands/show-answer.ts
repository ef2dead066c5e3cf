type Row = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** What a terminal takes as a command, or as a change of the reading direction. */
const CONTROLS = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A value in one cell. Names and notes come from partners, so they must not control the terminal. */
const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (isRows(value)) return String(value.length);
  if (Array.isArray(value)) return value.map(cellOf).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${cellOf(each)}`)
      .join(', ');
  return String(value).replaceAll(CONTROLS, '\uFFFD');
};

/** Columns without borders: people copy from the table. */
const inColumns = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
  const padded = rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)));
  return padded.map((row) => row.join('  ').trimEnd()).join('\n');
};

const widthOf = (table: string): number =>
  Math.max(...table.split('\n').map((line) => line.length));

const showFields = (row: Row): string => {
  const fields = Object.entries(row);
  const plain = fields.filter(([, value]) => !isRows(value));
  const inner = fields.flatMap(([name, value]) =>
    isRows(value) ? [`${name}:`, showRows(value).replaceAll(/^/gm, '  ')] : [],
  );
  return [inColumns(plain.map(([name, value]) => [name, cellOf(value)])), ...inner].join('\n');
};

const showRows = (rows: readonly Row[], width = Number.POSITIVE_INFINITY): string => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => names.map((name) => cellOf(row[name])));
  const text = inColumns([names, ...cells]);
  return widthOf(text) <= width ? text : rows.map(showFields).join('\n\n');
};

/**
 * An answer as a table for a terminal. If its rows are wider than the terminal, each has lines of
 * its own.
 *
 * @param width columns of the terminal; undefined: not known
 */
export const showTable = (answer: object, width: number | undefined): string => {
  if (isObject(answer)) return showFields(answer);
  return isRows(answer) ? showRows(answer, width) : 'none';
};
