import { type Cents, MAX_AMOUNT, type Rate } from '../values/money.ts';
import type { Fault, FaultKind } from './faults.ts';

/** The value that was read, or all faults in the input. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Records a fault at a path. */
export type Note = (path: string, kind: FaultKind, expected?: string) => void;

/** What a reader accepts: schemas, conversions of units and messages follow from it. */
export interface Shape {
  readonly type:
    | 'text'
    | 'whole'
    | 'cents'
    | 'ppm'
    | 'flag'
    | 'choice'
    | 'json'
    | 'list'
    | 'object';
  /** The least value of a number, the least length of a list. */
  readonly least?: number;
  /** The greatest value of a number, the greatest length of a text. */
  readonly most?: number;
  /** Completes "O campo x …". Absent: the kind of a fault says enough. */
  readonly complaint?: string;
  /** The values of a choice. */
  readonly values?: readonly string[];
  /** The shape of a list's items. */
  readonly item?: Shape;
  /** The shapes of an object's fields; with a `kind`, the fields of all kinds. */
  readonly fields?: Readonly<Record<string, Shape>>;
  /** The fields that every such object has. */
  readonly required?: readonly string[];
}

type Read<Value> = (value: unknown, path: string, note: Note) => Value;

/** Reads the value at a path and notes its faults. With a fault the result is not valid. */
export interface Reader<Value> extends Read<Value> {
  readonly shape: Shape;
}

/** What a reader reads. */
export type ReadBy<Of> = Of extends Read<infer Value> ? Value : never;

/** A reader that says what it accepts. */
export const shaped = <Value>(shape: Shape, read: Read<Value>): Reader<Value> =>
  Object.assign(read, { shape });

/** A reader that checks more of what another has read, which is undefined if it has a fault. */
export const refined = <Value, Refined extends Value = Value>(
  base: Reader<Value>,
  check: (found: Value, path: string, note: Note) => void,
): Reader<Refined> =>
  shaped(base.shape, (value, path, note) => {
    const found = base(value, path, note);
    if (found !== undefined) check(found, path, note);
    return found as Refined;
  });

/** Reads `input` and collects all faults: it does not stop at the first. */
export const read = <Value>(reader: Read<Value>, input: unknown): Reading<Value> => {
  const faults: Fault[] = [];
  const value = reader(input, '', (path, kind, expected) => {
    faults.push(expected === undefined ? { path, kind } : { path, kind, expected });
  });
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
};

/** Stands for a value with a fault. `read` never returns it, because it returns the faults. */
export const unread = undefined as never;

export const within = (path: string, name: string | number): string =>
  path === '' ? `${name}` : `${path}.${name}`;

/** Accepts a value for which `findFault` returns undefined. */
const checked = <Value>(
  shape: Shape,
  findFault: (value: unknown) => FaultKind | undefined,
  expected?: string,
): Reader<Value> =>
  shaped(shape, (value, path, note) => {
    const fault = findFault(value);
    if (fault === undefined) return value as Value;
    note(path, fault, expected);
    return unread;
  });

/**
 * A text of up to `most` characters that matches `pattern`. `expected` describes the pattern for
 * people, and so does `complaint`, which completes "O campo x …".
 */
export const text = <Text extends string = string>(
  most: number,
  pattern: { test(text: string): boolean },
  expected: string,
  complaint: string,
): Reader<Text> =>
  checked(
    { type: 'text', most, complaint },
    (value) =>
      typeof value !== 'string' ? 'not_a_text' : pattern.test(value) ? undefined : 'badly_formed',
    expected,
  );

const numeric =
  <Value extends number>(type: 'whole' | 'cents' | 'ppm', limit: number) =>
  (least: number, most = limit): Reader<Value> =>
    checked(
      { type, least, most },
      (value) => {
        if (!Number.isInteger(value)) return 'not_a_whole_number';
        return (value as number) < least || (value as number) > most ? 'out_of_range' : undefined;
      },
      `${least} to ${most}`,
    );

export const whole = numeric<number>('whole', 2_147_483_647);
export const amount = numeric<Cents>('cents', MAX_AMOUNT);
export const ppm = numeric<Rate>('ppm', 1_000_000);

export const flag: Reader<boolean> = checked({ type: 'flag' }, (value) =>
  typeof value === 'boolean' ? undefined : 'not_true_or_false',
);

export const oneOf = <const Value extends string>(values: readonly Value[]): Reader<Value> =>
  checked(
    { type: 'choice', values },
    (value) => (values.includes(value as Value) ? undefined : 'not_one_of_these'),
    values.join(', '),
  );

export const list = <Value>(item: Reader<Value>): Reader<readonly Value[]> =>
  shaped({ type: 'list', item: item.shape }, (value, path, note) => {
    if (Array.isArray(value))
      return Array.from(value, (each, index) => item(each, within(path, index), note));
    note(path, 'not_a_list');
    return unread;
  });

/** A list of at least one item. */
export const filled = <Value>(
  items: Reader<readonly Value[]>,
): Reader<readonly [Value, ...Value[]]> =>
  shaped(
    { ...items.shape, least: 1 },
    refined(items, (found, path, note) => {
      if (found.length === 0) note(path, 'empty_list');
    }),
  );

/** Notes each name that occurs earlier in the list. */
export const noteRepeated = (
  named: readonly { readonly name: unknown; readonly place: string }[],
  note: Note,
): void => {
  const taken = new Set<unknown>();
  for (const { name, place } of named) {
    if (name !== undefined && taken.has(name)) note(place, 'repeated');
    taken.add(name);
  }
};

/** A list in which each of these fields has distinct values. */
export const distinct = <Value extends object>(
  items: Reader<readonly Value[]>,
  ...fields: readonly (keyof Value & string)[]
): Reader<readonly Value[]> =>
  refined(items, (found, path, note) => {
    for (const field of fields) {
      const place = (index: number): string => within(within(path, index), field);
      noteRepeated(
        found.map((each, index) => ({ name: each?.[field], place: place(index) })),
        note,
      );
    }
  });

export const isRecord = (value: unknown, path: string, note: Note): value is object => {
  const found = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!found) note(path, 'not_an_object');
  return found;
};

type Readers = Readonly<Record<string, Reader<unknown>>>;

/** What `record` reads. */
export type Recorded<Required, Optional> = {
  readonly [Name in keyof Required]: ReadBy<Required[Name]>;
} & { readonly [Name in keyof Optional]?: ReadBy<Optional[Name]> };

const shapesOf = (readers: Readers): NonNullable<Shape['fields']> =>
  Object.fromEntries(Object.entries(readers).map(([name, { shape }]) => [name, shape]));

/** An object with all `fields`, any of the `optional` ones, and no other field. */
export const record = <Required extends Readers, Optional extends Readers = Record<never, never>>(
  fields: Required,
  optional?: Optional,
): Reader<Recorded<Required, NoInfer<Optional>>> => {
  const known: Readers = { ...fields, ...optional };
  const required = Object.keys(fields);
  return shaped({ type: 'object', fields: shapesOf(known), required }, (value, path, note) => {
    if (!isRecord(value, path, note)) return unread;
    const given = new Map<string, unknown>(Object.entries(value));
    for (const name of given.keys())
      if (!Object.hasOwn(known, name)) note(within(path, name), 'unknown_field');
    const entries = Object.entries(known).flatMap(([name, reader]) => {
      if (given.has(name)) return [[name, reader(given.get(name), within(path, name), note)]];
      if (Object.hasOwn(fields, name)) note(within(path, name), 'missing');
      return [];
    });
    return Object.fromEntries(entries) as Recorded<Required, Optional>;
  });
};

/** An object whose `kind` selects its other fields. */
export const kinded = <Value extends { readonly kind: string }>(
  kinds: {
    readonly [Kind in Value['kind']]: {
      readonly [Name in Exclude<keyof Extract<Value, { readonly kind: Kind }>, 'kind'>]: Reader<
        Extract<Value, { readonly kind: Kind }>[Name]
      >;
    };
  },
): Reader<Value> => {
  const entries = Object.entries<Readers>(kinds);
  const values = entries.map(([kind]) => kind);
  const readers = new Map(
    entries.map(([kind, fields]) => [kind, record({ kind: oneOf([kind]), ...fields })]),
  );
  const kind = { type: 'choice', values } as const;
  const fields = Object.assign({ kind }, ...entries.map(([, each]) => shapesOf(each)));
  return shaped({ type: 'object', fields, required: ['kind'] }, (value, path, note) => {
    if (!isRecord(value, path, note)) return unread;
    const named = 'kind' in value ? value.kind : undefined;
    const reader = readers.get(named as string);
    if (reader !== undefined) return reader(value, path, note) as unknown as Value;
    const fault = named === undefined ? 'missing' : 'not_one_of_these';
    note(within(path, 'kind'), fault, values.join(', '));
    return unread;
  });
};
