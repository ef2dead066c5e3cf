import { type Json, parseTaxId } from '#domain';

/** Max length of an excerpt, in characters. */
const MAX_EXCERPT_LENGTH = 4_000;

/** Limits of what is shown of a JSON value: levels, fields of an object, items of a list. */
const [MAX_LEVELS, MAX_FIELDS, MAX_ITEMS] = [6, 60, 5];

/** Fields that tell which charge a notice concerns. The values of all others are left out. */
const SHOWN_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'event',
  'type',
  'object',
  'status',
  'reference',
  'externalReference',
  'installment',
  'billingType',
  'value',
  'netValue',
  'amount',
  'deleted',
  'dateCreated',
  'dueDate',
  'paymentDate',
  'confirmedDate',
]);

const FIELD_NAME = /^[A-Za-z]\w{0,39}$/;

const IDENTIFIER = /^[\w.:&+-]{1,100}$/;

/** A number of ten digits or more, whatever stands between them; a card number in any text. */
const LONG_NUMBER = /^(?:[\W_]*\d){10,}[\W_]*$|\d{13}/;

/** Whether a text may be a card number, a tax id or a telephone number. */
const isPersonalNumber = (text: string): boolean =>
  LONG_NUMBER.test(text) || parseTaxId(text) !== undefined;

/** Events, ids of charges and notices, and references of sales in a text that is not JSON. */
const TRACES =
  /\b[A-Z]{3,}(?:_[A-Z]{2,})+\b|\b(?:pay|evt)_\w{1,60}|\b\d{1,15}-[0-9A-HJKMNP-TV-Z]{26}\b/g;

/** Max traces that are shown. */
const MAX_TRACES = 20;

/**
 * What may be stored of a notice that the service does not understand: its structure and what names
 * the charge. Card data and personal data are left out.
 */
export const redactNotice = (body: string): string => {
  let parsed: Json;
  try {
    parsed = JSON.parse(body);
  } catch {
    const traces = [...new Set(body.match(TRACES))].slice(0, MAX_TRACES);
    return JSON.stringify({ not_json: `${body.length} characters`, traces });
  }
  return JSON.stringify(redactValue(parsed, '', 0)).slice(0, MAX_EXCERPT_LENGTH);
};

const redactValue = (value: Json, field: string, level: number): Json => {
  if (value === null) return null;
  if (typeof value !== 'object') return redactScalar(value, field);
  if (level === MAX_LEVELS) return '(more levels)';
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ITEMS).map((item) => redactValue(item, field, level + 1));
    return value.length > MAX_ITEMS ? [...shown, `(${value.length} items)`] : shown;
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_FIELDS)
      .map(([name, each]) => [
        FIELD_NAME.test(name) ? name : '(name)',
        redactValue(each, name, level + 1),
      ]),
  );
};

const redactScalar = (value: string | number | boolean, field: string): Json => {
  const text = String(value);
  const isShown = SHOWN_FIELDS.has(field) && IDENTIFIER.test(text) && !isPersonalNumber(text);
  if (isShown) return value;
  return typeof value === 'string' ? `(text of ${value.length})` : `(${typeof value})`;
};
