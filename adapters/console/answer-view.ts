import { type CalendarDate, cents, formatDate, formatReais, type Instant } from '#domain';
import { type Html, html } from '../kit/web/pages/html.ts';
import { EVENT_WORDS, FIELD_WORDS, VALUE_WORDS } from './field-words.ts';
import { renderTable } from './forms.ts';
import { whenOf } from './words.ts';

/** Fields that hold one of few codes, and the words for those that people meet every day. */
const CODED: ReadonlySet<string> = new Set([
  ...['status', 'method', 'occasion', 'by', 'actor', 'kind', 'act', 'about', 'shown'],
]);

const AMOUNTS: ReadonlySet<string> = new Set([
  ...['net_premium', 'iof', 'total', 'commission', 'net_amount', 'amount', 'returned', 'ordered'],
  ...['refund_total', 'refund_pending'],
]);

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

const renderValue = (name: string, value: string | number | boolean, now: Instant): Html => {
  if (typeof value === 'boolean') return html`${value ? 'sim' : 'não'}`;
  if (typeof value === 'number') {
    if (AMOUNTS.has(name))
      return html`<span class="amount">${formatReais(cents(Math.round(value * 100)))}</span>`;
    return html`${name.endsWith('_rate') ? `${String(value).replace('.', ',')} %` : String(value)}`;
  }
  const words =
    name === 'event' ? EVENT_WORDS[value] : CODED.has(name) ? VALUE_WORDS[value] : undefined;
  if (words !== undefined) return html`${words}`;
  if (MOMENT.test(value)) return html`${whenOf(value as Instant, now)}`;
  if (DATE.test(value)) return html`${formatDate(value as CalendarDate)}`;
  return /^https?:\/\//.test(value)
    ? html`<a class="long" href="${value}" rel="noreferrer">Abrir</a>`
    : html`<span class="long">${value}</span>`;
};

const labelOf = (name: string): string => FIELD_WORDS[name] ?? name;

const isShown = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/** A list of objects as a table, with a column for each field that one of them has. */
const renderList = (name: string, items: readonly unknown[], now: Instant): Html => {
  const objects = items.filter((item) => typeof item === 'object' && item !== null) as object[];
  if (objects.length === 0) return html`${items.map(String).join(', ')}`;
  const columns = [
    ...new Set(
      objects.flatMap((item) =>
        Object.entries(item).flatMap(([field, value]) => (isShown(value) ? [field] : [])),
      ),
    ),
  ];
  const rows = objects.map((item) =>
    columns.map((field) => renderAny(field, (item as Record<string, unknown>)[field], now)),
  );
  return renderTable(labelOf(name), columns.map(labelOf), rows);
};

const renderAny = (name: string, value: unknown, now: Instant): Html => {
  if (!isShown(value)) return html``;
  if (Array.isArray(value)) return renderList(name, value, now);
  if (typeof value === 'object') return renderFields(value as object, now);
  return renderValue(name, value as string | number | boolean, now);
};

const renderFields = (answer: object, now: Instant): Html =>
  html`<dl class="facts">${Object.entries(answer)
    .filter(([, value]) => isShown(value))
    .map(
      ([name, value]) => html`<dt>${labelOf(name)}</dt><dd>${renderAny(name, value, now)}</dd>`,
    )}</dl>`;

const isRoom = (value: unknown): boolean => typeof value === 'object' && isShown(value);

/**
 * Shows an answer of the API to a person: first the fields that are values, then a section for each
 * object and list. What the API does not say, the page does not either.
 */
export const renderAnswer = (answer: object, now: Instant): Html => {
  const entries = Object.entries(answer);
  const values = Object.fromEntries(entries.filter(([, value]) => !isRoom(value)));
  const rooms = entries.filter(([, value]) => isRoom(value));
  return html`${renderFields(values, now)}
${rooms.map(([name, value]) => html`<section><h2>${labelOf(name)}</h2>${renderAny(name, value, now)}</section>`)}`;
};
