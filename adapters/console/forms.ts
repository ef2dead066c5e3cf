import { type Cents, centsFromText } from '#domain';
import { type Html, html } from '../kit/web/pages/html.ts';

/** What is wrong with the fields of a form, by their names. */
export type Faults = Readonly<Partial<Record<string, string>>>;

/** An amount as people type it: `R$ 29,90`. In cents; undefined: it is none. */
export const readAmount = (typed: string | undefined): Cents | undefined =>
  centsFromText((typed ?? '').replace(/^R\$\s*/i, ''));

/** All faults at the top, each a link to its field. */
export const renderFaults = (faults: Faults): Html => {
  const all = Object.entries(faults);
  return html`${
    all.length > 0 &&
    html`<div class="alert" role="alert" tabindex="-1" autofocus><h2>Confira o que foi digitado</h2>
<ul>${all.map(([name, fault]) => html`<li><a href="#${name}">${fault}</a></li>`)}</ul></div>`
  }`;
};

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly attributes: Html;
}

/** The attributes that tie a field to its hint and its fault. */
const ties = (name: string, hint: string | undefined, fault: string | undefined): Html => {
  const by = [...(hint ? [`${name}-hint`] : []), ...(fault ? [`${name}-fault`] : [])].join(' ');
  return html`${by && html` aria-describedby="${by}"`}${fault && html` aria-invalid="true"`}`;
};

const around = (
  { name, label, hint }: Omit<Field, 'attributes'>,
  faults: Faults,
  field: Html,
): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${field}
${faults[name] && html`<p class="fault" id="${name}-fault">${faults[name]}</p>`}</div>`;

export const renderField = (field: Field, faults: Faults): Html => {
  const { name, hint, value, attributes } = field;
  const input = html`<input id="${name}" name="${name}" value="${value ?? ''}" ${attributes}${ties(name, hint, faults[name])}>`;
  return around(field, faults, input);
};

/** A field for a text of several lines. */
export const renderTextarea = (field: Field, faults: Faults): Html => {
  const { name, hint, value, attributes } = field;
  const area = html`<textarea id="${name}" name="${name}" ${attributes}${ties(name, hint, faults[name])}>
${value ?? ''}</textarea>`;
  return around(field, faults, area);
};

export const renderSelect = (
  field: Omit<Field, 'attributes'>,
  options: readonly (readonly [value: string, label: string])[],
  faults: Faults,
): Html => {
  const { name, hint, value } = field;
  const chosen = options.map(
    ([each, label]) =>
      html`<option value="${each}"${each === value && html` selected`}>${label}</option>`,
  );
  const select = html`<select id="${name}" name="${name}"${ties(name, hint, faults[name])}>${chosen}</select>`;
  return around(field, faults, select);
};

const hasAmount = (cell: Html | string | undefined): boolean =>
  String(cell).includes('class="amount"');

/**
 * A table. On a narrow screen each row stands as a list with the heads beside its cells, so the roles
 * are said again: browsers take them from what is no longer shown as a table.
 *
 * @param rows cells, row by row
 */
export const renderTable = (
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head, index) => html`<th scope="col" role="columnheader"${rows.some((cells) => hasAmount(cells[index])) && html` class="right"`}>${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
  (cells) =>
    html`<tr role="row">${cells.map((cell, index) => html`<td role="cell" data-head="${heads[index] ?? ''}"><div>${cell}</div></td>`)}</tr>`,
)}</tbody>
</table>`;
