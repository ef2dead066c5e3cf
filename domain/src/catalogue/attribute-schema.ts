import type { Json, JsonObject } from '../values/json.ts';
import { isRecord, type Note, shaped, unread, within } from './reading.ts';

/** Limits of a JSON object: more than a product needs, and cheap to walk through. */
const MAX_JSON_LEVELS = 12;
const MAX_JSON_VALUES = 1_000;

/** Any JSON object within the limits, copied. */
const jsonObject = (value: unknown, path: string, note: Note): JsonObject => {
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
 * The JSON Schema of a product's own fields. The package checks its form and its types; the
 * validator that uses it checks the other keywords.
 */
export const attributeSchema = shaped<JsonObject>({ type: 'json' }, (value, path, note) => {
  const schema = jsonObject(value, path, note);
  noteTypes(schema, path, note);
  return schema;
});
