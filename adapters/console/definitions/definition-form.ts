import type { Body, Field } from '../../kit/contract/catalogue-fields.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { type Faults, renderField, renderSelect, renderTextarea } from '../forms.ts';
import { hasLines, innerFields, pathIn, textOf } from './definition-fields.ts';
import {
  choiceWords,
  ITEM_WORDS,
  labelOfField,
  plainLabelOf,
  valuesOf,
} from './definition-words.ts';

/** Letters of a text, from which on it gets several lines. */
const LONG = 300;

/** What the labels say already. */
const SAID = new Set(['Em reais', 'Limite máximo de indenização, em reais']);

/** A form about a definition. */
export interface Shown {
  /** The definition as it was typed. */
  readonly body: Body;
  /** By the paths of their fields. */
  readonly faults: Faults;
}

interface Spot {
  readonly field: Field;
  readonly path: string;
  readonly value: unknown;
  /** The object that the field is in. */
  readonly object: Body;
  readonly isRequired: boolean;
}

const FLAGS = ['true', 'false'];

/** A field that has one value, with what an absent one means. */
const renderOne = ({ field, path, value, object, isRequired }: Spot, shown: Shown): Html => {
  const { type, description = '', most = 0, implied, fallback } = field;
  const absent = hasLines(field) ? undefined : fallback?.(object, shown.body);
  const text = textOf(value ?? absent ?? implied, field);
  const label = labelOfField(field);
  if (type === 'flag' || type === 'choice') {
    const values = type === 'flag' ? FLAGS : valuesOf(field);
    // What stands there and is no choice is shown, so that the fault beside it can be understood.
    const known = text === '' || values.includes(text) ? values : [...values, text];
    const none = isRequired && text !== '' ? [] : [['', '–'] as const];
    const options = [...none, ...known.map((each) => [each, choiceWords(each)] as const)];
    return renderSelect({ name: path, label, value: text }, options, shown.faults);
  }
  const hint =
    description === '' || description === label || SAID.has(description)
      ? {}
      : { hint: description };
  const isLong = hasLines(field) || type === 'json' || (type === 'text' && most >= LONG);
  const rows = type === 'json' ? 8 : 3;
  const mode = { whole: 'numeric', cents: 'decimal', ppm: 'decimal' }[type as string] ?? 'text';
  const attributes = isLong
    ? html`rows="${String(rows)}" spellcheck="${type === 'json' ? 'false' : 'true'}"`
    : html`inputmode="${mode}" autocomplete="off"`;
  const render = isLong ? renderTextarea : renderField;
  return render({ name: path, label, value: text, ...hint, attributes }, shown.faults);
};

const renderFault = (path: string, faults: Faults): Html =>
  html`${faults[path] && html`<p class="fault" id="${path}-fault">${faults[path]}</p>`}`;

/** What names an item to a person, with its rate: `representação, 20 %`. */
const nameOfItem = (item: Body): string =>
  [keyOfItem(item), rateOfItem(item)].filter((each) => each !== '').join(', ');

const rateOfItem = ({ rate, tariff }: Body): string => {
  const found = rate ?? (tariff as Body | undefined)?.['rate'];
  return found === undefined ? '' : `${textOf(found, { type: 'ppm' })} %`;
};

const keyOfItem = (item: Body): string =>
  String(item['code'] ?? item['name'] ?? (item['kind'] ? choiceWords(String(item['kind'])) : ''));

const isFaulty = (path: string, faults: Faults): boolean =>
  Object.keys(faults).some((each) => each === path || each.startsWith(`${path}.`));

/** A list of objects: each can be removed, and another one added. No script is needed. */
const renderItems = ({ field, path, value }: Spot, shown: Shown): Html => {
  const items = (Array.isArray(value) ? value : []) as readonly Body[];
  const one = ITEM_WORDS[field.name] ?? '';
  const item = field.item as Field;
  const rendered = items.map((each, index) => {
    const at = `${path}.${index}`;
    const name = nameOfItem(each);
    const isOpen = name === '' || isFaulty(at, shown.faults);
    return html`<details id="${at}"${isOpen && html` open`}><summary>${one} ${String(index + 1)}${name && `: ${name}`}</summary>
${renderFields(item, at, each, shown)}
<button class="bad" name="act" value="remove:${at}">Remover ${one} ${String(index + 1)}</button></details>`;
  });
  return html`<fieldset class="part" id="${path}"><legend>${labelOfField(field)}</legend>
${renderFault(path, shown.faults)}${rendered}
<button class="plain" name="act" value="add:${path}">Acrescentar ${one}</button></fieldset>`;
};

const renderSpot = (spot: Spot, shown: Shown): Html => {
  const { field, path, value } = spot;
  if (field.item?.fields) return renderItems(spot, shown);
  if (!field.fields) return renderOne(spot, shown);
  return html`<fieldset class="part" id="${path}"><legend>${plainLabelOf(field.name)}</legend>
${field.description && html`<p class="hint">${field.description}</p>`}${renderFault(path, shown.faults)}
${renderFields(field, path, (value ?? {}) as Body, shown)}</fieldset>`;
};

/** The fields of an object: those with one value first, side by side. */
const renderFields = (field: Field, path: string, object: Body, shown: Shown): Html => {
  const spots = innerFields(field)
    .filter(([inner]) => !(path === '' && inner.isInPath))
    .map(([inner, isRequired]) => ({
      ...{ field: inner, path: pathIn(path, inner.name), value: object[inner.name] },
      ...{ object, isRequired: isRequired || inner.fallback !== undefined },
    }));
  const isWide = ({ field: { fields, item } }: Spot): boolean => Boolean(fields ?? item?.fields);
  return html`<div class="fields">${spots.filter((spot) => !isWide(spot)).map((spot) => renderOne(spot, shown))}</div>
${spots.filter(isWide).map((spot) => renderSpot(spot, shown))}`;
};

/** The fields of a definition, but for its name in the address. */
export const renderDefinition = (field: Field, shown: Shown): Html =>
  renderFields(field, '', shown.body, shown);
