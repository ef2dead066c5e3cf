import type { TSchema } from 'typebox';
import { holdsCardNumber } from '#domain';
import { type Complaint, complain } from './field-faults.ts';
import type { NestedSchemas } from './formats.ts';

/** Formats of texts that people write freely. Others allow no card number. */
const FREE = new Set([undefined, 'text', 'paragraphs', 'external-sale-id']);

const TEXTLESS = new Set(['number', 'integer', 'boolean']);

type Faults = Record<string, readonly Complaint[]>;

/** Adds the faults of a value at a path. */
type Find = (value: unknown, path: string, faults: Faults) => void;

const findAnywhere: Find = (value, path, faults) => {
  if (typeof value === 'string') {
    if (holdsCardNumber(value))
      faults[path] = [
        complain(
          'card_number_in_text',
          `O campo ${path} contém um número de cartão, que não pode ser guardado.`,
        ),
      ];
  } else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value))
      findAnywhere(each, path === '' ? name : `${path}.${name}`, faults);
};

const findNowhere: Find = () => {};

/**
 * Returns a function that finds texts with card numbers in a body (PCI DSS 3.4): in the fields that
 * hold any text, and anywhere in an object of any fields. A card itself is no text.
 */
export const compileCardFinder = (schema: TSchema): Find => {
  if ('x-card' in schema) return findNowhere;
  const { properties, items } = schema as NestedSchemas;
  const { type, format, pattern, enum: words } = schema as Readonly<Record<string, unknown>>;
  if (items !== undefined) {
    const find = compileCardFinder(items);
    return (value, path, faults) => {
      if (!Array.isArray(value)) return findAnywhere(value, path, faults);
      for (const [at, each] of value.entries()) find(each, `${path}.${at}`, faults);
    };
  }
  if (properties === undefined) {
    if (words !== undefined || TEXTLESS.has(type as string)) return findNowhere;
    const isFree = type !== 'string' || (FREE.has(format as string) && pattern === undefined);
    return isFree ? findAnywhere : findNowhere;
  }
  const finders = Object.entries(properties)
    .map(([name, field]) => [name, compileCardFinder(field)] as const)
    .filter(([, find]) => find !== findNowhere);
  return (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    // Fields that the schema does not know are refused, or dropped.
    for (const [name, find] of finders) {
      const field = (value as Record<string, unknown>)[name];
      if (field !== undefined) find(field, path === '' ? name : `${path}.${name}`, faults);
    }
  };
};
