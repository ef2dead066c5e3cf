import {
  type CancelledBy,
  canBeGivenUp,
  formatReais,
  isCancellable,
  isCancelled,
  isCertified,
  nextActOf,
  outstandingRefunds,
  protocolOf,
  type Sale,
} from '#domain';
import {
  type ApprovalRequest,
  type MoneyAct,
  RIGHTS_OF_ACTS,
} from '../../application/approvals/approval-requests.ts';
import { may, type Right } from '../../application/people/roles.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import type { OwnVisit } from './visit.ts';
import { whenOf, wordsIn } from './words.ts';

interface Act {
  /** Below the page of the sale. */
  readonly path: string;
  readonly label: string;
  readonly right: Right;
  /** What does the same by the API, below `/admin/transactions/{id}`. */
  readonly api: string;
  /** Whether the sale's page offers it. */
  readonly isOffered: (sale: Sale, visit: OwnVisit) => boolean;
}

const waitsForDecision = (sale: Sale, { now }: OwnVisit): boolean => {
  const { action } = nextActOf(sale, now) ?? {};
  const isAsked = action === 'decide_payment' || action === 'check_payment';
  return isAsked || outstandingRefunds(sale).some(({ chargeId }) => chargeId !== undefined);
};

const isOwedByChannel = (sale: Sale): boolean =>
  isCancelled(sale) && outstandingRefunds(sale).some(({ chargeId }) => chargeId === undefined);

const isCollected = ({ terms }: Sale): boolean => terms.payment.collectedBy === 'service';

/** What a person may do with a sale, in the order of the page. */
const ACTS: readonly Act[] = [
  {
    ...{ path: 'copy', label: 'Enviar a segunda via', right: 'assist', api: 'POST second-copy' },
    isOffered: isCertified,
  },
  {
    ...{ path: 'email', label: 'Corrigir o e-mail', right: 'assist', api: 'POST correct-email' },
    isOffered: () => true,
  },
  {
    ...{ path: 'cancel', label: 'Cancelar', right: 'assist', api: 'POST cancel' },
    isOffered: isCancellable,
  },
  {
    ...{ path: 'refund', label: 'Confirmar a devolução', right: 'refunds' },
    ...{ api: 'POST refund-confirmed', isOffered: isOwedByChannel },
  },
  {
    ...{ path: 'decide', label: 'Decidir o pagamento', right: 'settle' },
    ...{ api: 'POST payment-decision', isOffered: waitsForDecision },
  },
  {
    ...{ path: 'retry', label: 'Tentar de novo', right: 'settle', api: 'POST retry' },
    isOffered: (sale, { now }) => nextActOf(sale, now) !== undefined,
  },
  {
    ...{ path: 'give-up', label: 'Desistir da venda', right: 'settle', api: 'POST give-up' },
    isOffered: canBeGivenUp,
  },
  {
    ...{ path: 'gateway', label: 'Comparar com o gateway', right: 'inspect', api: 'GET gateway' },
    isOffered: isCollected,
  },
  {
    ...{ path: 'case', label: 'Baixar tudo para o Procon', right: 'inspect', api: 'GET evidence' },
    isOffered: () => true,
  },
];

/** A sale in the API that does the same as the pages. */
export const apiOf = ({ channelLink }: OwnVisit, id: number): string =>
  `${channelLink === undefined ? '/api/admin/transactions' : '/api/private/integration/sale'}/${id}`;

/** The acts that the person may do with the sale, each with what does the same by the API. */
export const renderActs = (visit: OwnVisit, sale: Sale): Html => {
  const id = String(sale.id);
  const offered = ACTS.filter(
    ({ right, isOffered }) =>
      !visit.isLooking && may(visit.who.person.role, right) && isOffered(sale, visit),
  );
  const items = offered.map(({ path, label, api }) => {
    const [method, name] = api.split(' ');
    return html`<li><a class="button plain" href="${visit.at(`/sales/${id}/${path}`)}">${label}</a>
<span class="soft">API: <code>${method} ${apiOf(visit, sale.id)}/${name}</code></span></li>`;
  });
  return html`${
    items.length > 0 && html`<section><h2>O que fazer</h2><ul class="acts">${items}</ul></section>`
  }`;
};

/** What the sale's page says after an act. */
const DONE: Readonly<Record<string, string>> = {
  copy: 'A segunda via segue para o e-mail da venda.',
  email:
    'O e-mail foi corrigido. O que esperava envio, ou não foi entregue, segue para o endereço novo.',
  'email-copy': 'O e-mail foi corrigido, e a segunda via segue para o endereço novo.',
  refund: 'A devolução foi anotada.',
  asked: 'O pedido espera outra pessoa, por 24 horas.',
  declined: 'O pedido foi encerrado: nada mudou na venda.',
  decide: 'A decisão foi registrada.',
  settled: 'Nada falta a esta venda.',
  waiting: 'Foi tentado. Um provedor ainda não fez a sua parte: o serviço continua a tentar.',
  awaiting: 'Foi tentado. Falta o pagador, ou a resposta do gateway.',
};

export const renderDone = ({ query }: OwnVisit, sale: Sale): Html => {
  const done = query('done');
  const protocol = protocolOf(sale);
  const words =
    done === 'cancelled' && protocol !== undefined
      ? html`A venda foi cancelada. Protocolo: <strong>${protocol}</strong>`
      : wordsIn(DONE, done);
  return html`${words && html`<p class="done" role="status">${words}</p>`}`;
};

export const BY_WORDS: Readonly<Record<CancelledBy, string>> = {
  insured: 'a pedido do segurado',
  insurer: 'por parte da seguradora',
};

const DECISION_WORDS = {
  accept: 'aceitar o que veio',
  return: 'devolver o que veio, e encerrar a venda',
  returned: 'anotar o que já foi devolvido por outro meio',
} as const;

/** An act, in words. */
export const wordsOfAct = (act: MoneyAct): string => {
  if (act.kind === 'cancel') return `cancelar ${BY_WORDS[act.by]}`;
  return act.kind === 'give_up' ? 'desistir da venda' : DECISION_WORDS[act.decision.kind];
};

/** What waits for a second person, on the page of the sale. */
export const renderRequest = (
  { at, now, who }: OwnVisit,
  { saleId, act, amount, personName, askedAt, expiresAt }: ApprovalRequest,
): Html => html`<div class="alert"><h2>Espera outra pessoa</h2>
<p>${personName} pediu para ${wordsOfAct(act)} (${whenOf(askedAt, now)}). Voltam <strong>${formatReais(amount)}</strong>. Vale até ${whenOf(expiresAt, now)}, se a venda não mudar.</p>
${may(who.person.role, RIGHTS_OF_ACTS[act.kind]) && html`<p><a class="button" href="${at(`/sales/${saleId}/approval`)}">Ver o pedido</a></p>`}</div>`;
