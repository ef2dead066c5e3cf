import { isIP } from 'node:net';
import type { Format } from 'ajv';
import Type, {
  type TNumberOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
} from 'typebox';
import {
  CardNumber,
  centsFromNumber,
  centsFromText,
  isChannelLink,
  isUf,
  isVisible,
  parseDate,
  parseExternalSaleId,
  parseImei,
  parseInstant,
  rateFromPercent,
  UFS,
} from '#domain';
import type { AttributeFormat } from '../../../application/catalogue/attribute-schemas.ts';
import { isEmail, isPhone, isPostcode, isReturnUrl, isTaxId } from './domain-values.ts';
import type { FieldCode } from './error-codes.ts';

/**
 * Whether a text is visible and safe to store and show. Refused: control characters (PostgreSQL
 * stores no NUL, and line breaks would split mail headers), line and paragraph separators, marks
 * that change the writing direction, lone surrogates, noncharacters, the byte order mark U+FEFF,
 * and more than 30 combining marks on one letter (UAX #15, section 13).
 */
export const isText = (text: string): boolean =>
  text.isWellFormed() &&
  !/[\p{Cc}\p{Noncharacter_Code_Point}\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD]|\p{M}{31}/u.test(
    text,
  ) &&
  isVisible(text);

/** The same for a text of several lines, where line breaks and tabs are welcome. */
export const isParagraphs = (text: string): boolean => isText(text.replaceAll(/[\n\r\t]/g, ' '));

/** The parts of a schema that describe the values inside. */
export interface NestedSchemas {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

export interface FieldFormat {
  readonly format: Format;
  /** Completes "O campo x …". */
  readonly complaint: string;
  /** The code of the complaint. Default: `invalid_format`. */
  readonly code?: FieldCode;
}

/** Formats of single values: the domain's rules, and the message for each. */
export const FORMATS = {
  text: { format: isText, complaint: 'não pode ser vazio nem conter caracteres de controle' },
  paragraphs: {
    format: isParagraphs,
    complaint: 'não pode ser vazio nem conter caracteres de controle',
  },
  email: { format: isEmail, complaint: 'deve ser um e-mail válido' },
  phone: { format: isPhone, complaint: 'deve ser um telefone com 8 a 15 dígitos' },
  date: {
    format: (text: string) => parseDate(text) !== undefined,
    complaint: 'deve ser uma data válida, de 1900 a 2199, no formato AAAA-MM-DD',
  },
  'hour-minute': {
    format: /^([01]\d|2[0-3]):[0-5]\d$/,
    complaint: 'deve ser um horário no formato HH:MM',
  },
  'cpf-cnpj': {
    format: (text: string) => /^[0-9A-Za-z]+$/.test(text) && isTaxId(text),
    complaint: 'deve ser um CPF ou CNPJ válido, sem pontuação',
    code: 'invalid_tax_id',
  },
  'tax-id': {
    format: isTaxId,
    complaint: 'deve ser um CPF ou CNPJ válido',
    code: 'invalid_tax_id',
  },
  state: {
    format: isUf,
    complaint: 'deve ser a sigla de uma das 27 unidades federativas',
    code: 'not_offered',
  },
  postcode: {
    format: (text: string) => /^\d+$/.test(text) && isPostcode(text),
    complaint: 'deve ter 8 dígitos, sem hífen',
  },
  'card-number': {
    format: (text: string) => CardNumber.parse(text) !== undefined,
    complaint: 'deve ser um número de cartão válido, com 12 a 19 dígitos',
    code: 'invalid_card_number',
  },
  'card-code': { format: /^\d{3,4}$/, complaint: 'deve ter 3 ou 4 dígitos' },
  'card-month': { format: /^(0?[1-9]|1[0-2])$/, complaint: 'deve ser um mês, de 01 a 12' },
  'two-digit-year': { format: /^\d{2}$/, complaint: 'deve ser um ano com dois dígitos' },
  imei: {
    format: (text: string) => parseImei(text) !== undefined,
    complaint: 'deve ser um IMEI válido, com 15 dígitos',
  },
  municipality: { format: /^\d{7}$/, complaint: 'deve ter 7 dígitos' },
  money: {
    format: {
      type: 'number',
      validate: (value: number) => value < 0 || centsFromNumber(value) !== undefined,
    },
    complaint:
      'deve ser um valor em reais com até duas casas decimais, como 188.60, e não acima de 100 bilhões',
  },
  'money-text': {
    format: (text: string) => centsFromText(text) !== undefined,
    complaint: 'deve ser um valor em reais como 150.00, 150,00 ou 1.234,56',
  },
  percent: {
    format: { type: 'number', validate: (value: number) => rateFromPercent(value) !== undefined },
    complaint: 'deve ser um percentual de 0 a 100 com até quatro casas decimais, como 7.38',
  },
  'date-time': {
    format: (text: string) => parseInstant(text) !== undefined,
    complaint:
      'deve ser um instante com fuso horário, como 2026-11-20T15:00:00Z ou 2026-11-20T12:00:00-03:00',
  },
  'date-or-time': {
    format: (text: string) => parseDate(text) !== undefined || parseInstant(text) !== undefined,
    complaint:
      'deve ser uma data AAAA-MM-DD ou um instante com fuso horário, como 2026-11-20T12:00:00-03:00',
  },
  'external-sale-id': {
    format: (text: string) => isText(text) && parseExternalSaleId(text) !== undefined,
    complaint:
      'não pode ser vazio, ter espaços nas pontas, conter caracteres de controle ou invisíveis, nem ser . ou ..',
  },
  'return-url': {
    format: isReturnUrl,
    complaint:
      'deve ser um endereço https completo, em ASCII, sem usuário nem senha (http só para localhost)',
  },
  'ip-address': {
    // Node.js also accepts a zone (fe80::1%eth0), which means nothing on another machine.
    format: (text: string) => isIP(text) !== 0 && !text.includes('%'),
    complaint: 'deve ser um endereço IPv4 ou IPv6',
  },
  sha256: {
    format: /^[0-9a-f]{64}$/i,
    complaint: 'deve ser um SHA-256 em hexadecimal (64 caracteres)',
  },
  'terms-hash': {
    format: /^(?:[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i,
    complaint: 'deve ser um SHA-256, SHA-384 ou SHA-512 em hexadecimal (64, 96 ou 128 caracteres)',
  },
  month: {
    format: (text: string) => parseDate(`${text}-01`) !== undefined,
    complaint: 'deve ser um mês no formato AAAA-MM',
  },
  'channel-link': {
    format: isChannelLink,
    complaint:
      'deve começar com letra ou dígito e ter só letras, dígitos, ponto, sublinhado, til e hífen, até 100',
  },
  'transaction-id': { format: /^[1-9]\d{0,14}$/, complaint: 'deve ser o número de uma transação' },
  'page-limit': {
    code: 'out_of_range',
    format: /^([1-9]\d?|1\d\d|200)$/,
    complaint: 'deve ser um número inteiro de 1 a 200',
  },
  'short-page-limit': {
    code: 'out_of_range',
    format: /^([1-9]|[1-4]\d|50)$/,
    complaint: 'deve ser um número inteiro de 1 a 50',
  },
  version: { format: /^[1-9]\d{0,8}$/, complaint: 'deve ser o número de uma versão' },
  cursor: {
    format: /^[A-Za-z0-9_-]+$/,
    complaint: 'deve ser o next_cursor de uma resposta anterior',
  },
} satisfies Record<string, FieldFormat> & Record<AttributeFormat, FieldFormat>;

export type FormatName = keyof typeof FORMATS;

/** Marks a field with personal data: answers that show it back mask it. */
export const PERSONAL = { 'x-personal': true };

/** Marks a field that holds a payment card: it is neither stored nor shown back. */
export const CARD = { 'x-card': true };

/** Marks an object of any fields whose texts are data, to be tidied. */
export const ATTRIBUTES = { 'x-attributes': true };

export const formatted = (format: FormatName, options: TSchemaOptions = {}) =>
  Type.String({ format, ...options });

export const text = (maxLength: number, options: TSchemaOptions = {}) =>
  formatted('text', { minLength: 1, maxLength, ...options });
export const paragraphs = (maxLength: number, options: TSchemaOptions = {}) =>
  formatted('paragraphs', { minLength: 1, maxLength, ...options });
export const email = (options: TSchemaOptions = {}) =>
  formatted('email', { maxLength: 254, ...PERSONAL, ...options });
export const phone = (options: TSchemaOptions = {}) =>
  formatted('phone', { maxLength: 30, examples: ['+55 (11) 98765-4321'], ...PERSONAL, ...options });
export const date = (options: TSchemaOptions = {}) => formatted('date', options);
export const time = (options: TSchemaOptions = {}) =>
  formatted('hour-minute', { examples: ['21:30'], ...options });
export const taxId = (options: TSchemaOptions = {}) =>
  formatted('cpf-cnpj', {
    examples: ['52998224725', '12ABC34501DE35'],
    ...PERSONAL,
    ...options,
  });
export const state = (options: TSchemaOptions = {}) =>
  formatted('state', { examples: UFS, ...options });
export const postcode = (options: TSchemaOptions = {}) =>
  formatted('postcode', { examples: ['01001000'], ...PERSONAL, ...options });

/** An object that refuses unknown fields, so that the caller notices a typo. */
export const closedObject = <Properties extends TProperties>(
  properties: Properties,
  options: TSchemaOptions = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

export const nullable = <Shape extends TSchema>(shape: Shape, description?: string) =>
  Type.Union([shape, Type.Null()], description === undefined ? {} : { description });
export const nullableText = (description?: string) => nullable(Type.String(), description);
export const money = (options: TSchemaOptions = {}) =>
  Type.Number({ format: 'money', exclusiveMinimum: 0, examples: [188.6], ...options });
export const moneyText = (options: TSchemaOptions = {}) =>
  formatted('money-text', { maxLength: 20, examples: ['150.00', '1.234,56'], ...options });
export const percentage = (options: TNumberOptions = {}) =>
  Type.Number({ format: 'percent', examples: [7.38], ...options });
export const moment = (options: TSchemaOptions = {}) =>
  formatted('date-time', { examples: ['2026-11-20T15:00:00.000Z'], ...options });
/** The address to which the payer goes back. It may carry what the shop knows of the customer. */
export const returnUrl = () =>
  formatted('return-url', {
    title: 'ReturnUrl',
    maxLength: 2_000,
    examples: ['https://loja.example/pedidos/1001'],
    description:
      'Para onde a página de pagamento leva de volta; de uma das origens cadastradas para o canal',
    ...PERSONAL,
  });
export const channelLink = (options: TSchemaOptions = {}) =>
  formatted('channel-link', { maxLength: 100, ...options });
