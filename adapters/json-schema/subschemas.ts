import type { Json, JsonObject } from '#domain';

/** Keywords whose value is one schema. */
const ONE_SCHEMA = ['not', 'if', 'then', 'else'];

/** The same; the schema checks many values of one sale. */
const ONE_REPEATED = ['items', 'contains', 'additionalProperties', 'propertyNames'];

/** Keywords whose value is a list of schemas, or schemas by name, apart from `$defs`. */
const MANY_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties', 'dependentSchemas'];

/** A schema and its dotted path in the root schema. */
export interface LocatedSchema {
  readonly schema: JsonObject;
  readonly path: string;
}

interface Subschema extends LocatedSchema {
  /** Whether the schema checks many values of one sale. */
  readonly isRepeated: boolean;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds the schemas directly inside a schema, without `$defs`. */
export const findSubschemas = ({ schema, path }: LocatedSchema): readonly Subschema[] => {
  const findOne = (isRepeated: boolean, value: Json | undefined, ...names: readonly string[]) =>
    isObject(value)
      ? [{ schema: value, path: [path, ...names].filter(Boolean).join('.'), isRepeated }]
      : [];
  const findMany = (isRepeated: boolean, keyword: string) =>
    Object.entries(schema[keyword] ?? {}).flatMap(([name, each]) =>
      findOne(isRepeated, each, keyword, name),
    );
  return [
    ...ONE_SCHEMA.flatMap((keyword) => findOne(false, schema[keyword], keyword)),
    ...ONE_REPEATED.flatMap((keyword) => findOne(true, schema[keyword], keyword)),
    ...MANY_SCHEMAS.flatMap((keyword) => findMany(false, keyword)),
    ...findMany(true, 'patternProperties'),
  ];
};
