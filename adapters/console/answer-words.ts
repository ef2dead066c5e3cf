import {
  type CalendarDate,
  cents,
  formatDate,
  formatReais,
  formatTaxId,
  type Instant,
  type TaxId,
} from '#domain';
import { FIELD_WORDS } from './field-words.ts';
import { MISSING } from './sale-words.ts';
import { EVENT_WORDS, VALUE_WORDS } from './value-words.ts';
import { sayPercent } from './words.ts';

/** Fields that hold one of few codes, and the words for those that people meet every day. */
const CODED: ReadonlySet<string> = new Set([
  ...['status', 'method', 'occasion', 'by', 'actor', 'kind', 'act', 'about', 'shown', 'of'],
  ...['reason', 'stated_reason', 'collected_by', 'kinds'],
]);

const AMOUNTS: ReadonlySet<string> = new Set([
  ...['net_premium', 'iof', 'total', 'commission', 'net_amount', 'amount', 'returned', 'ordered'],
  ...['refund_total', 'refund_pending', 'expected'],
]);

/** Fields whose codes have words of their own. */
const OWN_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  event: EVENT_WORDS,
  action: MISSING,
};

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

type Value = string | number | boolean;

export const isAmount = (name: string, value: Value): boolean =>
  typeof value === 'number' && AMOUNTS.has(name);

/** A value of a field, as people read it. @param sayWhen how a moment is written */
export const wordsOf = (name: string, value: Value, sayWhen: (at: Instant) => string): string => {
  if (typeof value === 'boolean') return value ? 'sim' : 'não';
  if (typeof value === 'number') {
    if (AMOUNTS.has(name)) return formatReais(cents(Math.round(value * 100)));
    return name.endsWith('_rate') ? sayPercent(value) : String(value);
  }
  const words = (OWN_WORDS[name] ?? (CODED.has(name) ? VALUE_WORDS : {}))[value];
  if (words !== undefined) return words;
  if (MOMENT.test(value)) return sayWhen(value as Instant);
  if (name === 'tax_id' || name === 'cnpj') return formatTaxId(value as TaxId);
  return DATE.test(value) ? formatDate(value as CalendarDate) : value;
};

export const labelOf = (name: string): string => FIELD_WORDS[name] ?? name;

export const isShown = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Whether a value has parts, and is shown. */
export const isRoom = (value: unknown): value is object =>
  typeof value === 'object' && isShown(value);

/** The objects of a list; none if it is a list of values. */
export const objectsIn = (items: readonly unknown[]): readonly Record<string, unknown>[] =>
  items.filter(isRoom) as readonly Record<string, unknown>[];

/** The fields that one of the objects has. */
export const columnsOf = (objects: readonly object[]): readonly string[] => [
  ...new Set(
    objects.flatMap((item) =>
      Object.entries(item).flatMap(([field, value]) => (isShown(value) ? [field] : [])),
    ),
  ),
];
