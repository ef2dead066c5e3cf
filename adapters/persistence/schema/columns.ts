import { type Instant, instantOf } from '#domain';

/** A column: its PostgreSQL type, and how its values are read and written. */
export interface Column<Value> {
  readonly type: string;
  readonly isNullable?: boolean;
  readonly isKey?: boolean;
  /** Whether PostgreSQL numbers the rows. */
  readonly isGenerated?: boolean;
  /** Reads a value as any of the drivers returns it. */
  read(stored: unknown): Value;
  write(value: Value): unknown;
}

const column = <Value>(
  type: string,
  read: (stored: never) => Value,
  write: (value: Value) => unknown = (value) => value,
): Column<Value> => ({ type, read, write });

export const text: Column<string> = column('text', (stored: string) => stored);

/** A text that is one of a few words. */
export const word = <Word extends string>(): Column<Word> => text as Column<never> as Column<Word>;

export const uuid: Column<string> = { ...text, type: 'uuid' };

export const varchar = (length: number): Column<string> =>
  column(`varchar(${length})`, (stored: string) => stored);

export const integer: Column<number> = column('integer', (stored: number) => stored);

/** Up to 2^53: the drivers return it as text. */
export const bigint: Column<number> = column('bigint', (stored: string | number) => Number(stored));

export const double: Column<number> = column('double precision', (stored: number) =>
  Number(stored),
);

export const boolean: Column<boolean> = column('boolean', (stored: boolean) => stored);

/** The time to the millisecond. */
export const moment: Column<Instant> = column('timestamptz(3)', (stored: Date | string) =>
  instantOf(new Date(stored)),
);

/** JSON text as it was written. */
export const json = <Value>(): Column<Value> =>
  column('json', (stored: Value) => stored, JSON.stringify);

export const jsonb = <Value>(): Column<Value> => ({ ...json<Value>(), type: 'jsonb' });

export const nullable = <Value>(each: Column<Value>): Column<Value | null> => ({
  ...each,
  isNullable: true,
  read: (stored) => (stored === null || stored === undefined ? null : each.read(stored)),
  write: (value) => (value === null ? null : each.write(value)),
});

export const key = <Value>(each: Column<Value>): Column<Value> => ({ ...each, isKey: true });

export const generated = <Value>(each: Column<Value>): Column<Value> => ({
  ...each,
  isGenerated: true,
});

// biome-ignore lint/suspicious/noExplicitAny: each column reads and writes its own kind of value
export type AnyColumn = Column<any>;

export type Columns = Readonly<Record<string, AnyColumn>>;

/** A row of these columns as the service uses it: one property per column. */
export type RowOf<Some extends Columns> = {
  readonly [Name in keyof Some]: ReturnType<Some[Name]['read']>;
};

/** Some of the columns of a table. */
export const pick = <Some extends Columns, Name extends keyof Some>(
  columns: Some,
  ...names: readonly Name[]
): Pick<Some, Name> =>
  Object.fromEntries(names.map((name) => [name, columns[name]])) as unknown as Pick<Some, Name>;

/** `registeredAt` is stored in the column `registered_at`. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The list of an INSERT or a subquery: `id, registered_at`. */
export const columnNames = (columns: Columns): string =>
  Object.keys(columns).map(columnName).join(', ');

/**
 * The list of a SELECT or RETURNING, each column under the name of its property: `id::text as
 * "id"`.
 */
export const selection = (columns: Columns, source?: string): string =>
  Object.entries(columns)
    .map(([property, { type }]) => {
      const name = source ? `${source}.${columnName(property)}` : columnName(property);
      // Some drivers return a bigint as a number, others as text.
      return `${name}${type === 'bigint' ? '::text' : ''} as "${property}"`;
    })
    .join(', ');

/** The list of VALUES, a parameter per column: `$id::bigint, $registeredAt::timestamptz(3)`. */
export const parameters = (columns: Columns): string =>
  Object.entries(columns)
    .map(([property, { type }]) => `$${property}::${type}`)
    .join(', ');

/**
 * For `json_to_record`, whose fields have the properties' names: `"registeredAt" timestamptz(3)`.
 */
export const recordFields = (columns: Columns): string =>
  Object.entries(columns)
    .map(([property, { type }]) => `"${property}" ${type}`)
    .join(', ');

/** The list of a SELECT from such a record: `"registeredAt"`. */
export const recordNames = (columns: Columns, record: string): string =>
  Object.keys(columns)
    .map((property) => `${record}."${property}"`)
    .join(', ');

/**
 * For a SELECT from the parameters that `arraysOf` makes:
 * `unnest($clientId::text[], …) as given (client_id, …)`.
 */
export const unnested = (columns: Columns): string => {
  const arrays = Object.entries(columns).map(([property, { type }]) => `$${property}::${type}[]`);
  return `unnest(${arrays.join(', ')}) as given (${columnNames(columns)})`;
};

/** The values of some rows, column by column. */
export const arraysOf = <Some extends Columns>(columns: Some, rows: readonly RowOf<Some>[]) => {
  const arrays: Record<string, readonly unknown[]> = {};
  for (const [property, { write }] of Object.entries(columns))
    arrays[property] = rows.map((row) => write(row[property as keyof Some]));
  return arrays as { readonly [Name in keyof Some]: readonly unknown[] };
};

/** Makes the function that reads a row from the result of a `selection`. */
export const rowReader = <Some extends Columns>(columns: Some) => {
  const entries = Object.entries(columns);
  return function readRow(stored: object): RowOf<Some> {
    const row: Record<string, unknown> = {};
    for (const [property, { read }] of entries)
      row[property] = read(stored[property as keyof typeof stored]);
    return row as RowOf<Some>;
  };
};

/** Makes the function that turns a row into the values for `parameters`. */
export const rowWriter = <Some extends Columns>(columns: Some) => {
  const entries = Object.entries(columns);
  return function writeRow(row: RowOf<Some>): { readonly [Name in keyof Some]: unknown } {
    const values: Record<string, unknown> = {};
    for (const [property, { write }] of entries)
      values[property] = write(row[property as keyof Some]);
    return values as { readonly [Name in keyof Some]: unknown };
  };
};
