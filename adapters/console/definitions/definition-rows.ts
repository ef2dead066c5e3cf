import { cents, formatReais } from '#domain';
import type { Body, Field } from '../../kit/contract/catalogue-fields.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { renderTable } from '../forms.ts';
import { sayPercent } from '../words.ts';
import { hasLines, innerFields, textOf } from './definition-fields.ts';
import { choiceWords, plainLabelOf } from './definition-words.ts';

/** A field of several versions of a definition, in words. */
export interface Row {
  /** What it is a field of: `Planos, PADRAO, Preço`; empty: of the definition itself. */
  readonly room: string;
  readonly label: string;
  /** One of each version; empty where the version does not say it. */
  readonly cells: readonly string[];
}

/** A value as a person reads it. */
const sayValue = (value: unknown, field: Field): string => {
  const { type } = field;
  if (value === undefined) return '';
  if (type === 'cents') return formatReais(cents(Math.round(Number(value) * 100)));
  if (type === 'ppm') return sayPercent(Number(value));
  if (type === 'choice' || type === 'flag') return choiceWords(String(value));
  return textOf(value, field);
};

/** What an item is known by in every version, wherever it stands. */
const keyOf = (item: Body): string =>
  String(item['code'] ?? item['name'] ?? choiceWords(String(item['kind'])));

/** The items of each version under one key, in the order of the last version that has it. */
function* itemsByKey(lists: readonly (readonly Body[])[]) {
  const keys = new Set([...lists].reverse().flatMap((list) => list.map(keyOf)));
  for (const key of keys)
    yield [key, lists.map((list) => list.find((each) => keyOf(each) === key))] as const;
}

/** The order of a list, where the versions share items: of plans, the first is the default. */
const orderRows = (
  lists: readonly (readonly Body[])[],
  field: Field,
  room: string,
): readonly Row[] => {
  const shared = (item: Body): boolean =>
    lists.every((list) => list.some((each) => keyOf(each) === keyOf(item)));
  const cells = lists.map((list) => list.filter(shared).map(keyOf).join(', '));
  const row = { room, label: `${plainLabelOf(field.name)}, na ordem`, cells };
  return cells.some((cell) => cell.includes(', ')) ? [row] : [];
};

const rowsOf = (
  values: readonly unknown[],
  field: Field,
  rooms: readonly string[],
): readonly Row[] => {
  const room = rooms.slice(0, -1).join(', ');
  if (field.item?.fields) {
    const item = field.item;
    const lists = values.map((value) => (value ?? []) as readonly Body[]);
    const inside = [...itemsByKey(lists)].flatMap(([key, items]) =>
      innerFields(item).flatMap(([inner]) =>
        rowsOf(
          items.map((each) => each?.[inner.name]),
          inner,
          [...rooms, key, plainLabelOf(inner.name)],
        ),
      ),
    );
    return [...inside, ...orderRows(lists, field, room)];
  }
  if (!field.fields || hasLines(field))
    return [
      { room, label: rooms.at(-1) ?? '', cells: values.map((value) => sayValue(value, field)) },
    ];
  return innerFields(field).flatMap(([inner]) =>
    rowsOf(
      values.map((value) => (value as Body | undefined)?.[inner.name]),
      inner,
      [...rooms, plainLabelOf(inner.name)],
    ),
  );
};

/** Every field that a version says. @param versions in their long form */
export const definitionRows = (versions: readonly Body[], field: Field): readonly Row[] =>
  rowsOf(versions, field, []).filter(({ cells }) => cells.some((cell) => cell !== ''));

/** The fields in which versions differ. */
export const differingRows = (versions: readonly Body[], field: Field): readonly Row[] =>
  definitionRows(versions, field).filter(({ cells }) => new Set(cells).size > 1);

/** Fields of versions in words, with a table for each part of the definition. */
export const renderRows = (rows: readonly Row[], heads: readonly string[]): Html => {
  const rooms = [...new Set(rows.map(({ room }) => room))];
  return html`<div class="rows">${rooms.map((room) =>
    renderTable(
      room || 'Ao todo',
      ['Campo', ...heads],
      rows
        .filter((row) => row.room === room)
        .map(({ label, cells }) => [
          label,
          ...cells.map((cell) => html`<span class="long lines">${cell}</span>`),
        ]),
    ),
  )}</div>`;
};
