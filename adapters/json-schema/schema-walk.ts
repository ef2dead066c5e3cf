import type { Fault, FaultKind, Json, JsonObject } from '#domain';
import { LONGEST_PATTERN, MOST_MATCHING, type Pattern, patternOf } from './patterns.ts';

/** Where schemas stand inside a schema. What is not named here, nor among the plain keywords, is not known. */
const ONE = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
const PLAIN = [
  ...[
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
  ],
  ...[
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
  ],
  ...[
    'exclusiveMaximum',
    'multipleOf',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minContains',
    'maxContains',
    'required',
  ],
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

/** Values that one sale's attributes have, characters of each text, and characters of a name, at most: what HTTP lets in. */
const MOST_VALUES = 300;
const LONGEST_TEXT = 2_000;
const LONGEST_NAME = 100;

/** What a format costs, in steps of a pattern on characters. */
const FORMAT_COST = 100;

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
    isObject(value)
      ? [{ schema: value, path: [path, ...names].filter((name) => name !== '').join('.') }]
      : [];
  const several = SEVERAL.flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.flatMap((each: Json, index) => at(each, keyword, index)) : [];
  });
  const named = NAMED.filter((keyword) => keyword !== '$defs').flatMap((keyword) => {
    const map = schema[keyword];
    return isObject(map)
      ? Object.entries(map).flatMap(([name, each]) => at(each, keyword, name))
      : [];
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

  // Compiling takes time: once there are too many steps, the other patterns make no difference.
  const compiled = new Map<Json, Pattern | undefined>();
  let steps = 0;
  const lookAtPattern = (pattern: Json, path: string): void => {
    if (typeof pattern === 'string' && pattern.length > LONGEST_PATTERN)
      note(path, 'too_large', `${LONGEST_PATTERN}`);
    else if (steps <= MOST_COST) {
      if (!compiled.has(pattern)) compiled.set(pattern, patternOf(pattern));
      const found = compiled.get(pattern);
      steps += found?.steps ?? 0;
      if (found === undefined) note(path, 'badly_formed');
    }
  };

  const lookAt = ({ schema, path }: Found): void => {
    for (const keyword of Object.keys(schema)) {
      const isKnown = [ONE, SEVERAL, NAMED, PLAIN].some((known) => known.includes(keyword));
      if (!isKnown || (keyword === '$defs' && path !== ''))
        note(within(path, keyword), 'unknown_field');
    }
    const { $schema: draft, format, pattern, properties } = schema;
    // Ajv leaves it out of account.
    if (isObject(properties) && Object.hasOwn(properties, '__proto__'))
      note(within(path, 'properties.__proto__'), 'unknown_field');
    if (draft !== undefined && draft !== DRAFT)
      note(within(path, '$schema'), 'not_one_of_these', DRAFT);
    if (format !== undefined && !formats.includes(format as string))
      note(within(path, 'format'), 'not_one_of_these', formats.join(', '));
    if (pattern !== undefined) lookAtPattern(pattern, within(path, 'pattern'));
    for (const name of patternNames(schema))
      lookAtPattern(name, within(path, `patternProperties.${name}`));
    if (schema['$ref'] !== undefined && targetOf(schema) === undefined)
      note(within(path, '$ref'), 'badly_formed');
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
  for (const [name, each] of Object.entries(definitions))
    if (isObject(each)) lookAt({ schema: each, path: `$defs.${name}` });
  if (faults.length > 0) return faults;
  const stepsOf = (pattern: Json): number => compiled.get(pattern)?.steps ?? 0;
  const costOn: CostOn = (pattern, characters) => {
    const { steps: each = 0, reach = 0 } = compiled.get(pattern) ?? {};
    return each * Math.min(characters, reach);
  };
  const target = (schema: JsonObject) =>
    definitions[targetOf(schema) ?? ''] as JsonObject | undefined;
  const cost = steps > MOST_COST ? steps : costOf(root, target, stepsOf);
  if (cost === 'endless') note('$defs', 'badly_formed');
  else if (cost > MOST_COST) note('', 'too_large', `${MOST_COST}`);
  else {
    const { total, dearest } = matchingOf(root, target, costOn);
    if (total > MOST_MATCHING) note(dearest, 'too_long_to_match', `${MOST_MATCHING}`);
  }
  return faults;
};

type TargetOf = (schema: JsonObject) => JsonObject | undefined;
type StepsOf = (pattern: Json) => number;
type CostOn = (pattern: Json, characters: number) => number;

const patternsIn = (schema: JsonObject): readonly Json[] => [
  ...(schema['pattern'] === undefined ? [] : [schema['pattern']]),
  ...patternNames(schema),
];

/** The cost of a schema with all that it refers to; endless where it refers to itself. */
const costOf = (root: JsonObject, targetOf: TargetOf, stepsOf: StepsOf): number | 'endless' => {
  const known = new Map<JsonObject, number>();
  const underWay = new Set<JsonObject>();
  const visit = (schema: JsonObject): number => {
    if (underWay.has(schema)) return Number.POSITIVE_INFINITY;
    const before = known.get(schema);
    if (before !== undefined) return before;
    underWay.add(schema);
    const own = patternsIn(schema).reduce<number>((sum, pattern) => sum + stepsOf(pattern), 1);
    const target = targetOf(schema);
    const all = [
      ...inside({ schema, path: '' }).map((each) => each.schema),
      ...(target === undefined ? [] : [target]),
    ];
    const cost = all.reduce((sum, each) => sum + visit(each), own);
    underWay.delete(schema);
    known.set(schema, cost);
    return cost;
  };
  const cost = visit(root);
  return Number.isFinite(cost) ? cost : 'endless';
};

const limitIn = (schema: JsonObject, keyword: string, most: number): number => {
  const limit = schema[keyword];
  return typeof limit === 'number' ? Math.min(limit, most) : most;
};

/**
 * The most that attributes can cost to be matched: for each pattern its steps × the characters that it may look at × the
 * texts that it may meet, and one for each choice of an `enum`. With the place of the pattern or list that costs most.
 */
const matchingOf = (
  root: JsonObject,
  targetOf: TargetOf,
  costOn: CostOn,
): { total: number; dearest: string } => {
  const found = { total: 0, dearest: '', most: 0 };
  const add = (cost: number, path: string): void => {
    found.total += cost;
    if (cost <= found.most) return;
    found.most = cost;
    found.dearest = path;
  };
  const visit = ({ schema, path }: Found, times: number, longest: number): void => {
    const at = (...names: string[]): string =>
      [path, ...names].filter((name) => name !== '').join('.');
    const characters = limitIn(schema, 'maxLength', longest);
    const names = Math.min(MOST_VALUES, times * limitIn(schema, 'maxProperties', MOST_VALUES));
    const items = Math.min(MOST_VALUES, times * limitIn(schema, 'maxItems', MOST_VALUES));
    const { pattern, enum: choices } = schema;
    if (pattern !== undefined) add(costOn(pattern, characters) * times, at('pattern'));
    for (const name of patternNames(schema))
      add(costOn(name, LONGEST_NAME) * names, at('patternProperties', name));
    if (Array.isArray(choices)) add(choices.length * times, at('enum'));
    // Each item is compared with each other.
    const listed = limitIn(schema, 'maxItems', MOST_VALUES);
    if (schema['uniqueItems'] === true) add((listed * listed * times) / 2, at('uniqueItems'));
    if (schema['format'] !== undefined) add(FORMAT_COST * times, at('format'));
    for (const each of inside({ schema, path })) {
      const keyword = each.path.slice(path === '' ? 0 : path.length + 1).split('.')[0] ?? '';
      if (keyword === 'propertyNames') visit(each, names, LONGEST_NAME);
      else if (keyword === 'additionalProperties' || keyword === 'patternProperties')
        visit(each, names, LONGEST_TEXT);
      else if (keyword === 'items' || keyword === 'contains') visit(each, items, LONGEST_TEXT);
      else
        visit(
          each,
          times,
          keyword === 'properties' || keyword === 'prefixItems' ? LONGEST_TEXT : characters,
        );
    }
    const target = targetOf(schema);
    if (target !== undefined) visit({ schema: target, path: at('$ref') }, times, characters);
  };
  visit({ schema: root, path: '' }, 1, LONGEST_TEXT);
  return found;
};
