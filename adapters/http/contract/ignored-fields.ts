import { distance } from 'fastest-levenshtein';
import type { TSchema } from 'typebox';
import { complain, type FieldFaults, writeNames } from './field-faults.ts';
import type { NestedSchemas } from './validation.ts';

/** A field that a schema does not know. */
export interface IgnoredField {
  /** Dotted, with the positions of list items: `additionalInsured.0.mail`. */
  readonly path: string;
  /** The field that the partner probably meant, dotted; undefined if none is like it. */
  readonly meant: string | undefined;
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

/** Returns a function that finds the fields of a body which the schema does not know. */
export const compileIgnoredFields = (
  schema: TSchema,
): ((body: object) => readonly IgnoredField[]) => {
  const root = compileLevel(schema);
  return function findIgnoredFields(body) {
    const found: IgnoredField[] = [];
    collect(body, root, '', found);
    return found;
  };
};

const collect = (value: object, level: Level, path: string, found: IgnoredField[]): void => {
  const { children, items } = level;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (items !== undefined && isObject(item)) collect(item, items, `${path}${index}.`, found);
    return;
  }
  // An object of any fields, such as `attributes`.
  if (children.size === 0) return;
  for (const name of Object.keys(value)) {
    if (found.length === MAX_IGNORED) return;
    const child = children.get(name);
    const field = (value as Record<string, unknown>)[name];
    if (child === undefined)
      found.push({ path: `${path}${name}`, meant: prefixed(path, likeName(name, children)) });
    else if (isObject(field)) collect(field, child, `${path}${name}.`, found);
  }
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const prefixed = (path: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${path}${name}`;

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

/** The header that names the ignored fields of a body. */
export const ignoredFieldsHeader = (ignored: readonly IgnoredField[]): string =>
  writeNames(ignored.map(({ path }) => path));

/** A complaint about each field that is a likely typo. */
export const complainOfTypos = (ignored: readonly IgnoredField[]): FieldFaults =>
  Object.fromEntries(
    ignored.flatMap(({ path, meant }) =>
      meant === undefined
        ? []
        : [[path, [complain('unknown', `O campo ${path} não é conhecido. Seria ${meant}?`)]]],
    ),
  );
