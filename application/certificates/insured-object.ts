import type { Json, JsonObject } from '#domain';

/** A value of the insured object, labelled with the schema's titles on the path to it. */
export interface ObjectField {
  /** Top-level field of the object. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly value: string | number | boolean;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const within = (schema: unknown, name: string): unknown => {
  const found = isObject(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined;
  return isObject(found) ? found : undefined;
};

const titleOf = (schema: unknown, otherwise: string): string => {
  const title = isObject(schema) ? schema['title'] : undefined;
  return typeof title === 'string' && title !== '' ? title : otherwise;
};

/** The schema's `title` for an allowed value (`const`), or the value. */
const nameOf = (schema: unknown, value: Json): Json => {
  const choices = isObject(schema) ? (schema['oneOf'] ?? schema['anyOf']) : undefined;
  const chosen = Array.isArray(choices)
    ? choices.find((each) => isObject(each) && each['const'] === value)
    : undefined;
  return isObject(chosen) ? titleOf(chosen, String(value)) : value;
};

/** All values of the insured object, in stored order. Nulls are left out. */
export const objectFields = (object: JsonObject, schema: unknown): readonly ObjectField[] => {
  const properties = within(schema, 'properties');
  return Object.entries(object).flatMap(([name, value]) => {
    const part = within(properties, name);
    return partsOf(value, part, [titleOf(part, name)]).map((each) => ({ name, ...each }));
  });
};

const partsOf = (
  value: Json,
  schema: unknown,
  labels: readonly string[],
): readonly Omit<ObjectField, 'name'>[] => {
  if (value === null) return [];
  if (Array.isArray(value)) {
    const single = value.length === 1;
    const items = within(schema, 'items');
    return value.flatMap((each, index) =>
      partsOf(each, items, single ? labels : [...labels, String(index + 1)]),
    );
  }
  if (typeof value === 'object') {
    const properties = within(schema, 'properties');
    return Object.entries(value).flatMap(([name, each]) => {
      const part = within(properties, name);
      return partsOf(each, part, [...labels, titleOf(part, name)]);
    });
  }
  return [{ labels, value: nameOf(schema, value) as ObjectField['value'] }];
};
