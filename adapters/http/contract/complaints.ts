import type { ErrorObject } from 'ajv';
import { TOO_MUCH_MATCHING } from '../../../application/catalogue/attribute-schemas.ts';
import type { FieldFaults } from './answer-error.ts';
import { FORMATS, type FormatName } from './formats.ts';

/** Largest number of faults in an answer: a hostile body can have very many. */
export const MAX_LISTED_FAULTS = 100;

/** Ajv's errors as messages in Portuguese, by field. */
export const describeErrors = (errors: readonly ErrorObject[]): FieldFaults => {
  const faults = new Map<string, string[]>();
  for (const error of errors.slice(0, MAX_LISTED_FAULTS)) {
    const field = fieldOf(error);
    const message = `O campo ${field} ${describeViolation(error.keyword, error.params)}.`;
    const known = faults.get(field);
    if (known === undefined) faults.set(field, [message]);
    else if (!known.includes(message)) known.push(message);
  }
  return Object.fromEntries(faults);
};

/** The field that an error concerns, as a dotted path. */
export const fieldOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') path.push(params.missingProperty);
  if (keyword === 'additionalProperties') path.push(params.additionalProperty);
  return path.join('.');
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'um texto',
  number: 'um número',
  integer: 'um número inteiro',
  boolean: 'verdadeiro ou falso',
  array: 'uma lista',
  object: 'um objeto',
  null: 'nulo',
};

/** Quotes texts that look like numbers. */
const quoteIfAmbiguous = (value: unknown): string =>
  typeof value === 'object' || (typeof value === 'string' && /^\d+$/.test(value))
    ? JSON.stringify(value)
    : String(value);

/** Choices in a message, and their characters together, at most. */
const MAX_LISTED_CHOICES = 30;
const MAX_CHOICES_LENGTH = 600;

const listChoices = (values: readonly unknown[]): string => {
  const shown = values.slice(0, MAX_LISTED_CHOICES).map(quoteIfAmbiguous).join(', ');
  const isWhole = values.length <= MAX_LISTED_CHOICES && shown.length <= MAX_CHOICES_LENGTH;
  return isWhole ? shown : `${shown.slice(0, MAX_CHOICES_LENGTH)}…`;
};

const typeName = (type: string): string => TYPE_NAMES[type] ?? type;

/** For each keyword, what a value must be like. */
// biome-ignore lint/suspicious/noExplicitAny: Ajv's parameters differ for each keyword
const COMPLAINTS: Readonly<Record<string, (params: Readonly<Record<string, any>>) => string>> = {
  required: () => 'é obrigatório',
  additionalProperties: () => 'não é conhecido',
  unevaluatedProperties: () => 'não é conhecido',
  type: ({ type }) => `deve ser ${[type].flat().map(typeName).join(' ou ')}`,
  enum: ({ allowedValues }) => `deve ser um destes: ${listChoices(allowedValues)}`,
  const: ({ allowedValue }) => `deve ser ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) =>
    `deve ter no mínimo ${limit} ${limit === 1 ? 'caractere' : 'caracteres'}`,
  maxLength: ({ limit }) => `deve ter no máximo ${limit} caracteres`,
  minimum: ({ limit }) => `deve ser no mínimo ${limit}`,
  maximum: ({ limit }) => `deve ser no máximo ${limit}`,
  exclusiveMinimum: ({ limit }) => `deve ser maior que ${limit}`,
  exclusiveMaximum: ({ limit }) => `deve ser menor que ${limit}`,
  multipleOf: ({ multipleOf }) => `deve ser múltiplo de ${multipleOf}`,
  pattern: ({ pattern }) => `deve corresponder ao padrão "${pattern}"`,
  uniqueItems: () => 'não pode ter itens repetidos',
  minItems: ({ limit }) => `deve ter no mínimo ${limit} ${limit === 1 ? 'item' : 'itens'}`,
  maxItems: ({ limit }) => `deve ter no máximo ${limit} ${limit === 1 ? 'item' : 'itens'}`,
  minProperties: ({ limit }) => `deve ter no mínimo ${limit} ${limit === 1 ? 'campo' : 'campos'}`,
  maxProperties: ({ limit }) => `deve ter no máximo ${limit} ${limit === 1 ? 'campo' : 'campos'}`,
  propertyNames: ({ propertyName }) =>
    `não pode ter um campo de nome ${JSON.stringify(propertyName)}`,
  dependentRequired: ({ property, missingProperty }) =>
    `deve ter ${missingProperty} onde tem ${property}`,
  contains: () => 'não tem os itens que deve ter',
  format: ({ format }) => FORMATS[format as FormatName].complaint,
  [TOO_MUCH_MATCHING]: () => 'tem textos longos demais para os padrões (pattern) do produto',
};

/** For combinations of rules (anyOf, not, if…), where the rule that the caller meant is unknown. */
const OTHER_COMPLAINT = 'não combina com as regras deste campo';

/** Completes "O campo x …" for a violated keyword of JSON Schema, with Ajv's parameters for it. */
export const describeViolation = (
  keyword: string,
  params: Readonly<Record<string, unknown>>,
): string => COMPLAINTS[keyword]?.(params) ?? OTHER_COMPLAINT;
