import { distance } from 'fastest-levenshtein';
import { LRUCache } from 'lru-cache';
import type { TSchema } from 'typebox';
import { complain, type FieldFaults, writeNames } from './field-faults.ts';
import type { NestedSchemas } from './formats.ts';

/** Fields that a schema does not know, and what is said of them. */
export interface IgnoredFields {
  /** The value of `X-Ignored-Fields`. */
  readonly header: string;
  /** A complaint about each field that is a likely typo. */
  readonly typos: FieldFaults;
}

/** More are not looked at. */
const MAX_IGNORED = 50;

interface Level {
  readonly children: ReadonlyMap<string, Level>;
  readonly items?: Level;
}

const compileLevel = (schema: TSchema): Level => {
  const { properties = {}, items } = schema as NestedSchemas;
  return {
    children: new Map(
      Object.entries(properties).map(([name, field]) => [name, compileLevel(field)]),
    ),
    ...(items && { items: compileLevel(items) }),
  };
};

/** A partner sends the same unknown fields with each sale: what is said of them is kept. */
const MAX_KEPT = 500;

/** Longer lists of names are not kept. */
const MAX_KEPT_LENGTH = 1_000;

/** Returns a function that finds the fields of a body which the schema does not know. */
export const compileIgnoredFields = (
  schema: TSchema,
): ((body: object) => IgnoredFields | undefined) => {
  const root = compileLevel(schema);
  const kept = new LRUCache<string, IgnoredFields>({ max: MAX_KEPT });

  return function findIgnoredFields(body) {
    const found: Unknown[] = [];
    collect(body, root, '', found);
    if (found.length === 0) return undefined;

    const paths = found.map(({ prefix, name }) => `${prefix}${name}`);
    const names = paths.join('\n');
    const known = kept.get(names);
    if (known !== undefined) return known;
    const ignored = { header: writeNames(paths), typos: complainOfTypos(found) };
    if (names.length <= MAX_KEPT_LENGTH) kept.set(names, ignored);
    return ignored;
  };
};

/** A field that a level of the schema does not know. */
interface Unknown {
  /** The path of the level, with a dot at its end: `device.`, `additionalInsured.0.`. */
  readonly prefix: string;
  readonly name: string;
  readonly level: Level;
}

const collect = (value: object, level: Level, prefix: string, found: Unknown[]): void => {
  const { children, items } = level;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (items !== undefined && isObject(item)) collect(item, items, `${prefix}${index}.`, found);
    return;
  }
  // An object of any fields, such as `attributes`.
  if (children.size === 0) return;
  for (const name of Object.keys(value)) {
    if (found.length === MAX_IGNORED) return;
    const child = children.get(name);
    const field = (value as Record<string, unknown>)[name];
    if (child === undefined) found.push({ prefix, name, level });
    else if (isObject(field)) collect(field, child, `${prefix}${name}.`, found);
  }
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** `plan_code`, `planCode` and `plan.code` are the same word. */
const wordOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Longer names are no typos, and comparing them costs time. */
const MAX_TYPO_LENGTH = 60;

/** Words shorter than 4 letters are too short to be like another; from 8 on, two edits may differ. */
const editsIn = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/** The known field that a name is a likely typo of: its own, or one inside it (`planCode`). */
const likeName = (name: string, children: Level['children']): string | undefined => {
  if (name.length > MAX_TYPO_LENGTH) return undefined;
  const word = wordOf(name);
  for (const known of namesIn(children))
    if (distance(word, wordOf(known)) <= editsIn(word)) return known;
  // `planCode` where `plan` is an object.
  for (const [known, child] of children)
    if ((child.items ?? child).children.size > 0 && continues(name, known)) return known;
  return undefined;
};

const continues = (name: string, known: string): boolean =>
  name.startsWith(known) && /^[A-Z_.-]/.test(name.slice(known.length));

function* namesIn(children: Level['children']): Generator<string> {
  for (const [name, child] of children) {
    yield name;
    for (const inner of (child.items ?? child).children.keys()) yield `${name}.${inner}`;
  }
}

const complainOfTypos = (unknown: readonly Unknown[]): FieldFaults =>
  Object.fromEntries(
    unknown.flatMap(({ prefix, name, level }) => {
      const meant = likeName(name, level.children);
      if (meant === undefined) return [];
      const path = `${prefix}${name}`;
      const message = `O campo ${path} não é conhecido. Seria ${prefix}${meant}?`;
      return [[path, [complain('unknown', message)]]];
    }),
  );
