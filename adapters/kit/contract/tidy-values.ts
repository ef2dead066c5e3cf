import type { TSchema } from 'typebox';
import { centsFromText, type Json, parseInstant, toReais } from '#domain';
import type { FormatName, NestedSchemas } from './formats.ts';

interface TidySchema extends NestedSchemas {
  readonly type?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
}

/** Returns the tidy value: itself where nothing changes. */
export type Tidy = (value: unknown) => unknown;

/**
 * Returns a function that tidies the values of a body before they are checked: texts without blanks
 * at their ends and in NFC, amounts without the noise of floating point. An optional text that is
 * empty, and a card without any data, count as absent. An empty name of a sale stays, because a sale
 * without a name could be sold twice.
 */
export const compileTidy = (schema: TidySchema): Tidy => {
  const { properties, items, required } = schema;
  if (properties !== undefined) return tidyFields(properties, new Set(required));
  if (items !== undefined) return tidyItems(compileTidy(items));
  if (schema.format === 'money') return withoutNoise;
  if ('x-attributes' in schema) return tidyAll;
  return isOfText(schema) ? tidyTextUpTo(schema.maxLength) : keep;
};

const keep: Tidy = (value) => value;

const isOfText = ({ type, enum: choices }: TidySchema): boolean =>
  type === 'string' || (choices?.every((each) => typeof each === 'string') ?? false);

/** Latin-1 without blanks at its ends: tidy as it is. Telling so costs a quarter of tidying. */
const TIDY = /^[!-~\xa1-\xff](?:[ -~\xa0-\xff]*[!-~\xa1-\xff])?$/;

/** Composing marks makes a text shorter, by no more than this. */
const SHRINKS = 4;

/** Longer texts cost much to compose, and no field takes them. */
const MAX_TIDIED = 8_000;

/** A text that is too long for its field, however it is written, stays as it is. */
const tidyTextUpTo =
  (maxLength = MAX_TIDIED): Tidy =>
  (value) =>
    typeof value !== 'string' ||
    value.length > Math.min(maxLength * SHRINKS, MAX_TIDIED) ||
    TIDY.test(value)
      ? value
      : value.trim().replaceAll('\r\n', '\n').normalize('NFC');

const tidyText = tidyTextUpTo();

/** Less than this from an amount of cents, in reais, is noise. */
const NOISE = 0.000_001;

const withoutNoise: Tidy = (value) => {
  if (typeof value !== 'number') return value;
  const rounded = Math.round(value * 100) / 100;
  return Math.abs(value - rounded) < NOISE ? rounded : value;
};

const tidyItems = (tidy: Tidy): Tidy =>
  function tidyEach(value) {
    if (!Array.isArray(value)) return value;
    const tidied = value.map(tidy);
    return tidied.some((each, index) => each !== value[index]) ? tidied : value;
  };

/** The fields that are absent where their tidy value is empty. */
const isDroppable = (field: TidySchema): boolean =>
  'x-card' in field || (isOfText(field) && field.format !== 'external-sale-id');

const tidyFields = (
  properties: Readonly<Record<string, TSchema>>,
  required: ReadonlySet<string>,
): Tidy => {
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const tidy = compileTidy(field);
    const drops = !required.has(name) && isDroppable(field);
    return tidy === keep ? [] : [{ name, tidy, drops, isCard: 'x-card' in field }];
  });

  return function tidyObject(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    let changed = value as Record<string, unknown>;
    for (const { name, tidy, drops, isCard } of fields) {
      const field = changed[name];
      if (field === undefined || !Object.hasOwn(changed, name)) continue;
      const tidied = tidy(field);
      const isDropped = drops && (tidied === '' ? !isCard : isEmptyObject(tidied));
      if (tidied === field && !isDropped) continue;
      if (changed === value) changed = { ...value };
      if (isDropped) delete changed[name];
      else changed[name] = tidied;
    }
    return changed;
  };
};

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => each === '' || isEmptyObject(each));

/** Tidies the texts of a value of any shape. */
const tidyAll: Tidy = (value) => {
  if (Array.isArray(value)) return value.map(tidyAll);
  if (typeof value !== 'object' || value === null) return tidyText(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidyAll(each)]));
};

/** How texts are written when contents are compared: those of the same value in one way. */
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
  sha256: (text) => text.toLowerCase(),
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
