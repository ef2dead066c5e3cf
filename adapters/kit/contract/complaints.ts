import type { ErrorObject } from 'ajv';
import type { FieldCode } from './error-codes.ts';
import { type Complaint, complain, type FieldFaults, groupFaults } from './field-faults.ts';
import { type FieldFormat, FORMATS, type FormatName } from './formats.ts';

/** Largest number of faults in an answer: a hostile body can have very many. */
export const MAX_LISTED_FAULTS = 100;

/** Ajv's errors as messages in Portuguese, by field. */
export const describeErrors = (errors: readonly ErrorObject[]): FieldFaults =>
  groupFaults(
    errors.slice(0, MAX_LISTED_FAULTS).map((error) => {
      const field = fieldOf(error);
      return [field, describeViolation(field, error.keyword, error.params)];
    }),
  );

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

/** Completes "O campo x …", with Ajv's parameters for the keyword. */
// biome-ignore lint/suspicious/noExplicitAny: Ajv's parameters differ for each keyword
type Describe = (params: Readonly<Record<string, any>>) => string;

const boundOf =
  (bound: 'mínimo' | 'máximo', one: string, many: string): Describe =>
  ({ limit }) =>
    `deve ter no ${bound} ${limit} ${limit === 1 ? one : many}`;

/** The sentence of each keyword about what a value must be like. */
const COMPLAINTS: Readonly<Record<string, readonly [FieldCode, Describe]>> = {
  required: ['required', () => 'é obrigatório'],
  additionalProperties: ['unknown', () => 'não é conhecido'],
  unevaluatedProperties: ['unknown', () => 'não é conhecido'],
  type: ['invalid_type', ({ type }) => `deve ser ${[type].flat().map(typeName).join(' ou ')}`],
  enum: ['not_offered', ({ allowedValues }) => `deve ser um destes: ${listChoices(allowedValues)}`],
  const: ['not_offered', ({ allowedValue }) => `deve ser ${JSON.stringify(allowedValue)}`],
  minLength: ['too_short', boundOf('mínimo', 'caractere', 'caracteres')],
  maxLength: ['too_long', ({ limit }) => `deve ter no máximo ${limit} caracteres`],
  minimum: ['out_of_range', ({ limit }) => `deve ser no mínimo ${limit}`],
  maximum: ['out_of_range', ({ limit }) => `deve ser no máximo ${limit}`],
  exclusiveMinimum: ['out_of_range', ({ limit }) => `deve ser maior que ${limit}`],
  exclusiveMaximum: ['out_of_range', ({ limit }) => `deve ser menor que ${limit}`],
  multipleOf: ['invalid_format', ({ multipleOf }) => `deve ser múltiplo de ${multipleOf}`],
  pattern: ['invalid_format', ({ pattern }) => `deve corresponder ao padrão "${pattern}"`],
  uniqueItems: ['repeated', () => 'não pode ter itens repetidos'],
  minItems: ['too_short', boundOf('mínimo', 'item', 'itens')],
  maxItems: ['too_long', boundOf('máximo', 'item', 'itens')],
  minProperties: ['too_short', boundOf('mínimo', 'campo', 'campos')],
  maxProperties: ['too_long', boundOf('máximo', 'campo', 'campos')],
  propertyNames: ['unknown', () => 'tem um nome que não é aceito'],
  dependentRequired: ['required', ({ property }) => `é obrigatório onde há ${property}`],
  contains: ['invalid_value', () => 'não tem os itens que deve ter'],
};

/**
 * The complaint of combinations of rules (anyOf, not, if…): the rule that the caller meant is
 * unknown.
 */
const OTHER_COMPLAINT = 'não combina com as regras deste campo';

/** The complaint about a field that violates a keyword, with Ajv's parameters for the keyword. */
export const describeViolation = (
  field: string,
  keyword: string,
  params: Readonly<Record<string, unknown>>,
): Complaint => {
  if (keyword === 'format') return complainOfFormat(field, params['format'] as FormatName);
  const [code, describe] = COMPLAINTS[keyword] ?? ['invalid_value', () => OTHER_COMPLAINT];
  return complain(code, `O campo ${field} ${describe(params)}.`);
};

export const complainOfFormat = (field: string, format: FormatName): Complaint => {
  const { code = 'invalid_format', complaint }: FieldFormat = FORMATS[format];
  return complain(code, `O campo ${field} ${complaint}.`);
};
