import { businessDay, formatReais, type Sale } from '#domain';
import type { ActOnSale } from '../../../application/approvals/act-on-sale.ts';
import type { ApprovalRequest } from '../../../application/approvals/approval-requests.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { SearchSales } from '../../../application/search/search-sales.ts';
import type { InspectedSale, InspectSale } from '../../../application/servicing/inspect-sale.ts';
import type { SecretSeal } from '../../../application/webhooks/webhook-sender.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { isSerialNumber } from '../../kit/web/pipeline/list-answers.ts';
import { renderActs, renderDone, renderRequest } from '../acts.ts';
import { renderAnswer } from '../answer-view.ts';
import { renderTable } from '../forms.ts';
import {
  chargedAnswer,
  insuredAnswer,
  mailAnswer,
  missingAnswer,
  STATUS_WORDS,
} from '../sale-words.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { withSale } from './with-sale.ts';

export interface SaleParts {
  readonly searchSales: SearchSales;
  readonly sales: Pick<Sales, 'list' | 'load'>;
  readonly inspectSale: InspectSale;
  /** What the administrator's API answers about a sale. */
  readonly presentSale: (inspected: InspectedSale) => object;
  readonly secretSeal: SecretSeal;
  readonly actOnSale: ActOnSale;
}

const SALES = { right: 'sales' } as const;

const PAGE = 50;

/** What the text of a search is sealed for: names and tax ids stand in no history of a browser. */
const SEALED_FOR = 'console search';

const nameOf = ({ terms: { insured } }: Sale): string => insured.socialName ?? insured.name;

const renderSales = (sales: readonly Sale[], { at, now }: OwnVisit): Html =>
  renderTable(
    'Vendas, as mais novas primeiro',
    ['Venda', 'Registrada', 'Segurado', 'Produto', 'Canal', 'Total', 'Situação'],
    sales.map((sale) => [
      html`<a href="${at(`/sales/${sale.id}`)}">${String(sale.id)}</a>`,
      whenOf(sale.registeredAt, now),
      html`<span class="long">${nameOf(sale)}</span>`,
      sale.terms.product.name ?? sale.terms.product.code,
      sale.terms.channelLink,
      html`<span class="amount">${formatReais(sale.terms.quote.premium.total)}</span>`,
      STATUS_WORDS[sale.status],
    ]),
  );

const renderSearch = ({ at }: OwnVisit, typed: string): Html => html`<h1>Vendas</h1>
<form class="search" method="post" action="${at('/sales')}" role="search" novalidate>
<label for="q">Nome, CPF, e-mail, telefone, ou um número da venda</label>
<div class="row"><input id="q" name="q" value="${typed}" type="search" maxlength="200" autocomplete="off"><button>Procurar</button></div>
</form>`;

/** A list of sales: those that were searched for, or all. */
const listPage = ({ searchSales, sales, secretSeal }: SaleParts): OwnPage['answer'] =>
  async function showSales(visit): Promise<Answer> {
    const sealed = visit.query('find');
    const typed = sealed && (secretSeal.open(sealed, SEALED_FOR) ?? '');
    const last = visit.query('before') ?? '';
    const page = { before: isSerialNumber(last) ? Number(last) : undefined, limit: PAGE + 1 };
    const found = typed
      ? await searchSales(typed, page)
      : { sales: await sales.list(page), isPartial: false };
    const shown = found.sales.slice(0, PAGE);
    const next = new URLSearchParams({
      ...(sealed && { find: sealed }),
      before: String(shown.at(-1)?.id),
    });
    return {
      title: 'Vendas',
      content: html`${renderSearch(visit, typed ?? '')}
${found.isPartial && html`<p class="note" role="status">Há vendas demais com essas palavras: pode faltar alguma. Escreva mais.</p>`}
${shown.length === 0 ? html`<p role="status">Nenhuma venda encontrada. Confira a grafia, ou procure por outro dado: uma venda aparece segundos depois do registro.</p>` : renderSales(shown, visit)}
${found.sales.length > PAGE && html`<p><a class="button" href="${visit.at('/sales')}?${next}">Mais antigas</a></p>`}`,
    };
  };

const renderSale = (
  inspected: InspectedSale,
  answer: object,
  request: ApprovalRequest | undefined,
  visit: OwnVisit,
): Html => {
  const { at, now } = visit;
  const { sale, mails } = inspected;
  const { insured } = sale.terms;
  return html`<p><a href="${at('/sales')}">Vendas</a></p>
<h1>Venda ${String(sale.id)}: ${nameOf(sale)}</h1>
${renderDone(visit, sale)}
${request && renderRequest(visit, request)}
<dl class="answers">
<dt>Está segurado?</dt><dd>${insuredAnswer(sale, businessDay(now))}</dd>
<dt>Foi cobrado?</dt><dd>${chargedAnswer(sale)}</dd>
<dt>Recebeu o e-mail?</dt><dd>${mailAnswer(sale, mails, now)}</dd>
<dt>O que falta?</dt><dd>${missingAnswer(sale, now)}</dd>
</dl>
${renderActs(visit, sale)}
<section><h2>Segurado</h2><dl class="facts"><dt>Nome</dt><dd>${insured.name}</dd>
<dt>CPF ou CNPJ</dt><dd>${insured.taxId}</dd>
${insured.phone && html`<dt>Telefone</dt><dd>${insured.phone}</dd>`}</dl></section>
<section><h2>Venda</h2>${renderAnswer(answer, now)}</section>
<p class="soft">O mesmo pela API: <code>GET /admin/transactions/${String(sale.id)}</code></p>`;
};

const salePage = ({ sales, inspectSale, presentSale, actOnSale }: SaleParts): OwnPage['answer'] =>
  withSale({ sales }, async (visit, sale) => {
    const inspected = await inspectSale(sale);
    const request = await actOnSale.waiting(sale);
    const content = renderSale(inspected, presentSale(inspected), request, visit);
    return { title: `Venda ${sale.id}`, content };
  });

/** The pages on which support finds a sale and sees how it stands. */
export const createSalePages = (parts: SaleParts): readonly OwnPage[] => [
  { ...SALES, method: 'get', path: '/sales', answer: listPage(parts) },
  {
    ...{ ...SALES, method: 'post', path: '/sales' },
    answer({ form }) {
      const typed = (form.one('q') ?? '').slice(0, 200);
      const sealed = encodeURIComponent(parts.secretSeal.seal(typed, SEALED_FOR));
      return { goTo: typed === '' ? '/sales' : `/sales?find=${sealed}` };
    },
  },
  { ...SALES, method: 'get', path: '/sales/:id', answer: salePage(parts) },
];
