import type { TSchema } from 'typebox';
import { holdsCardNumber } from '#domain';
import { complain, type FieldFaults, writeNames } from './field-faults.ts';
import type { NestedSchemas } from './formats.ts';
import { findSimilar, namesCard } from './similar-fields.ts';

/** Returns a function that copies the fields which the schema knows. Other fields are dropped. */
export const compilePicker = (schema: TSchema): ((value: unknown) => unknown) => {
  const { properties, items } = schema as NestedSchemas;
  const pickItem = items === undefined ? keepValue : compilePicker(items);
  const fields =
    properties &&
    Object.entries(properties).map(([name, field]) => [name, compilePicker(field)] as const);
  if (items === undefined && fields === undefined) return keepValue;

  return function pickKnown(value) {
    if (Array.isArray(value)) return value.map(pickItem);
    if (fields === undefined || !isObject(value)) return value;
    const known: Record<string, unknown> = {};
    for (const [name, pickField] of fields) {
      // JSON has no undefined, and no field of a schema has the name of an inherited property.
      const field = (value as Record<string, unknown>)[name];
      if (field !== undefined) known[name] = pickField === keepValue ? field : pickField(field);
    }
    return known;
  };
};

const keepValue = (value: unknown): unknown => value;

/** Fields of a body that a schema does not know. */
export interface UnknownFields {
  /** The value of `X-Ignored-Fields`. */
  readonly header: string;
  /** A complaint about each of them, with the known field that it resembles. */
  complain(): FieldFaults;
  /** The same, about those that must not vanish: lists, objects, and what reads like a card. */
  complainOfWeighty(): FieldFaults;
}

/** More plain fields are not told, and more of the others neither. */
const MAX_UNKNOWN = 50;

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
export const compileUnknownFields = (
  schema: TSchema,
): ((body: object) => UnknownFields | undefined) => {
  const root = compileLevel(schema);

  return function findUnknownFields(body) {
    const found: Unknown[] = [];
    collect(body, root, '', found);
    if (found.length === 0) return undefined;
    return {
      header: writeNames(found.map(pathOf)),
      complain: () => complainOf(found),
      complainOfWeighty: () => complainOf(found.filter(isWeighty)),
    };
  };
};

/** A field that a level of the schema does not know. */
interface Unknown {
  /** The path of the level, with a dot at its end: `device.`, `additionalInsured.0.`. */
  readonly prefix: string;
  readonly name: string;
  readonly value: unknown;
  readonly level: Level;
  readonly beside: object;
}

/** A card number is shown nowhere, not even as a name. */
const pathOf = ({ prefix, name }: Unknown): string =>
  `${prefix}${holdsCardNumber(name) ? '***' : name}`;

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
    const child = children.get(name);
    const field = (value as Record<string, unknown>)[name];
    if (child !== undefined) {
      if (isObject(field)) collect(field, child, `${prefix}${name}.`, found);
      continue;
    }
    const unknown = { prefix, name, value: field, level, beside: value };
    const most = isWeighty(unknown) ? 2 * MAX_UNKNOWN : MAX_UNKNOWN;
    if (found.length < most) found.push(unknown);
  }
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Absent where it is null, and empty where it has nothing that could be lost. */
const isWeighty = ({ name, value }: Unknown): boolean => {
  if (value === null || value === '' || typeof value === 'boolean') return false;
  if (isObject(value)) return Object.keys(value).length > 0;
  const text = String(value);
  return (namesCard(name) && text.length > 1) || holdsCardNumber(text) || holdsCardNumber(name);
};

/** The fields of a level that a body does not have, and those inside its objects. */
function* namesIn(children: Level['children'], body: object): Generator<string> {
  for (const name of children.keys())
    if (((body as Record<string, unknown>)[name] ?? null) === null) yield name;
  for (const [name, child] of children) {
    const field = (body as Record<string, unknown>)[name];
    for (const inner of child.children.keys())
      if (!isObject(field) || !Object.hasOwn(field, inner)) yield `${name}.${inner}`;
  }
}

/** The field that an unknown one may be meant for; also `plan` where `planCode` was sent. */
const findMeant = ({ name, level, beside }: Unknown): string | undefined => {
  const known = [...namesIn(level.children, beside)];
  return findSimilar(name, known) ?? known.find((each) => continues(name, each));
};

const continues = (name: string, known: string): boolean =>
  name.startsWith(known) && /^[A-Z_.-]/.test(name.slice(known.length));

const complainOf = (found: readonly Unknown[]): FieldFaults =>
  Object.fromEntries(
    found
      .filter(({ value }) => value !== null && value !== '')
      .map((unknown) => {
        const path = pathOf(unknown);
        const meant = findMeant(unknown);
        const question = meant === undefined ? '' : ` Seria ${unknown.prefix}${meant}?`;
        return [path, [complain('unknown', `O campo ${path} não é conhecido.${question}`)]];
      }),
  );
