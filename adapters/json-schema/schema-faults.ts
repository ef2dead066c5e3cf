import type { Fault, Json, JsonObject } from '#domain';
import { type Note, PatternLimits } from './patterns.ts';

/** Keywords whose value is one schema. */
const ONE_SCHEMA = ['not', 'if', 'then', 'else'];

/** The same; the schema checks many values of one sale. */
const ONE_REPEATED = ['items', 'contains', 'additionalProperties', 'propertyNames'];

/** Keywords whose value is a list of schemas, or schemas by name, apart from `$defs`. */
const MANY_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'properties', 'dependentSchemas'];

/** A schema and its dotted path in the root schema. */
interface LocatedSchema {
  readonly schema: JsonObject;
  readonly path: string;
}

interface Subschema extends LocatedSchema {
  /** Whether the schema checks many values of one sale. */
  readonly isRepeated: boolean;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds the schemas directly inside a schema, without `$defs`. */
const findSubschemas = ({ schema, path }: LocatedSchema): readonly Subschema[] => {
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

/** Where a schema stands. */
interface Place {
  /** 0 for the root. A reference is no level of its own. */
  readonly level: number;
  /** Whether the schema checks many values of one sale. */
  readonly isRepeated: boolean;
  /** Names of the definitions that the references so far have led through. */
  readonly through: readonly string[];
}

const TOP: Place = { level: 0, isRepeated: false, through: [] };

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/**
 * Finds the faults of a schema: unknown keywords, formats and references, invalid patterns, and
 * parts beyond the fixed limits.
 */
export const findSchemaFaults = (root: JsonObject, vocabulary: Vocabulary): readonly Fault[] => {
  // By kind and path: a definition that is referred to twice has its faults once.
  const faults = new Map<string, Fault>();
  const note: Note = (path, kind, expected) => {
    const fault = { path, kind, ...(expected !== undefined && { expected: `${expected}` }) };
    faults.set(`${kind} ${path}`, fault);
  };
  // Attributes are always an object.
  const types = [root['type'] ?? 'object'].flat();
  if (!types.includes('object')) note('type', 'not_one_of_these', 'object');

  const definitions = isObject(root['$defs']) ? root['$defs'] : {};
  new SchemaVisit(definitions, vocabulary, note).visitAll(root);
  return [...faults.values()];
};

/** Visits every schema inside a root, and each time that a schema is referred to. */
class SchemaVisit {
  readonly #vocabulary: Vocabulary;
  readonly #note: Note;
  readonly #patterns: PatternLimits;
  readonly #definitions: JsonObject;
  readonly #visited = new Set<string>();
  #parts = 0;

  constructor(definitions: JsonObject, vocabulary: Vocabulary, note: Note) {
    this.#vocabulary = vocabulary;
    this.#note = note;
    this.#patterns = new PatternLimits(note);
    this.#definitions = definitions;
  }

  visitAll(root: JsonObject): void {
    this.#visit({ schema: root, path: '' }, TOP);
    for (const name of Object.keys(this.#definitions))
      if (!this.#visited.has(name)) this.#visitDefinition(name, TOP);
  }

  #visit({ schema, path }: LocatedSchema, place: Place): void {
    this.#parts += 1 + Object.values(schema).flat().length;
    if (this.#parts > MAX_PARTS) {
      this.#note('', 'too_large', MAX_PARTS);
      return;
    }
    if (place.level > MAX_LEVELS) {
      this.#note(path, 'too_deep', MAX_LEVELS);
      return;
    }
    this.#checkKeywords(schema, path);
    this.#checkPatterns(schema, path, place);
    if (schema['$ref'] !== undefined) this.#follow(schema['$ref'], join(path, '$ref'), place);
    for (const each of findSubschemas({ schema, path })) {
      const isRepeated = place.isRepeated || each.isRepeated;
      this.#visit(each, { ...place, level: place.level + 1, isRepeated });
    }
  }

  #follow(reference: Json, path: string, place: Place): void {
    const [, name = ''] = typeof reference === 'string' ? (REFERENCE.exec(reference) ?? []) : [];
    const isKnown = Object.hasOwn(this.#definitions, name) && isObject(this.#definitions[name]);
    if (!isKnown || place.through.includes(name)) this.#note(path, 'badly_formed');
    else this.#visitDefinition(name, { ...place, through: [...place.through, name] });
  }

  #visitDefinition(name: string, place: Place): void {
    this.#visited.add(name);
    const schema = this.#definitions[name];
    if (isObject(schema)) this.#visit({ schema, path: `$defs.${name}` }, place);
  }

  #checkKeywords(schema: JsonObject, path: string): void {
    const { keywords, formats } = this.#vocabulary;
    for (const keyword of Object.keys(schema))
      if (!keywords.has(keyword) || (keyword === '$defs' && path !== ''))
        this.#note(join(path, keyword), 'unknown_field');

    const { $schema: draft, format, properties } = schema;
    // Ajv ignores a property of this name.
    if (isObject(properties) && Object.hasOwn(properties, '__proto__'))
      this.#note(join(path, 'properties.__proto__'), 'unknown_field');
    if (draft !== undefined && draft !== DRAFT)
      this.#note(join(path, '$schema'), 'not_one_of_these', DRAFT);
    if (format !== undefined && !formats.includes(format as string))
      this.#note(join(path, 'format'), 'not_one_of_these', formats.join(', '));
  }

  #checkPatterns(schema: JsonObject, path: string, { isRepeated }: Place): void {
    const { pattern, patternProperties, uniqueItems } = schema;
    if (pattern !== undefined) this.#patterns.check(pattern, join(path, 'pattern'), isRepeated);
    for (const name of isObject(patternProperties) ? Object.keys(patternProperties) : [])
      this.#patterns.check(name, join(path, `patternProperties.${name}`), true);
    if (uniqueItems === true) this.#patterns.count(join(path, 'uniqueItems'));
  }
}
