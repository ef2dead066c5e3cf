import type { Json, JsonObject } from '#domain';

/** Something said of the insured object, with its name for people: the schema's title of each part on the way to it. */
export interface ObjectField {
  /** The field of the object that it stands in. */
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

/** What a schema calls one of the values that it allows, by the `title` beside its `const`. */
const nameOf = (schema: unknown, value: Json): Json => {
  const choices = isObject(schema) ? (schema['oneOf'] ?? schema['anyOf']) : undefined;
  const chosen = Array.isArray(choices)
    ? choices.find((each) => isObject(each) && each['const'] === value)
    : undefined;
  return isObject(chosen) ? titleOf(chosen, String(value)) : value;
};

/** All that is said of the insured object, in the order in which it is stored; what nobody said has no place. */
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
