import type { Fault, FaultKind, Json, JsonObject } from '#domain';
import {
  compilePattern,
  MAX_MATCHING_COST,
  MAX_PATTERN_CHARACTERS,
  type Pattern,
} from './patterns.ts';
import { countSchemaCost, estimateMatching } from './schema-cost.ts';
import {
  findSubschemas,
  isKeyword,
  isObject,
  type LocatedSchema,
  listPatternNames,
} from './schema-keywords.ts';

/** The only draft that schemas may use. */
export const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The only form of reference: `#/$defs/name`. Other documents cannot be referred to. */
const REFERENCE = /^#\/\$defs\/([A-Za-z0-9._-]+)$/;

/**
 * Max cost of a schema, in schemas and pattern steps. References count each time, because nested
 * references grow exponentially.
 */
const MAX_SCHEMA_COST = 500;

type Note = (path: string, kind: FaultKind, expected?: string) => void;

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/**
 * Finds the faults of a schema: unknown keywords, formats and references, invalid patterns, and a
 * schema that would take too long to check.
 */
export const findSchemaFaults = (
  root: JsonObject,
  formats: readonly string[],
): readonly Fault[] => {
  const faults: Fault[] = [];
  const note: Note = (path, kind, expected) => {
    faults.push(expected === undefined ? { path, kind } : { path, kind, expected });
  };
  const definitions = isObject(root['$defs']) ? root['$defs'] : {};
  const patterns = new PatternCheck(note);

  // Attributes are always an object.
  const types = [root['type'] ?? 'object'].flat();
  if (!types.includes('object')) note('type', 'not_one_of_these', 'object');

  const check = (found: LocatedSchema): void => {
    checkSchema(found, { formats, definitions, patterns, note });
    for (const each of findSubschemas(found)) check(each);
  };
  check({ schema: root, path: '' });
  for (const [name, each] of Object.entries(definitions))
    if (isObject(each)) check({ schema: each, path: `$defs.${name}` });

  if (faults.length === 0) checkCost(root, definitions, patterns, note);
  return faults;
};

/** Compiles each pattern once, and counts the steps of all patterns. */
class PatternCheck {
  readonly #note: Note;
  readonly #compiled = new Map<Json, Pattern | undefined>();
  steps = 0;

  constructor(note: Note) {
    this.#note = note;
  }

  check(pattern: Json, path: string): void {
    if (typeof pattern === 'string' && pattern.length > MAX_PATTERN_CHARACTERS) {
      this.#note(path, 'too_large', `${MAX_PATTERN_CHARACTERS}`);
      return;
    }
    // The schema is too expensive already. More patterns would only take time to compile.
    if (this.steps > MAX_SCHEMA_COST) return;
    if (!this.#compiled.has(pattern)) this.#compiled.set(pattern, compilePattern(pattern));
    const compiled = this.#compiled.get(pattern);
    this.steps += compiled?.steps ?? 0;
    if (compiled === undefined) this.#note(path, 'badly_formed');
  }

  stepsOf(pattern: Json): number {
    return this.#compiled.get(pattern)?.steps ?? 0;
  }

  costOf(pattern: Json, characters: number): number {
    const { steps = 0, reach = 0 } = this.#compiled.get(pattern) ?? {};
    return steps * Math.min(characters, reach);
  }
}

/** Returns the name in `$defs` that a schema refers to. Undefined if it has no definition. */
const findTarget = (
  { $ref: reference }: JsonObject,
  definitions: JsonObject,
): string | undefined => {
  const [, name = ''] = typeof reference === 'string' ? (REFERENCE.exec(reference) ?? []) : [];
  return Object.hasOwn(definitions, name) && isObject(definitions[name]) ? name : undefined;
};

/** Checks one schema, without the schemas inside it. */
const checkSchema = (
  { schema, path }: LocatedSchema,
  {
    formats,
    definitions,
    patterns,
    note,
  }: {
    readonly formats: readonly string[];
    readonly definitions: JsonObject;
    readonly patterns: PatternCheck;
    readonly note: Note;
  },
): void => {
  for (const keyword of Object.keys(schema))
    if (!isKeyword(keyword) || (keyword === '$defs' && path !== ''))
      note(join(path, keyword), 'unknown_field');

  const { $schema: draft, format, pattern, properties } = schema;
  // Ajv ignores a property of this name.
  if (isObject(properties) && Object.hasOwn(properties, '__proto__'))
    note(join(path, 'properties.__proto__'), 'unknown_field');
  if (draft !== undefined && draft !== DRAFT)
    note(join(path, '$schema'), 'not_one_of_these', DRAFT);
  if (format !== undefined && !formats.includes(format as string))
    note(join(path, 'format'), 'not_one_of_these', formats.join(', '));
  if (pattern !== undefined) patterns.check(pattern, join(path, 'pattern'));
  for (const name of listPatternNames(schema))
    patterns.check(name, join(path, `patternProperties.${name}`));
  if (schema['$ref'] !== undefined && findTarget(schema, definitions) === undefined)
    note(join(path, '$ref'), 'badly_formed');
};

/** Checks that neither the schema nor the texts that it accepts take too long to check. */
const checkCost = (
  root: JsonObject,
  definitions: JsonObject,
  patterns: PatternCheck,
  note: Note,
): void => {
  const resolve = (schema: JsonObject) =>
    definitions[findTarget(schema, definitions) ?? ''] as JsonObject | undefined;
  const cost =
    patterns.steps > MAX_SCHEMA_COST
      ? patterns.steps
      : countSchemaCost(root, resolve, (pattern) => patterns.stepsOf(pattern));
  if (cost === 'endless') {
    note('$defs', 'badly_formed');
    return;
  }
  if (cost > MAX_SCHEMA_COST) {
    note('', 'too_large', `${MAX_SCHEMA_COST}`);
    return;
  }
  const { total, dearest } = estimateMatching(root, resolve, (pattern, characters) =>
    patterns.costOf(pattern, characters),
  );
  if (total > MAX_MATCHING_COST) note(dearest, 'too_long_to_match', `${MAX_MATCHING_COST}`);
};
