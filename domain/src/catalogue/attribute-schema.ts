import type { Json, JsonObject } from '../values/json.ts';
import { jsonObject, type Note, type Reader } from './reading.ts';

/** The types of JSON Schema 2020-12 (validation, section 6.1.1). */
const TYPES = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'];

/** Keywords whose value is a schema, a list of schemas, or schemas by name (core, section 10). */
const SCHEMA = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else'];
const SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const noteTypes = (schema: Json | undefined, path: string, note: Note): void => {
  if (!isObject(schema)) return;
  const { type = [] } = schema;
  for (const each of [type].flat())
    if (!TYPES.includes(each as string)) note(`${path}.type`, 'not_one_of_these', TYPES.join(', '));
  for (const name of SCHEMA) noteTypes(schema[name], `${path}.${name}`, note);
  for (const name of [...SCHEMAS, ...NAMED_SCHEMAS])
    for (const [key, each] of Object.entries(schema[name] ?? {}))
      noteTypes(each as Json, `${path}.${name}.${key}`, note);
};

/**
 * The JSON Schema of a product's own fields. The package checks its form and its types; whoever
 * validates with it checks the other keywords.
 */
export const attributeSchema: Reader<JsonObject> = (value, path, note) => {
  const schema = jsonObject(value, path, note);
  noteTypes(schema, path, note);
  return schema;
};
