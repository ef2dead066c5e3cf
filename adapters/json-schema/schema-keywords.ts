import type { Json, JsonObject } from '#domain';

/** Keywords whose value is one schema. */
const ONE_SCHEMA = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];

/** Keywords whose value is a list of schemas. */
const SCHEMA_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

/** Keywords whose value is an object of schemas by name. */
const NAMED_SCHEMAS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** Keywords without a schema inside. */
const PLAIN = [
  '$schema',
  '$comment',
  '$ref',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'required',
  'minProperties',
  'maxProperties',
  'dependentRequired',
];

const KEYWORDS: ReadonlySet<string> = new Set([
  ...ONE_SCHEMA,
  ...SCHEMA_LIST,
  ...NAMED_SCHEMAS,
  ...PLAIN,
]);

export const isKeyword = (name: string): boolean => KEYWORDS.has(name);

/** A schema and its dotted path in the root schema. */
export interface LocatedSchema {
  readonly schema: JsonObject;
  readonly path: string;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listPatternNames = ({ patternProperties }: JsonObject): readonly string[] =>
  isObject(patternProperties) ? Object.keys(patternProperties) : [];

/** Finds the schemas directly inside a schema, without `$defs`. */
export const findSubschemas = ({ schema, path }: LocatedSchema): readonly LocatedSchema[] => {
  const at = (value: Json | undefined, ...names: (string | number)[]): readonly LocatedSchema[] =>
    isObject(value)
      ? [{ schema: value, path: [path, ...names].filter((name) => name !== '').join('.') }]
      : [];
  const listed = SCHEMA_LIST.flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.flatMap((each: Json, index) => at(each, keyword, index)) : [];
  });
  const named = NAMED_SCHEMAS.filter((keyword) => keyword !== '$defs').flatMap((keyword) => {
    const map = schema[keyword];
    return isObject(map)
      ? Object.entries(map).flatMap(([name, each]) => at(each, keyword, name))
      : [];
  });
  return [...ONE_SCHEMA.flatMap((keyword) => at(schema[keyword], keyword)), ...listed, ...named];
};
