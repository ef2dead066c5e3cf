import type { TSchema } from 'typebox';
import { centsFromText, type Json, parseInstant, toReais } from '#domain';
import type { FormatName, NestedSchemas } from '../contract/formats.ts';
import { compileTidy } from '../contract/tidy-values.ts';

/** Texts that are the same value, written in one way. */
const USUAL: Partial<Record<FormatName, (text: string) => string>> = {
  'cpf-cnpj': (text) => lettersAndDigits(text).toUpperCase(),
  'tax-id': (text) => lettersAndDigits(text).toUpperCase(),
  phone: (text) => text.replaceAll(/\D/g, ''),
  imei: (text) => text.replaceAll(/\D/g, ''),
  'card-number': (text) => text.replaceAll(/\D/g, ''),
  'card-month': (text) => text.padStart(2, '0'),
  'money-text': (text) => {
    const cents = centsFromText(text);
    return cents === undefined ? text : String(toReais(cents));
  },
  'date-time': (text) => parseInstant(text) ?? text,
  'date-or-time': (text) => parseInstant(text) ?? text,
  'return-url': (text) => (URL.canParse(text) ? new URL(text).href : text),
  'terms-hash': (text) => text.toLowerCase(),
};

const lettersAndDigits = (text: string): string => text.replaceAll(/[^0-9A-Za-z]/g, '');

/** Returns a function that writes the content of a body in one way: the same values, the same text. */
export const compileUsualForm = (schema: TSchema): ((content: Json) => Json) => {
  const tidy = compileTidy(schema);
  return (content) => toUsual(schema, tidy(content) as Json);
};

/** Writes a value in one way. @param schema that of the value, if there is one */
export const toUsual = (schema: TSchema | undefined, value: Json): Json => {
  const { properties = {}, items, format } = (schema ?? {}) as NestedSchemas & { format?: string };
  if (typeof value === 'string') return USUAL[format as FormatName]?.(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => toUsual(items, each));
  if (typeof value !== 'object' || value === null) return value;
  // An empty list or object means the same as an absent field.
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, toUsual(properties[name], each)] as const)
      .filter(([, each]) => typeof each !== 'object' || Object.keys(each ?? {}).length > 0),
  );
};
