import type { Instant } from '#domain';
import { type Html, html } from '../kit/web/pages/html.ts';
import {
  columnsOf,
  isAmount,
  isRoom,
  isShown,
  labelOf,
  objectsIn,
  wordsOf,
} from './answer-words.ts';
import { renderTable } from './forms.ts';
import { whenOf } from './words.ts';

const renderValue = (name: string, value: string | number | boolean, now: Instant): Html => {
  if (typeof value === 'string' && /^https?:\/\//.test(value))
    return html`<a class="long" href="${value}" rel="noreferrer">Abrir</a>`;
  const words = wordsOf(name, value, (at) => whenOf(at, now));
  if (isAmount(name, value)) return html`<span class="amount">${words}</span>`;
  return words === value ? html`<span class="long">${words}</span>` : html`${words}`;
};

/** A list of objects as a table, with a column for each field that one of them has. */
const renderList = (name: string, items: readonly unknown[], now: Instant): Html => {
  const objects = objectsIn(items);
  if (objects.length === 0) return html`${items.map(String).join(', ')}`;
  const columns = columnsOf(objects);
  const rows = objects.map((item) => columns.map((field) => renderAny(field, item[field], now)));
  return renderTable(labelOf(name), columns.map(labelOf), rows);
};

const renderAny = (name: string, value: unknown, now: Instant): Html => {
  if (!isShown(value)) return html``;
  if (Array.isArray(value)) return renderList(name, value, now);
  if (isRoom(value)) return renderFields(name === 'details' ? inReais(value) : value, now);
  return renderValue(name, value as string | number | boolean, now);
};

/** The details of an alert are in cents, as the service has them. */
const inReais = (details: object): object =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'number' && isAmount(name, value) ? value / 100 : value,
    ]),
  );

const renderFields = (answer: object, now: Instant): Html =>
  html`<dl class="facts">${Object.entries(answer)
    .filter(([, value]) => isShown(value))
    .map(
      ([name, value]) => html`<dt>${labelOf(name)}</dt><dd>${renderAny(name, value, now)}</dd>`,
    )}</dl>`;

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
