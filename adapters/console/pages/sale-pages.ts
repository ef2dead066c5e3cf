import { businessDay } from '#domain';
import type { ActOnSale } from '../../../application/approvals/act-on-sale.ts';
import type { ApprovalRequest } from '../../../application/approvals/approval-requests.ts';
import { may } from '../../../application/people/roles.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { InspectedSale, InspectSale } from '../../../application/servicing/inspect-sale.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { apiOf, renderActs, renderDone, renderRequest } from '../acts.ts';
import { renderAnswer } from '../answer-view.ts';
import { nameOf } from '../sale-columns.ts';
import { chargedAnswer, insuredAnswer, mailAnswer, missingAnswer } from '../sale-words.ts';
import type { OwnPage, OwnVisit } from '../visit.ts';
import { withSale } from './with-sale.ts';

export interface SaleParts {
  readonly sales: Sales;
  readonly inspectSale: InspectSale;
  /** What the administrator's API answers about a sale. */
  readonly presentSale: (inspected: InspectedSale) => object;
  /** What the API of the sale's channel answers. */
  readonly presentOwnSale: (inspected: InspectedSale) => object;
  readonly actOnSale: ActOnSale;
}

/** Why the sale was refused, as the API says it. */
const refusalIn = (answer: object): string => {
  const { refusal_reason: reason } = answer as { refusal_reason?: { text?: string } | null };
  return reason?.text ?? '';
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
<dt>Está segurado?</dt><dd>${insuredAnswer(sale, businessDay(now))} ${refusalIn(answer)}</dd>
<dt>Foi cobrado?</dt><dd>${chargedAnswer(sale)}</dd>
<dt>Recebeu o e-mail?</dt><dd>${mailAnswer(sale, mails, now)}</dd>
<dt>O que falta?</dt><dd>${missingAnswer(sale, now)}</dd>
</dl>
${renderActs(visit, sale)}
<section><h2>Segurado</h2><dl class="facts"><dt>Nome</dt><dd>${insured.name}</dd>
<dt>CPF ou CNPJ</dt><dd>${insured.taxId}</dd>
${insured.phone && html`<dt>Telefone</dt><dd>${insured.phone}</dd>`}</dl></section>
<section><h2>Venda</h2>${renderAnswer(answer, now)}</section>
<p class="soft">O mesmo pela API: <code>GET ${apiOf(visit, sale.id)}</code></p>`;
};

const salePage = (parts: SaleParts): OwnPage['answer'] =>
  withSale(parts, async (visit, sale) => {
    const inspected = await parts.inspectSale(sale);
    const request = await parts.actOnSale.waiting(sale, visit.who.person);
    const sees = may(visit.who.person.role, 'inspect');
    const answer = sees ? parts.presentSale(inspected) : parts.presentOwnSale(inspected);
    const content = renderSale(inspected, answer, request, visit);
    return { title: `Venda ${sale.id}`, content };
  });

/** The page on which support sees how a sale stands. */
export const createSalePage = (parts: SaleParts): OwnPage => ({
  ...{ right: 'sales', method: 'get', path: '/sales/:id' },
  answer: salePage(parts),
});
