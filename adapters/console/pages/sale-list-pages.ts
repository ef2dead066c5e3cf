import type { Sale } from '#domain';
import type {
  ListAllSales,
  SearchAllSales,
} from '../../../application/all-groups/list-all-sales.ts';
import type { AuditLog } from '../../../application/audit/audit-log.ts';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import type { Clock } from '../../../application/clock.ts';
import { type Places, writePlaces } from '../../../application/groups/merge-lists.ts';
import type { SecretSeal } from '../../../application/webhooks/webhook-sender.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { fileOf, renderItems } from '../columns.ts';
import { noteExport } from '../exports.ts';
import { renderFaults } from '../forms.ts';
import { placesIn, refuseIncomplete, renderIncomplete } from '../incomplete.ts';
import { SALE_COLUMNS } from '../sale-columns.ts';
import { type ListFilters, readFilters, renderFilters } from '../sale-filters.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { FAULTY } from './entry-pages.ts';

export interface SaleListParts {
  readonly searchAllSales: SearchAllSales;
  readonly listAllSales: ListAllSales;
  readonly catalogue: Catalogue;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly secretSeal: SecretSeal;
}

const SALES = { right: 'sales' } as const;

const PAGE = 50;

/** Sales in a file, at most. */
const MOST_IN_FILE = 5_000;

/** Sales that are read at once for a file. */
const BATCH = 500;

/** What the text of a search is sealed for: names and tax ids stand in no history of a browser. */
const SEALED_FOR = 'console search';

const NOTHING_FOUND =
  'Nenhuma venda encontrada. Confira a grafia, ou procure por outro dado: uma venda aparece segundos depois do registro.';

/** The one field in which sales are searched for. */
export const renderSearch = (
  { at }: OwnVisit,
  typed: string,
): Html => html`<form class="search" method="post" action="${at('/sales')}" role="search" novalidate>
<label for="q">Nome, CPF, e-mail, telefone, ou um número da venda</label>
<div class="row"><input id="q" name="q" value="${typed}" type="search" maxlength="200" autocomplete="off"><button>Procurar</button></div>
</form>`;

const CAPTIONS = {
  newest: 'Vendas, as mais novas primeiro',
  oldest: 'Vendas, as mais velhas primeiro',
};

const listPage = (parts: SaleListParts): OwnPage['answer'] => {
  const { searchAllSales, listAllSales, catalogue, clock, secretSeal } = parts;

  const showFound = async (visit: OwnVisit, sealed: string): Promise<Answer> => {
    const typed = secretSeal.open(sealed, SEALED_FOR) ?? '';
    const found = await searchAllSales(typed, {
      ...{ channelLink: visit.channelLink, places: placesIn(visit), limit: PAGE },
    });
    const { sales: shown, next } = found;
    const further = next && new URLSearchParams({ find: sealed, after: writePlaces(next) });
    return {
      title: 'Vendas',
      content: html`<h1>Vendas</h1>${renderSearch(visit, typed)}
${renderIncomplete(found.incomplete)}
${found.isPartial && html`<p class="note" role="status">Há vendas demais com essas palavras: pode faltar alguma. Escreva mais.</p>`}
${shown.length === 0 ? html`<p role="status">${NOTHING_FOUND}</p>` : renderItems(CAPTIONS.newest, SALE_COLUMNS, shown, visit)}
${further && html`<p><a class="button" href="${visit.at('/sales')}?${further}">Mais antigas</a></p>`}
<p><a href="${visit.at('/sales')}">Todas as vendas</a></p>`,
    };
  };

  return async function showSales(visit): Promise<Answer> {
    const sealed = visit.query('find');
    if (sealed) return showFound(visit, sealed);
    const current = await catalogue.current();
    const filters = readFilters(visit, clock);
    const { query, faults } = filters;
    const isFaulty = Object.keys(faults).length > 0;
    const listed = isFaulty
      ? { sales: [], next: undefined, incomplete: [] }
      : await listAllSales(query, placesIn(visit), PAGE);
    return {
      title: 'Vendas',
      ...(isFaulty && FAULTY),
      content: html`<h1>Vendas</h1>${renderSearch(visit, '')}
${renderFaults(faults)}
${renderFilters(filters, current, visit)}
${renderIncomplete(listed.incomplete)}
${!isFaulty && renderList(listed.sales, listed.next, filters, visit)}`,
    };
  };
};

const renderList = (
  shown: readonly Sale[],
  next: Places | undefined,
  { query: { order }, typed }: ListFilters,
  visit: OwnVisit,
): Html => {
  const at = visit.at('/sales');
  const further = next && new URLSearchParams({ ...typed, after: writePlaces(next) });
  const addressOf = (form: string): string =>
    `${visit.at('/sales/file')}?${new URLSearchParams({ ...typed, form })}`;
  const none = next
    ? 'Nenhuma venda com estes filtros até aqui.'
    : 'Nenhuma venda com estes filtros.';
  return html`${shown.length === 0 ? html`<p role="status">${none}</p>` : renderItems(order ? CAPTIONS.oldest : CAPTIONS.newest, SALE_COLUMNS, shown, visit)}
${further && html`<p><a class="button" href="${at}?${further}">${order ? 'Mais novas' : 'Mais antigas'}</a></p>`}
<p>Até ${String(MOST_IN_FILE)} vendas em arquivo: <a href="${addressOf('csv')}">CSV</a> <a href="${addressOf('xlsx')}">XLSX</a></p>`;
};

/** The sales of the filters, in the order of the list. */
const readForFile = async (
  { query }: ListFilters,
  listAllSales: ListAllSales,
): Promise<readonly Sale[]> => {
  const all: Sale[] = [];
  let places: Places | undefined = new Map();
  do {
    const { sales, next, incomplete }: Awaited<ReturnType<ListAllSales>> = await listAllSales(
      query,
      places,
      BATCH,
    );
    refuseIncomplete(incomplete);
    all.push(...sales);
    places = next;
  } while (places !== undefined && all.length < MOST_IN_FILE);
  return all;
};

/** The list as a file. The audit log has who took how many, because it names customers. */
const filePage = (parts: SaleListParts): OwnPage['answer'] =>
  async function sendSales(visit): Promise<Answer> {
    const { listAllSales, auditLog, clock } = parts;
    const filters = readFilters(visit, clock);
    // The list says what is wrong.
    if (Object.keys(filters.faults).length > 0) return { goTo: `/sales${visit.search}` };
    const listed = await readForFile(filters, listAllSales);
    await noteExport(auditLog, visit, listed.length, filters.typed);
    return { file: await fileOf('Vendas', SALE_COLUMNS, listed, visit.query('form')) };
  };

/** The pages on which people find sales. */
export const createSaleListPages = (parts: SaleListParts): readonly OwnPage[] => [
  { ...SALES, method: 'get', path: '/sales', answer: listPage(parts) },
  {
    ...{ ...SALES, method: 'post', path: '/sales', isQuestion: true },
    answer({ form }) {
      const typed = (form.one('q') ?? '').slice(0, 200);
      const sealed = encodeURIComponent(parts.secretSeal.seal(typed, SEALED_FOR));
      return { goTo: typed === '' ? '/sales' : `/sales?find=${sealed}` };
    },
  },
  { ...SALES, method: 'get', path: '/sales/file', isFile: true, answer: filePage(parts) },
];
