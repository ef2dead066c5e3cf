import type { ActOnSale } from '../../../application/approvals/act-on-sale.ts';
import { may } from '../../../application/people/roles.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { renderIncomplete } from '../incomplete.ts';
import type { OwnPage, OwnVisit } from '../visit.ts';
import { ROLE_WORDS } from '../words.ts';
import { type AlertParts, readAlerts, renderAlerts } from './alert-pages.ts';
import { renderRequests } from './approval-pages.ts';
import { type OverviewParts, renderOverview } from './overview.ts';
import { renderSearch } from './sale-list-pages.ts';

export interface StartParts extends OverviewParts, Pick<AlertParts, 'groupViews' | 'publicUrl'> {
  readonly actOnSale: ActOnSale;
}

/** Alerts on the first page, at most. */
const SHOWN = 10;

/** The alerts that need somebody, the newest first. */
const showAlerts = async (parts: StartParts, visit: OwnVisit): Promise<Html> => {
  const { items: alerts, incomplete } = await readAlerts(parts.groupViews, new Map(), SHOWN);
  return html`<section><h2>O que precisa de alguém</h2>${renderIncomplete(incomplete)}
${alerts.length === 0 ? html`<p class="soft">Nenhum alerta aberto.</p>` : renderAlerts(alerts, visit, parts.publicUrl)}
<p><a href="${visit.at('/alerts')}">Todos os alertas, e-mails e webhooks</a></p></section>`;
};

/** The first page: what a person looks for, and what waits. */
export const createStartPage = (parts: StartParts): OwnPage => ({
  ...{ method: 'get', path: '/' },
  async answer(visit) {
    const { person } = visit.who;
    const waiting = may(person.role, 'assist') ? await parts.actOnSale.list(person) : [];
    return {
      title: 'Início',
      content: html`<h1>Olá, ${person.name}</h1>
${may(person.role, 'sales') && renderSearch(visit, '')}
${renderRequests(waiting, visit)}
${may(person.role, 'alerts') && (await showAlerts(parts, visit))}
${visit.channelLink !== undefined && html`<p><a href="${visit.at('/readiness')}">O que falta antes de vender em produção</a></p>`}
${may(person.role, 'statements') && (await renderOverview(parts, visit))}
<p class="soft">${ROLE_WORDS[person.role]}${person.channelLink && ` do canal ${person.channelLink}`}, ${person.email ?? 'sem e-mail: pessoa do ambiente de testes'}. <a href="${visit.at('/sessions')}">Onde estou com sessão aberta</a></p>`,
    };
  },
});
