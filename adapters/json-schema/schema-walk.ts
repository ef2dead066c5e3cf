import type { Fault, FaultKind, Json, JsonObject } from '#domain';
import { type Pattern, patternOf } from './patterns.ts';

/** Where schemas stand inside a schema. What is not named here, nor among the plain keywords, is not known. */
const ONE = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'];
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
const PLAIN = [
  ...['$schema', '$comment', '$ref', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains', 'required'],
  ...['minProperties', 'maxProperties', 'dependentRequired'],
];

/** The draft in which schemas are written, the only one. */
export const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** `#/$defs/name`: nothing else is referred to, least of all another document. */
const REFERENCE = /^#\/\$defs\/([A-Za-z0-9._-]+)$/;

/**
 * What one attribute may cost to be checked, in schemas and steps of patterns, references followed: a schema that refers
 * to others that refer to others grows with each of them.
 */
const MOST_COST = 500;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Found {
  readonly schema: JsonObject;
  readonly path: string;
}

const patternNames = ({ patternProperties }: JsonObject): readonly string[] =>
  isObject(patternProperties) ? Object.keys(patternProperties) : [];

const inside = ({ schema, path }: Found): readonly Found[] => {
  const at = (value: Json | undefined, ...names: (string | number)[]): readonly Found[] =>
    isObject(value) ? [{ schema: value, path: [path, ...names].filter((name) => name !== '').join('.') }] : [];
  const several = SEVERAL.flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.flatMap((each: Json, index) => at(each, keyword, index)) : [];
  });
  const named = NAMED.filter((keyword) => keyword !== '$defs').flatMap((keyword) => {
    const map = schema[keyword];
    return isObject(map) ? Object.entries(map).flatMap(([name, each]) => at(each, keyword, name)) : [];
  });
  return [...ONE.flatMap((keyword) => at(schema[keyword], keyword)), ...several, ...named];
};

/** Looks at every schema in a schema: what it says with keywords nobody knows, points elsewhere, or costs too much. */
export const walkFaults = (root: JsonObject, formats: readonly string[]): readonly Fault[] => {
  const faults: Fault[] = [];
  const note = (path: string, kind: FaultKind, expected?: string): void => {
    faults.push(expected === undefined ? { path, kind } : { path, kind, expected });
  };
  const definitions = isObject(root['$defs']) ? root['$defs'] : {};
  const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

  const lookAt = ({ schema, path }: Found): void => {
    for (const keyword of Object.keys(schema)) {
      const isKnown = [ONE, SEVERAL, NAMED, PLAIN].some((known) => known.includes(keyword));
      if (!isKnown || (keyword === '$defs' && path !== '')) note(within(path, keyword), 'unknown_field');
    }
    const { $schema: draft, format, pattern, properties } = schema;
    // Ajv leaves it out of account.
    if (isObject(properties) && Object.hasOwn(properties, '__proto__'))
      note(within(path, 'properties.__proto__'), 'unknown_field');
    if (draft !== undefined && draft !== DRAFT) note(within(path, '$schema'), 'not_one_of_these', DRAFT);
    if (format !== undefined && !formats.includes(format as string))
      note(within(path, 'format'), 'not_one_of_these', formats.join(', '));
    if (pattern !== undefined && patternOf(pattern) === undefined) note(within(path, 'pattern'), 'badly_formed');
    for (const name of patternNames(schema))
      if (patternOf(name) === undefined) note(within(path, `patternProperties.${name}`), 'badly_formed');
    if (schema['$ref'] !== undefined && targetOf(schema) === undefined) note(within(path, '$ref'), 'badly_formed');
    for (const each of inside({ schema, path })) lookAt(each);
  };

  const targetOf = ({ $ref: reference }: JsonObject): string | undefined => {
    const [, name = ''] = typeof reference === 'string' ? (REFERENCE.exec(reference) ?? []) : [];
    return Object.hasOwn(definitions, name) && isObject(definitions[name]) ? name : undefined;
  };

  const types = [root['type'] ?? 'object'].flat();
  // Attributes are an object, always.
  if (!types.includes('object')) note('type', 'not_one_of_these', 'object');
  lookAt({ schema: root, path: '' });
  for (const [name, each] of Object.entries(definitions)) if (isObject(each)) lookAt({ schema: each, path: `$defs.${name}` });
  if (faults.length > 0) return faults;
  const cost = costOf(root, (schema) => definitions[targetOf(schema) ?? ''] as JsonObject | undefined);
  if (cost === 'endless') note('$defs', 'badly_formed');
  else if (cost > MOST_COST) note('', 'too_large', `${MOST_COST}`);
  return faults;
};

const stepsOf = (pattern: Json | undefined): number => (pattern === undefined ? 0 : (patternOf(pattern) as Pattern).steps);

/** The cost of a schema with all that it refers to; endless where it refers to itself. */
const costOf = (root: JsonObject, targetOf: (schema: JsonObject) => JsonObject | undefined): number | 'endless' => {
  const known = new Map<JsonObject, number>();
  const underWay = new Set<JsonObject>();
  const visit = (schema: JsonObject): number => {
    if (underWay.has(schema)) return Number.POSITIVE_INFINITY;
    const before = known.get(schema);
    if (before !== undefined) return before;
    underWay.add(schema);
    const own = [schema['pattern'], ...patternNames(schema)].reduce<number>((sum, pattern) => sum + stepsOf(pattern), 1);
    const target = targetOf(schema);
    const all = [...inside({ schema, path: '' }).map((each) => each.schema), ...(target === undefined ? [] : [target])];
    const cost = all.reduce((sum, each) => sum + visit(each), own);
    underWay.delete(schema);
    known.set(schema, cost);
    return cost;
  };
  const cost = visit(root);
  return Number.isFinite(cost) ? cost : 'endless';
};
