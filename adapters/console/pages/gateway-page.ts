import type {
  CompareWithGateway,
  GatewayComparison,
} from '../../../application/collection/compare-with-gateway.ts';
import { may } from '../../../application/people/roles.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import { html } from '../../kit/web/pages/html.ts';
import { renderAnswer } from '../answer-view.ts';
import type { Answer, OwnPage } from '../visit.ts';
import { withSale } from './with-sale.ts';

export interface GatewayParts {
  readonly sales: Sales;
  readonly compareWithGateway: CompareWithGateway;
  /** What the administrator's API answers about it. */
  readonly presentComparison: (comparison: GatewayComparison) => object;
}

/** What the gateway says of a sale's money now. */
export const createGatewayPage = (parts: GatewayParts): OwnPage => ({
  ...{ right: 'inspect', method: 'get', path: '/sales/:id/gateway' },
  answer: withSale(parts, async ({ at, now, who }, sale): Promise<Answer> => {
    const comparison = await parts.compareWithGateway(sale);
    const isSame = comparison.findings.length === 0;
    const place = `/sales/${sale.id}`;
    return {
      title: 'Comparar com o gateway',
      content: html`<h1>Comparar com o gateway</h1>
<p class="${isSame ? 'done' : 'alert'}" role="status">${isSame ? 'Gateway e venda dizem o mesmo.' : 'Gateway e venda diferem.'}</p>
${renderAnswer(parts.presentComparison(comparison), now)}
${!isSame && may(who.person.role, 'settle') && html`<p><a class="button" href="${at(`${place}/retry`)}">Tentar de novo</a></p>`}
<p><a href="${at(place)}">Voltar</a></p>
<p class="soft">O mesmo pela API: <code>GET /api/admin/transactions/${String(sale.id)}/gateway</code></p>`,
    };
  }),
});
