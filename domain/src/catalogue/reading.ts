import { type Cents, MAX_AMOUNT, type Rate } from '../money/money.ts';
import type { Json, JsonObject } from '../values/json.ts';

const KINDS = [
  'missing',
  'unknown_field',
  'not_an_object',
  'not_a_list',
  'not_json',
  'too_deep',
  'too_large',
  'too_many_patterns',
  'pattern_too_large',
  'too_long_to_match',
  'empty_list',
  'not_a_text',
  'badly_formed',
  'not_a_whole_number',
  'out_of_range',
  'not_true_or_false',
  'not_one_of_these',
  'repeated',
  'not_found',
  'above_cap',
  'in_force',
  'shares_not_whole',
  'shares_above_whole',
  'priced_twice',
] as const;

/** What is wrong with a piece of catalogue data. `messageOf` tells it to people. */
export type FaultKind = (typeof KINDS)[number];

/** Lists every kind of fault, once. @example FAULT_KINDS.includes('missing') // true */
export const FAULT_KINDS: readonly FaultKind[] = KINDS;

/** A fault and its dotted path: `plans.0.tariff.rate`. The empty path is the whole input. */
export interface Fault {
  readonly path: string;
  readonly kind: FaultKind;
  /** The accepted values, if a few words can tell: `net, gross`; `1 to 60`. */
  readonly expected?: string;
}

/** The value that was read, or all faults in the input. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Records a fault at a path. */
export type Note = (path: string, kind: FaultKind, expected?: string) => void;

/** What a reader accepts, for those who translate the data and their faults for others. */
export interface Shape {
  /** The unit of a number that has one. */
  readonly unit?: 'cents' | 'ppm';
  /** The least value of a number. */
  readonly least?: number;
  /** Completes "O campo x …". Absent: the kind of a fault says enough. */
  readonly complaint?: string;
  /** The shape of a list's items. */
  readonly item?: Shape;
  /** The shapes of an object's fields; with a `kind`, the fields of all kinds. */
  readonly fields?: Readonly<Record<string, Shape>>;
}

/** Reads the value at a path and notes its faults. The result is valid only if there are none. */
export interface Reader<Value> {
  (value: unknown, path: string, note: Note): Value;
  readonly shape?: Shape;
}

/** A reader that says what it accepts. */
export const shaped = <Value>(read: Reader<Value>, shape: Shape | undefined): Reader<Value> =>
  shape === undefined ? read : Object.assign(read, { shape });

/** A reader that checks more of what another has read, which is undefined if it has a fault. */
export const refined = <Value, Refined extends Value = Value>(
  base: Reader<Value>,
  check: (found: Value, path: string, note: Note) => void,
): Reader<Refined> =>
  shaped<Refined>((value, path, note) => {
    const found = base(value, path, note);
    if (found !== undefined) check(found, path, note);
    return found as Refined;
  }, base.shape);

/** Reads `input` and collects all faults: it does not stop at the first. */
export const read = <Value>(reader: Reader<Value>, input: unknown): Reading<Value> => {
  const faults: Fault[] = [];
  const value = reader(input, '', (path, kind, expected) => {
    faults.push(expected === undefined ? { path, kind } : { path, kind, expected });
  });
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
};

/** Stands for a value with a fault. `read` never returns it, because it returns the faults. */
const unread = undefined as never;

const within = (path: string, name: string | number): string =>
  path === '' ? `${name}` : `${path}.${name}`;

/** Accepts a value for which `findFault` returns undefined. */
const checked = <Value>(
  findFault: (value: unknown) => FaultKind | undefined,
  expected?: string,
  shape?: Shape,
): Reader<Value> =>
  shaped((value, path, note) => {
    const fault = findFault(value);
    if (fault === undefined) return value as Value;
    note(path, fault, expected);
    return unread;
  }, shape);

/**
 * A text that matches `pattern`. `expected` describes the pattern for people, and so does
 * `complaint`, which completes "O campo x …".
 */
export const text = <Text extends string = string>(
  pattern: { test(text: string): boolean },
  expected: string,
  complaint: string,
): Reader<Text> =>
  checked(
    (value) =>
      typeof value !== 'string' ? 'not_a_text' : pattern.test(value) ? undefined : 'badly_formed',
    expected,
    { complaint },
  );

export const whole = (least: number, most: number, unit?: Shape['unit']): Reader<number> =>
  checked(
    (value) => {
      if (!Number.isInteger(value)) return 'not_a_whole_number';
      return (value as number) < least || (value as number) > most ? 'out_of_range' : undefined;
    },
    `${least} to ${most}`,
    unit && { unit, least },
  );

export const amount = (least: number): Reader<Cents> =>
  whole(least, MAX_AMOUNT, 'cents') as Reader<Cents>;

export const ppm = (least: number, most = 1_000_000): Reader<Rate> =>
  whole(least, most, 'ppm') as Reader<Rate>;

export const flag: Reader<boolean> = checked((value) =>
  typeof value === 'boolean' ? undefined : 'not_true_or_false',
);

export const oneOf = <Value extends string>(values: readonly Value[]): Reader<Value> =>
  checked(
    (value) => (values.includes(value as Value) ? undefined : 'not_one_of_these'),
    values.join(', '),
  );

export const list = <Value>(item: Reader<Value>): Reader<readonly Value[]> =>
  shaped((value, path, note) => {
    if (Array.isArray(value))
      return Array.from(value, (each, index) => item(each, within(path, index), note));
    note(path, 'not_a_list');
    return unread;
  }, item.shape && { item: item.shape });

/** A list of at least one item. */
export const filled = <Value>(
  items: Reader<readonly Value[]>,
): Reader<readonly [Value, ...Value[]]> =>
  refined(items, (found, path, note) => {
    if (found.length === 0) note(path, 'empty_list');
  });

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

const isRecord = (value: unknown, path: string, note: Note): value is object => {
  const found = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!found) note(path, 'not_an_object');
  return found;
};

/** The required fields of `Value` get a reader here, the optional ones in `OptionalReaders`. */
type Readers<Value> = {
  readonly [Name in keyof Value as Pick<Value, Name> extends Required<Pick<Value, Name>>
    ? Name
    : never]: Reader<Value[Name]>;
};
type OptionalReaders<Value> = {
  readonly [Name in keyof Value as Pick<Value, Name> extends Required<Pick<Value, Name>>
    ? never
    : Name]-?: Reader<Exclude<Value[Name], undefined>>;
};

type NamedReaders = Readonly<Record<string, Reader<unknown>>>;

const shapesOf = (readers: NamedReaders): NonNullable<Shape['fields']> =>
  Object.fromEntries(
    Object.entries(readers).flatMap(([name, { shape }]) => (shape ? [[name, shape]] : [])),
  );

/** An object with all `fields`, any of the `optional` ones, and no other field. */
export const record = <Value extends object>(
  fields: Readers<Value>,
  ...[optional]: keyof OptionalReaders<Value> extends never ? [] : [OptionalReaders<Value>]
): Reader<Value> => {
  const known = { ...fields, ...optional } as NamedReaders;
  return shaped(
    (value, path, note) => {
      if (!isRecord(value, path, note)) return unread;
      const given = new Map<string, unknown>(Object.entries(value));
      for (const name of given.keys())
        if (!Object.hasOwn(known, name)) note(within(path, name), 'unknown_field');
      const entries = Object.entries(known).flatMap(([name, reader]) => {
        if (given.has(name)) return [[name, reader(given.get(name), within(path, name), note)]];
        if (Object.hasOwn(fields, name)) note(within(path, name), 'missing');
        return [];
      });
      return Object.fromEntries(entries) as Value;
    },
    { fields: shapesOf(known) },
  );
};

/** An object whose `kind` selects the reader of its fields. */
export const kinded = <Value extends { readonly kind: string }>(
  kinds: {
    readonly [Kind in Value['kind']]: Reader<Extract<Value, { readonly kind: Kind }>>;
  },
): Reader<Value> => {
  const readers = Object.values(kinds) as readonly Reader<Value>[];
  return shaped(
    (value, path, note) => {
      if (!isRecord(value, path, note)) return unread;
      const named = 'kind' in value ? value.kind : undefined;
      if (typeof named === 'string' && Object.hasOwn(kinds, named))
        return kinds[named as Value['kind']](value, path, note) as Value;
      note(
        within(path, 'kind'),
        named === undefined ? 'missing' : 'not_one_of_these',
        Object.keys(kinds).join(', '),
      );
      return unread;
    },
    { fields: Object.assign({}, ...readers.map(({ shape }) => shape?.fields)) },
  );
};

/** Limits of a JSON object: more than a product needs, and cheap to walk through. */
const MAX_JSON_LEVELS = 12;
const MAX_JSON_VALUES = 1_000;

/** Any JSON object within the limits, copied. */
export const jsonObject: Reader<JsonObject> = (value, path, note) => {
  let left = MAX_JSON_VALUES;
  const copy = (found: unknown, place: string, levels: number): Json => {
    left -= 1;
    if (left === -1) note(path, 'too_large', `${MAX_JSON_VALUES}`);
    if (left < 0) return null;
    if (typeof found !== 'object' || found === null) return scalar(found, place, note);
    if (levels === 0) {
      note(place, 'too_deep', `${MAX_JSON_LEVELS}`);
      return null;
    }
    if (Array.isArray(found))
      return found.map((each, index) => copy(each, within(place, index), levels - 1));
    const entries = Object.entries(found).map(([name, each]) => {
      if (!isStorable(name)) note(place, 'not_json');
      return [name, copy(each, within(place, name), levels - 1)];
    });
    return Object.fromEntries(entries) as JsonObject;
  };
  return isRecord(value, path, note) ? (copy(value, path, MAX_JSON_LEVELS) as JsonObject) : unread;
};

/** PostgreSQL stores neither NUL nor half of a surrogate pair in JSON. */
const isStorable = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text);

const scalar = (found: unknown, path: string, note: Note): Json => {
  if (
    typeof found === 'string'
      ? isStorable(found)
      : found === null || typeof found === 'boolean' || Number.isFinite(found)
  )
    return found as Json;
  note(path, 'not_json');
  return null;
};
