import type { Json, JsonObject } from '#domain';
import { findSubschemas, type LocatedSchema, listPatternNames } from './schema-keywords.ts';

/** Max values of one sale's attributes, as HTTP accepts them. */
const MAX_VALUES = 300;

/** Max characters of a text, and of a name, as HTTP accepts them. */
const MAX_TEXT_CHARACTERS = 2_000;
const MAX_NAME_CHARACTERS = 100;

/** Cost of a format, in steps × characters of a pattern. */
const FORMAT_COST = 100;

/** Resolves the `$ref` of a schema. */
type ResolveReference = (schema: JsonObject) => JsonObject | undefined;

/** Returns the number of steps of a pattern. */
type CountSteps = (pattern: Json) => number;

/** Returns the cost of a pattern on a text, in steps × characters. */
type CalculateMatchCost = (pattern: Json, characters: number) => number;

const listPatterns = (schema: JsonObject): readonly Json[] => [
  ...(schema['pattern'] === undefined ? [] : [schema['pattern']]),
  ...listPatternNames(schema),
];

/**
 * Counts the schemas and pattern steps of a schema, with all schemas that it refers to. A schema
 * counts once per reference. `endless` if a schema refers to itself.
 */
export const countSchemaCost = (
  root: JsonObject,
  resolve: ResolveReference,
  countSteps: CountSteps,
): number | 'endless' => {
  const known = new Map<JsonObject, number>();
  const visiting = new Set<JsonObject>();

  const visit = (schema: JsonObject): number => {
    if (visiting.has(schema)) return Number.POSITIVE_INFINITY;
    const before = known.get(schema);
    if (before !== undefined) return before;

    visiting.add(schema);
    const own = listPatterns(schema).reduce<number>((sum, each) => sum + countSteps(each), 1);
    const target = resolve(schema);
    const children = [
      ...findSubschemas({ schema, path: '' }).map((each) => each.schema),
      ...(target === undefined ? [] : [target]),
    ];
    const cost = children.reduce((sum, each) => sum + visit(each), own);
    visiting.delete(schema);
    known.set(schema, cost);
    return cost;
  };

  const cost = visit(root);
  return Number.isFinite(cost) ? cost : 'endless';
};

const readLimit = (schema: JsonObject, keyword: string, max: number): number => {
  const limit = schema[keyword];
  return typeof limit === 'number' ? Math.min(limit, max) : max;
};

/**
 * Estimates the max cost to match attributes, in steps × characters × texts, plus one per choice
 * of an `enum`. `dearest` is the path of the most expensive pattern or list.
 */
export const estimateMatching = (
  root: JsonObject,
  resolve: ResolveReference,
  calculateMatchCost: CalculateMatchCost,
): { total: number; dearest: string } => {
  const result = { total: 0, dearest: '', highest: 0 };
  const add = (cost: number, path: string): void => {
    result.total += cost;
    if (cost <= result.highest) return;
    result.highest = cost;
    result.dearest = path;
  };

  /** `times`: how many values this schema may check. `longest`: max characters of each. */
  const visit = ({ schema, path }: LocatedSchema, times: number, longest: number): void => {
    const at = (...names: string[]): string =>
      [path, ...names].filter((name) => name !== '').join('.');
    const characters = readLimit(schema, 'maxLength', longest);
    const names = Math.min(MAX_VALUES, times * readLimit(schema, 'maxProperties', MAX_VALUES));
    const items = Math.min(MAX_VALUES, times * readLimit(schema, 'maxItems', MAX_VALUES));

    const { pattern, enum: choices } = schema;
    if (pattern !== undefined) add(calculateMatchCost(pattern, characters) * times, at('pattern'));
    for (const name of listPatternNames(schema))
      add(calculateMatchCost(name, MAX_NAME_CHARACTERS) * names, at('patternProperties', name));
    if (Array.isArray(choices)) add(choices.length * times, at('enum'));
    // Ajv compares each item with each other item.
    const listed = readLimit(schema, 'maxItems', MAX_VALUES);
    if (schema['uniqueItems'] === true) add((listed * listed * times) / 2, at('uniqueItems'));
    if (schema['format'] !== undefined) add(FORMAT_COST * times, at('format'));

    for (const each of findSubschemas({ schema, path })) {
      const keyword = each.path.slice(path === '' ? 0 : path.length + 1).split('.')[0] ?? '';
      switch (keyword) {
        case 'propertyNames':
          visit(each, names, MAX_NAME_CHARACTERS);
          break;
        case 'additionalProperties':
        case 'patternProperties':
          visit(each, names, MAX_TEXT_CHARACTERS);
          break;
        case 'items':
        case 'contains':
          visit(each, items, MAX_TEXT_CHARACTERS);
          break;
        case 'properties':
        case 'prefixItems':
          visit(each, times, MAX_TEXT_CHARACTERS);
          break;
        default:
          visit(each, times, characters);
      }
    }
    const target = resolve(schema);
    if (target !== undefined) visit({ schema: target, path: at('$ref') }, times, characters);
  };

  visit({ schema: root, path: '' }, 1, MAX_TEXT_CHARACTERS);
  return result;
};
