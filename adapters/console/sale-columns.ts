import { coverOf, formatDate, formatReais, type Sale, standingOn, toReais } from '#domain';
import { wallClockOf } from '../kit/sheets/wall-clock.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import type { Column } from './columns.ts';
import { STATUS_WORDS } from './sale-words.ts';
import { whenOf } from './words.ts';

export const nameOf = ({ terms: { insured } }: Sale): string => insured.socialName ?? insured.name;

const productOf = ({ terms: { product } }: Sale): string => product.name ?? product.code;

/** Which sale a form is about. */
export const sayWhich = (sale: Sale): Html =>
  html`<p>Venda ${String(sale.id)}: <strong class="long">${nameOf(sale)}</strong>, ${productOf(sale)}</p>`;

/** The last day of the cover; empty if there is none, or none any more. */
const insuredUntil = (sale: Sale): string => {
  const { end } = coverOf(sale);
  return standingOn(sale, end) === 'in_force' ? formatDate(end) : '';
};

/** What lists, CSV and XLSX show of a sale. */
export const SALE_COLUMNS: readonly Column<Sale>[] = [
  {
    ...{ header: 'Venda', width: 12, format: '0', cell: ({ id }) => id },
    show: ({ id }, { at }) => html`<a href="${at(`/sales/${id}`)}">${String(id)}</a>`,
  },
  {
    ...{ header: 'Registrada', width: 18, format: 'dd/mm/yyyy hh:mm' },
    cell: ({ registeredAt }) => wallClockOf(registeredAt),
    show: ({ registeredAt }, { now }) => whenOf(registeredAt, now),
  },
  {
    ...{ header: 'Segurado', width: 30, cell: nameOf },
    show: (sale) => html`<span class="long">${nameOf(sale)}</span>`,
  },
  {
    ...{ header: 'Produto', width: 24 },
    cell: productOf,
  },
  { header: 'Canal', width: 20, cell: ({ terms }) => terms.channelLink },
  {
    ...{ header: 'Total', width: 12, format: '#,##0.00' },
    cell: ({ terms }) => toReais(terms.quote.premium.total),
    show: ({ terms }) =>
      html`<span class="amount">${formatReais(terms.quote.premium.total)}</span>`,
  },
  { header: 'Situação', width: 24, cell: ({ status }) => STATUS_WORDS[status] },
  { header: 'Segurado até', width: 14, cell: insuredUntil },
];
