import { formatReais, isRefusal, refuse, type Sale } from '#domain';
import { type ActRefusal, mayDo } from '../../../application/approvals/act-on-sale.ts';
import type { ApprovalRequest } from '../../../application/approvals/approval-requests.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { wordsOfAct } from '../acts.ts';
import { renderTable } from '../forms.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { byOf, type MoneyParts, refusalOf } from './money-pages.ts';
import { withSale } from './with-sale.ts';

const whyOf = ({ act }: ApprovalRequest): string => {
  if (act.kind === 'cancel') return act.stated?.text ?? '';
  return act.kind === 'give_up' ? act.reason : act.note;
};

const renderAsked = (visit: OwnVisit, request: ApprovalRequest): Html => {
  const { at, now, who } = visit;
  const { saleId, act, amount, personId, personName, askedAt, expiresAt } = request;
  const isOwn = personId === who.person.personId;
  const button = (answer: string, label: string, style = ''): Html =>
    html`<button class="${style}" name="answer" value="${answer}">${label}</button>`;
  return html`<dl class="facts"><dt>O que foi pedido</dt><dd>${wordsOfAct(act)}</dd>
<dt>Volta</dt><dd><strong>${formatReais(amount)}</strong></dd>
<dt>Por quê</dt><dd>${whyOf(request)}</dd>
<dt>Quem pediu</dt><dd>${personName}, ${whenOf(askedAt, now)}</dd>
<dt>Vale até</dt><dd>${whenOf(expiresAt, now)}, se a venda não mudar</dd></dl>
<p>${isOwn ? 'Quem pediu não pode aprovar: precisa ser outra pessoa.' : 'Ao aprovar, acontece já o que foi pedido.'}</p>
<form method="post" action="${at(`/sales/${saleId}/approval`)}"><input type="hidden" name="seen" value="${askedAt}">
${isOwn ? button('decline', 'Retirar o pedido') : html`${button('approve', 'Aprovar')} ${button('decline', 'Recusar', 'bad')}`}
<a href="${at(`/sales/${saleId}`)}">Voltar</a></form>`;
};

const TITLE = 'Pedido de aprovação';

const refused = ({ at }: OwnVisit, { id }: Sale, refusal: ActRefusal): Answer => {
  const { message, ...status } = refusalOf(refusal);
  return {
    ...{ title: TITLE, ...status },
    content: html`<div class="narrow"><h1>${TITLE}</h1><div class="alert" role="alert"><p>${message}</p></div>
<p><a href="${at(`/sales/${id}`)}">Voltar</a></p></div>`,
  };
};

/** The page on which a second person approves an act, or the first one takes it back. */
export const createApprovalPages = (parts: MoneyParts): readonly OwnPage[] => {
  const { actOnSale } = parts;

  /** A person whose role does not allow the act sees no request. */
  const found = async (visit: OwnVisit, sale: Sale): Promise<ApprovalRequest | undefined> => {
    const request = await actOnSale.waiting(sale, visit.who.person);
    return request && mayDo(visit.who.person, request.act, sale) ? request : undefined;
  };

  const place = { right: 'assist', path: '/sales/:id/approval' } as const;
  return [
    {
      ...{ ...place, method: 'get' },
      answer: withSale(parts, async (visit, sale): Promise<Answer> => {
        const request = await found(visit, sale);
        if (request === undefined) return refused(visit, sale, refuse('no_request'));
        const isOwn = request.personId === visit.who.person.personId;
        if (!isOwn && !byOf(visit).isProved) return { proveFirst: true };
        const content = html`<div class="narrow"><h1>${TITLE}</h1>${renderAsked(visit, request)}</div>`;
        return { title: TITLE, content };
      }),
    },
    {
      ...{ ...place, method: 'post' },
      answer: withSale(parts, async (visit, sale): Promise<Answer> => {
        const request = await found(visit, sale);
        // Another request may have taken the place of the one that the person has read.
        if (request === undefined || request.askedAt !== visit.form.one('seen'))
          return refused(visit, sale, refuse('no_request'));
        const isApproved = visit.form.one('answer') === 'approve';
        const outcome = isApproved
          ? await actOnSale.approve(sale, byOf(visit))
          : await actOnSale.decline(sale, byOf(visit));
        if (!isRefusal(outcome)) {
          const done = request.act.kind === 'decide' ? 'decide' : 'cancelled';
          return { goTo: `/sales/${sale.id}?done=${isApproved ? done : 'declined'}` };
        }
        if (outcome.kind === 'proof_needed') return { proveFirst: true };
        return refused(visit, sale, outcome);
      }),
    },
  ];
};

/** The acts that wait for a second person, for the overview. */
export const renderRequests = (requests: readonly ApprovalRequest[], { at, now }: OwnVisit): Html =>
  html`${
    requests.length > 0 &&
    html`<section><h2>Esperam outra pessoa</h2>${renderTable(
      'Pedidos de aprovação, os mais velhos primeiro',
      ['Venda', 'O que foi pedido', 'Volta', 'Quem pediu', 'Vale até'],
      requests.map(({ saleId, act, amount, personName, expiresAt }) => [
        html`<a href="${at(`/sales/${saleId}/approval`)}">${String(saleId)}</a>`,
        wordsOfAct(act),
        html`<span class="amount">${formatReais(amount)}</span>`,
        html`<span class="long">${personName}</span>`,
        whenOf(expiresAt, now),
      ]),
    )}</section>`
  }`;
