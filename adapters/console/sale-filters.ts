import { addDays, businessDay, SALE_STATUSES } from '#domain';
import type { CatalogueOfDay } from '../../application/catalogue/catalogue.ts';
import type { Clock } from '../../application/clock.ts';
import type { ListSales } from '../../application/sales/list-sales.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import { type Faults, renderField, renderSelect } from './forms.ts';
import { readPeriod, readTyped, renderPeriod } from './period.ts';
import { STATUS_WORDS } from './sale-words.ts';
import type { OwnVisit } from './visit.ts';

/** Which sales a list shows, as its address says. */
export interface ListFilters {
  readonly query: Parameters<ListSales>[0];
  /** What the address says, without the place in the list. */
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: Faults;
}

/** Days that are shown of one product or status, where no other are asked for. */
const DAYS = 90;

const NAMES = ['channel', 'product', 'status', 'from', 'to', 'order'] as const;

/** Neither names nor numbers of people belong into an address: a longer text has a letter. */
const CHANNEL = /^(?=.*[a-z]|.{1,7}$)[\w.~-]+$/i;

/** Reads the filters in an address. What cannot be read is a fault, and filters nothing. */
export const readFilters = (
  { query, now, channelLink }: Pick<OwnVisit, 'query' | 'now' | 'channelLink'>,
  clock: Clock,
): ListFilters => {
  const typed = readTyped(query, NAMES);
  if (channelLink !== undefined) typed['channel'] = channelLink;
  const status = SALE_STATUSES.find((each) => each === typed['status']);
  // Without a channel each sale is looked at, so only recent ones are.
  if ((status || typed['product']) && !typed['channel'] && !typed['from'])
    typed['from'] = addDays(businessDay(now), -DAYS);
  const period = readPeriod(typed, clock);
  const faults: Faults = {
    ...(typed['channel'] &&
      channelLink === undefined &&
      !CHANNEL.test(typed['channel']) && { channel: 'Escreva o canal como canal-demo.' }),
    ...(typed['status'] && !status && { status: 'Escolha uma situação da lista.' }),
    ...(typed['order'] && typed['order'] !== 'oldest' && { order: 'Escolha uma ordem da lista.' }),
    ...period.faults,
  };
  const { channel, product } = typed;
  return {
    query: {
      ...(channel !== undefined && { channelLink: channel }),
      ...(product && { productCode: product }),
      ...(status && { statuses: [status] }),
      ...period.query,
      ...(typed['order'] && { order: 'oldest' }),
    },
    ...{ typed, faults },
  };
};

/** The form of the filters. It asks by GET: an address can be kept and sent. */
export const renderFilters = (
  { typed, faults }: ListFilters,
  { products, channels }: CatalogueOfDay,
  visit: Pick<OwnVisit, 'at' | 'channelLink'>,
): Html => {
  const field = (name: string, label: string) => ({ name, label, value: typed[name] ?? '' });
  return html`<details${Object.keys(typed).length > 0 && html` open`}><summary>Filtros e ordem</summary>
<form class="filters" action="${visit.at('/sales')}" aria-label="Filtros">
${
  visit.channelLink === undefined &&
  html`${renderField({ ...field('channel', 'Canal'), attributes: html`list="channels" maxlength="100" autocomplete="off"` }, faults)}
<datalist id="channels">${[...channels.keys()].map((link) => html`<option value="${link}"></option>`)}</datalist>`
}
${renderSelect(field('product', 'Produto'), [['', 'todos'], ...products.map(({ code, name }) => [code, name ?? code] as const)], faults)}
${renderSelect(field('status', 'Situação'), [['', 'todas'], ...SALE_STATUSES.map((each) => [each, STATUS_WORDS[each]] as const)], faults)}
${renderPeriod(typed, faults)}
${renderSelect(
  field('order', 'Ordem'),
  [
    ['', 'mais novas'],
    ['oldest', 'mais velhas'],
  ],
  faults,
)}
<button>Filtrar</button></form></details>`;
};
