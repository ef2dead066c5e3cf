import { type Cents, MAX_AMOUNT, type Rate } from '../money/money.ts';
import type { Json, JsonObject } from '../values/json.ts';

/** What is wrong with a piece of catalogue data. */
export type FaultKind =
  | 'missing'
  | 'unknown_field'
  | 'not_an_object'
  | 'not_a_list'
  | 'not_json'
  | 'too_deep'
  | 'too_large'
  | 'too_long_to_match'
  | 'empty_list'
  | 'not_a_text'
  | 'badly_formed'
  | 'not_a_whole_number'
  | 'out_of_range'
  | 'not_true_or_false'
  | 'not_one_of_these'
  | 'repeated'
  | 'not_found'
  | 'above_cap';

/** A fault and its place, by dotted path: `plans.0.tariff.rate`; the whole is the empty path. */
export interface Fault {
  readonly path: string;
  readonly kind: FaultKind;
  /** What would have been right, where that can be said in a few words: `net, gross`; `1 to 60`. */
  readonly expected?: string;
}

/** Data that was read whole, or every fault in it. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Notes a fault at a place. */
export type Note = (path: string, kind: FaultKind, expected?: string) => void;

/** Reads one value at a place, noting faults. What it returns counts only when nothing was noted. */
export type Reader<Value> = (value: unknown, path: string, note: Note) => Value;

/** Reads the whole of `input`, and goes on after a fault, to find the others. */
export const read = <Value>(reader: Reader<Value>, input: unknown): Reading<Value> => {
  const faults: Fault[] = [];
  const value = reader(input, '', (path, kind, expected) => {
    faults.push(expected === undefined ? { path, kind } : { path, kind, expected });
  });
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
};

/** Returned in place of what could not be read; never seen by whoever reads without faults. */
const unread = undefined as never;

const within = (path: string, name: string | number): string =>
  path === '' ? `${name}` : `${path}.${name}`;

/** A value for which `fits` finds no fault. */
const checked =
  <Value>(fits: (value: unknown) => FaultKind | undefined, expected?: string): Reader<Value> =>
  (value, path, note) => {
    const fault = fits(value);
    if (fault === undefined) return value as Value;
    note(path, fault, expected);
    return unread;
  };

/** A text that passes a test, as a regular expression has one; `expected` says which in words. */
export const text = <Text extends string = string>(
  pattern: { test(text: string): boolean },
  expected: string,
): Reader<Text> =>
  checked(
    (value) =>
      typeof value !== 'string' ? 'not_a_text' : pattern.test(value) ? undefined : 'badly_formed',
    expected,
  );

export const whole = (least: number, most: number): Reader<number> =>
  checked((value) => {
    if (!Number.isInteger(value)) return 'not_a_whole_number';
    return (value as number) < least || (value as number) > most ? 'out_of_range' : undefined;
  }, `${least} to ${most}`);

export const amount = (least: number): Reader<Cents> => whole(least, MAX_AMOUNT) as Reader<Cents>;

export const ppm = (least: number): Reader<Rate> => whole(least, 1_000_000) as Reader<Rate>;

export const flag: Reader<boolean> = checked((value) =>
  typeof value === 'boolean' ? undefined : 'not_true_or_false',
);

export const oneOf = <Value extends string>(values: readonly Value[]): Reader<Value> =>
  checked(
    (value) => (values.includes(value as Value) ? undefined : 'not_one_of_these'),
    values.join(', '),
  );

export const list =
  <Value>(item: Reader<Value>): Reader<readonly Value[]> =>
  (value, path, note) => {
    if (Array.isArray(value))
      return Array.from(value, (each, index) => item(each, within(path, index), note));
    note(path, 'not_a_list');
    return unread;
  };

/** A list that holds something. */
export const filled =
  <Value>(items: Reader<readonly Value[]>): Reader<readonly [Value, ...Value[]]> =>
  (value, path, note) => {
    const found = items(value, path, note);
    if (found?.length === 0) note(path, 'empty_list');
    return found as readonly [Value, ...Value[]];
  };

/** Notes every name that an earlier one in the list has taken, at its place. */
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

/** A list in which no two items have the same value in one of these fields. */
export const distinct =
  <Value extends object>(
    items: Reader<readonly Value[]>,
    ...fields: readonly (keyof Value & string)[]
  ): Reader<readonly Value[]> =>
  (value, path, note) => {
    const found = items(value, path, note);
    if (found === undefined) return unread;
    for (const field of fields) {
      const place = (index: number): string => within(within(path, index), field);
      noteRepeated(
        found.map((each, index) => ({ name: each?.[field], place: place(index) })),
        note,
      );
    }
    return found;
  };

const isRecord = (value: unknown, path: string, note: Note): value is object => {
  const found = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!found) note(path, 'not_an_object');
  return found;
};

/** A field that may be left out is one whose type says so. */
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

/** An object of exactly these fields, and perhaps some of the optional ones. */
export const record =
  <Value extends object>(
    fields: Readers<Value>,
    ...[optional]: keyof OptionalReaders<Value> extends never ? [] : [OptionalReaders<Value>]
  ): Reader<Value> =>
  (value, path, note) => {
    if (!isRecord(value, path, note)) return unread;
    const given = new Map<string, unknown>(Object.entries(value));
    const known: Readonly<Record<string, Reader<unknown>>> = { ...fields, ...optional };
    for (const name of given.keys())
      if (!Object.hasOwn(known, name)) note(within(path, name), 'unknown_field');
    const entries = Object.entries(known).flatMap(([name, reader]) => {
      if (given.has(name)) return [[name, reader(given.get(name), within(path, name), note)]];
      if (Object.hasOwn(fields, name)) note(within(path, name), 'missing');
      return [];
    });
    return Object.fromEntries(entries) as Value;
  };

/** An object that says by its `kind` which fields it has. */
export const kinded =
  <Value extends { readonly kind: string }>(
    kinds: {
      readonly [Kind in Value['kind']]: Reader<Extract<Value, { readonly kind: Kind }>>;
    },
  ): Reader<Value> =>
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
  };

/** Levels and values that an object of JSON may have: more than any product needs, few enough for whatever works on them. */
const MOST_LEVELS = 12;
const MOST_VALUES = 1_000;

/** Any object of JSON, of a reasonable size. */
export const jsonObject: Reader<JsonObject> = (value, path, note) => {
  let left = MOST_VALUES;
  const copy = (found: unknown, place: string, levels: number): Json => {
    left -= 1;
    if (left === -1) note(path, 'too_large', `${MOST_VALUES}`);
    if (left < 0) return null;
    if (typeof found !== 'object' || found === null) return scalar(found, place, note);
    if (levels === 0) {
      note(place, 'too_deep', `${MOST_LEVELS}`);
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
  return isRecord(value, path, note) ? (copy(value, path, MOST_LEVELS) as JsonObject) : unread;
};

/** PostgreSQL keeps no NUL in JSON, and no half of a character. */
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
