import {
  businessDay,
  type CalendarDate,
  findIofRate,
  formatDate,
  IOF_CLASSES,
  IOF_RATES_SHAPE,
  type IofClass,
  type IofRate,
  isRefusal,
  rateFromPercent,
  toPercent,
} from '#domain';
import type {
  ListedIofRate,
  ManageIofRates,
} from '../../../application/catalogue/manage-iof-rates.ts';
import { describeCatalogueFaults } from '../../kit/contract/catalogue-faults.ts';
import { fieldOf, findPlace } from '../../kit/contract/catalogue-fields.ts';
import { firstMessages } from '../../kit/contract/field-faults.ts';
import { wallClockOf } from '../../kit/sheets/wall-clock.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { type Column, fileOf, renderFileLinks, renderItems } from '../columns.ts';
import { choiceWords } from '../definitions/definition-words.ts';
import { type Faults, renderFaults, renderField, renderSelect } from '../forms.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { sayPercent, whenOf } from '../words.ts';
import { CATALOGUE, STALE } from './catalogue-pages.ts';
import { FAULTY } from './entry-pages.ts';

export interface TaxParts {
  readonly manageIofRates: ManageIofRates;
}

const LABELS = {
  iofClass: 'Classe de IOF',
  from: 'Primeiro dia',
  rate: 'Alíquota (%)',
  legalBasis: 'Base legal',
} as const;

type Name = keyof typeof LABELS;

const NAMES = Object.keys(LABELS) as readonly Name[];

const ROWS = fieldOf(IOF_RATES_SHAPE);

type Typed = Readonly<Record<Name, string>>;

const readTyped = (form: Form): Typed =>
  Object.fromEntries(NAMES.map((name) => [name, form.one(name) ?? ''])) as Typed;

/** The row that a form says. What cannot be read is reported by what checks the row. */
const rowOf = ({ rate, ...others }: Typed) => {
  const percent = /^\d+([.,]\d+)?$/.test(rate) ? Number(rate.replace(',', '.')) : Number.NaN;
  return { ...others, rate: rateFromPercent(percent) ?? Number.NaN };
};

const percentOf = ({ rate }: IofRate): string => sayPercent(toPercent(rate));

const newestFirst = (table: readonly ListedIofRate[]): readonly ListedIofRate[] =>
  table.toSorted((one, other) => (one.from < other.from ? 1 : -1));

const columnsOf = (
  table: readonly ListedIofRate[],
  today: CalendarDate,
): readonly Column<ListedIofRate>[] => [
  { header: 'Classe', width: 12, cell: ({ iofClass }) => choiceWords(iofClass) },
  { header: 'Desde', width: 12, cell: ({ from }) => formatDate(from) },
  {
    ...{ header: 'Alíquota', width: 12, cell: percentOf },
    show: (row) => html`<span class="amount">${percentOf(row)}</span>`,
  },
  { header: 'Base legal', width: 60, cell: ({ legalBasis }) => legalBasis },
  {
    ...{ header: 'Situação', width: 12 },
    cell: (row) => {
      if (findIofRate(row.iofClass, today, table) === row) return 'em vigor';
      return row.from > today ? 'anunciada' : 'passada';
    },
  },
  {
    ...{ header: 'Acrescentada', width: 18, format: 'dd/mm/yyyy hh:mm' },
    cell: ({ addedAt }) => (addedAt ? wallClockOf(addedAt) : null),
    show: ({ addedAt }, { now }) => (addedAt ? whenOf(addedAt, now) : 'com o serviço'),
  },
];

const renderForm = (typed: Typed, faults: Faults, action: string): Html => {
  const field = (name: Name) => ({ name, label: LABELS[name], value: typed[name] });
  const classes = IOF_CLASSES.map((each) => [each, choiceWords(each)] as const);
  const attributes = html`autocomplete="off"`;
  return html`<h2>Acrescentar uma alíquota</h2>
<p class="soft">De hoje em diante. O que está em vigor ou passou não muda, nem o que já foi vendido.</p>
<form class="filters" method="post" action="${action}" novalidate>
${renderSelect(field('iofClass'), classes, faults)}
${renderField({ ...field('from'), attributes: html`type="date"` }, faults)}
${renderField({ ...field('rate'), hint: 'Como 7,38', attributes: html`inputmode="decimal" ${attributes}` }, faults)}
${renderField({ ...field('legalBasis'), hint: 'Como no bilhete: Decreto 6.306/2007, art. 22', attributes: html`maxlength="200" ${attributes}` }, faults)}
<button>Ver o que muda</button></form>`;
};

/** The rate that a new one follows, in words. */
const sayBefore = ({ iofClass, from }: Typed, table: readonly IofRate[]): string => {
  const before = findIofRate(iofClass as IofClass, from as CalendarDate, table);
  return isRefusal(before) ? 'nenhuma' : `${percentOf(before)} (${before.legalBasis})`;
};

/** What a new rate does, asked once. @param alert why it was not added */
const renderReview = (
  typed: Typed,
  table: readonly IofRate[],
  { at }: OwnVisit,
  alert = '',
): Html => {
  const { iofClass, from, rate } = rowOf(typed);
  const row = { iofClass, from, rate, legalBasis: typed.legalBasis } as IofRate;
  const was = sayBefore(typed, table);
  return html`${alert && html`<div class="alert" role="alert"><p>${alert}</p></div>`}<div class="narrow"><h1>Acrescentar uma alíquota</h1>
<p>Para a classe ${choiceWords(iofClass)}, vendas pagas de ${formatDate(row.from)} em diante têm IOF de <strong>${percentOf(row)}</strong> em vez de ${was}, em todos os canais. Em um produto de preço bruto muda o prêmio líquido, e com ele a comissão; em um de preço líquido, o total.</p>
<p>O bilhete diz: ${row.legalBasis}.</p>
<form method="post" action="${at('/taxes')}"><input type="hidden" name="was" value="${was}">${NAMES.map((name) => html`<input type="hidden" name="${name}" value="${typed[name]}">`)}
<button name="act" value="save">Acrescentar</button> <a href="${at('/taxes')}">Voltar</a></form></div>`;
};

const NONE: Typed = { iofClass: 'general', from: '', rate: '', legalBasis: '' };

const showTaxes = async (
  { manageIofRates }: TaxParts,
  visit: OwnVisit,
  typed: Typed,
  faults: Faults = {},
): Promise<Answer> => {
  const table = await manageIofRates.list();
  const columns = columnsOf(table, businessDay(visit.now));
  return {
    title: 'Alíquotas de IOF',
    ...(Object.keys(faults).length > 0 && FAULTY),
    content: html`<p><a href="${visit.at('/catalogue')}">Catálogo</a></p><h1>Alíquotas de IOF</h1>
${visit.query('done') === 'added' && html`<p class="done" role="status">A alíquota foi acrescentada.</p>`}
${renderFaults(faults)}
${renderItems('Alíquotas, as mais novas primeiro', columns, newestFirst(table), visit)}
${renderFileLinks(visit.at('/taxes/file'))}
${renderForm(typed, faults, visit.at('/taxes'))}
<p class="soft">O mesmo pela API: <code>GET /api/admin/iof-rates</code></p>`,
  };
};

const sendTaxes =
  ({ manageIofRates }: TaxParts): OwnPage['answer'] =>
  async ({ now, query }) => {
    const table = await manageIofRates.list();
    const columns = columnsOf(table, businessDay(now));
    return { file: await fileOf('IOF', columns, newestFirst(table), query('form')) };
  };

const addRate =
  (parts: TaxParts): OwnPage['answer'] =>
  async (visit) => {
    const { manageIofRates } = parts;
    const typed = readTyped(visit.form);
    const rows = [rowOf(typed)];
    const placed = describeCatalogueFaults(
      await manageIofRates.faultsOf(rows),
      (path) => findPlace(path, ROWS, rows),
      (path) => LABELS[path.split('.').at(-1) as Name] ?? path,
    );
    const faults = Object.fromEntries(
      Object.entries(firstMessages(placed)).map(([path, message]) => [
        path.slice('0.'.length),
        message,
      ]),
    );
    if (Object.keys(faults).length > 0) return showTaxes(parts, visit, typed, faults);
    const review = async (alert = ''): Promise<Answer> => {
      const content = renderReview(typed, await manageIofRates.list(), visit, alert);
      return { title: 'Acrescentar uma alíquota', content };
    };
    if (visit.form.one('act') !== 'save') return review();
    const was = visit.form.one('was');
    const outcome = await manageIofRates.add(
      rows,
      visit.actor,
      (table) => sayBefore(typed, table) === was,
    );
    const isAdded = outcome.kind === 'added' || outcome.kind === 'unchanged';
    return isAdded ? { goTo: '/taxes?done=added' } : review(STALE);
  };

/** The pages on which administrators see and add rates of IOF. */
export const createTaxPages = (parts: TaxParts): readonly OwnPage[] => [
  {
    ...{ ...CATALOGUE, method: 'get', path: '/taxes' },
    answer: (visit) => showTaxes(parts, visit, NONE),
  },
  { ...CATALOGUE, method: 'get', path: '/taxes/file', isFile: true, answer: sendTaxes(parts) },
  { ...CATALOGUE, method: 'post', path: '/taxes', answer: addRate(parts) },
];
