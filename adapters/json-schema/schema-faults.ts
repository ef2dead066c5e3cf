import type { Fault, Json, JsonObject } from '#domain';
import { type Note, PatternLimits } from './patterns.ts';

/** Keywords whose value is one schema; those of the second list check many values of one sale. */
const ONE_SCHEMA = ['not', 'if', 'then', 'else'];
const ONE_REPEATED = ['items', 'contains', 'additionalProperties', 'propertyNames'];

/** Keywords whose value is a list of schemas, or schemas by name, apart from `$defs`. */
const MANY_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties', 'dependentSchemas'];
const MANY_REPEATED = ['patternProperties'];

const REPEATED: ReadonlySet<string> = new Set([...ONE_REPEATED, ...MANY_REPEATED]);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists what stands where a schema may have schemas, by keyword and name. */
const listInside = (schema: JsonObject) => [
  ...[...ONE_SCHEMA, ...ONE_REPEATED].map((keyword) => [keyword, '', schema[keyword]] as const),
  ...[...MANY_SCHEMAS, ...MANY_REPEATED].flatMap((keyword) =>
    Object.entries(schema[keyword] ?? {}).map(([name, each]) => [keyword, name, each] as const),
  ),
];

/** The only draft that schemas may use. */
export const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The only form of reference: `#/$defs/name`. Other documents cannot be referred to. */
const REFERENCE = /^#\/\$defs\/([A-Za-z0-9._-]+)$/;

/** Max levels of schemas inside the root, as many as the attributes of a sale may have. */
const MAX_LEVELS = 5;

/** Max schemas, keywords and choices. Each reference counts all parts of its definition again. */
const MAX_PARTS = 1_000;

/** The keywords and formats that a schema may have. */
interface Vocabulary {
  readonly keywords: ReadonlySet<string>;
  readonly formats: readonly string[];
}

/** The place of a schema. */
interface Place {
  /** Dotted, from the root schema. */
  readonly path: string;
  /** 0 for the root. A reference is no level of its own. */
  readonly level: number;
  /** Whether the schema checks many values of one sale. */
  readonly isRepeated: boolean;
  /** Names of the definitions that the references so far have led through. */
  readonly through: readonly string[];
}

const ROOT: Place = { path: '', level: 0, isRepeated: false, through: [] };

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/**
 * Finds the faults of a schema: unknown keywords, formats and references, invalid patterns, and
 * parts beyond the fixed limits. Visits every schema inside, each time that it is referred to.
 */
export const findSchemaFaults = (root: JsonObject, vocabulary: Vocabulary): readonly Fault[] => {
  // By kind and path: a definition that is referred to twice has its faults once.
  const faults = new Map<string, Fault>();
  const note: Note = (path, kind, expected) => {
    const fault = { path, kind, ...(expected !== undefined && { expected: `${expected}` }) };
    faults.set(`${kind} ${path}`, fault);
  };
  const patterns = new PatternLimits(note);
  const definitions = isObject(root['$defs']) ? root['$defs'] : {};
  const visited = new Set<string>();
  let parts = 0;

  const visit = (schema: JsonObject, place: Place): void => {
    const { path, level } = place;
    parts += 1 + Object.values(schema).flat().length;
    if (parts > MAX_PARTS) note('', 'too_large', MAX_PARTS);
    else if (level > MAX_LEVELS) note(path, 'too_deep', MAX_LEVELS);
    if (parts > MAX_PARTS || level > MAX_LEVELS) return;

    checkKeywords(schema, path, vocabulary, note);
    checkPatterns(schema, place, patterns);
    if (schema['$ref'] !== undefined) follow(schema['$ref'], place);
    for (const [keyword, name, each] of listInside(schema)) {
      const inside = [path, keyword, name].filter(Boolean).join('.');
      const isRepeated = place.isRepeated || REPEATED.has(keyword);
      if (isObject(each)) visit(each, { ...place, path: inside, level: level + 1, isRepeated });
    }
  };
  const follow = (reference: Json, place: Place): void => {
    const [, name = ''] = typeof reference === 'string' ? (REFERENCE.exec(reference) ?? []) : [];
    const isKnown = Object.hasOwn(definitions, name) && isObject(definitions[name]);
    if (!isKnown || place.through.includes(name)) note(join(place.path, '$ref'), 'badly_formed');
    else visitDefinition(name, { ...place, through: [...place.through, name] });
  };
  const visitDefinition = (name: string, place: Place): void => {
    visited.add(name);
    const schema = definitions[name];
    if (isObject(schema)) visit(schema, { ...place, path: `$defs.${name}` });
  };

  // Attributes are always an object.
  const types = [root['type'] ?? 'object'].flat();
  if (!types.includes('object')) note('type', 'not_one_of_these', 'object');
  visit(root, ROOT);
  for (const name of Object.keys(definitions)) if (!visited.has(name)) visitDefinition(name, ROOT);
  return [...faults.values()];
};

const checkKeywords = (
  schema: JsonObject,
  path: string,
  { keywords, formats }: Vocabulary,
  note: Note,
): void => {
  for (const keyword of Object.keys(schema))
    if (!keywords.has(keyword) || (keyword === '$defs' && path !== ''))
      note(join(path, keyword), 'unknown_field');

  const { $schema: draft, format, properties } = schema;
  // Ajv ignores a property of this name.
  if (isObject(properties) && Object.hasOwn(properties, '__proto__'))
    note(join(path, 'properties.__proto__'), 'unknown_field');
  if (draft !== undefined && draft !== DRAFT)
    note(join(path, '$schema'), 'not_one_of_these', DRAFT);
  if (format !== undefined && !formats.includes(format as string))
    note(join(path, 'format'), 'not_one_of_these', formats.join(', '));
};

const checkPatterns = (
  { pattern, patternProperties, uniqueItems }: JsonObject,
  { path, isRepeated }: Place,
  patterns: PatternLimits,
): void => {
  if (pattern !== undefined) patterns.check(pattern, join(path, 'pattern'), isRepeated);
  for (const name of isObject(patternProperties) ? Object.keys(patternProperties) : [])
    patterns.check(name, join(path, `patternProperties.${name}`), true);
  if (uniqueItems === true) patterns.count(join(path, 'uniqueItems'));
};
