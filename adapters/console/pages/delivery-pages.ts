import { isRefusal } from '#domain';
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
} from '../../../application/webhooks/deliveries.ts';
import type { WebhookEndpoint } from '../../../application/webhooks/endpoints.ts';
import { answerOf } from '../../kit/contract/refusal-answers.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { isSerialNumber } from '../../kit/web/pipeline/list-answers.ts';
import { renderSelect, renderTable } from '../forms.ts';
import { showSecret } from '../secrets.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf, wordsIn } from '../words.ts';
import {
  ACTS,
  sayEvents,
  standingOf,
  WEBHOOKS,
  type WebhookParts,
  withEndpoint,
} from './webhook-pages.ts';

const PAGE = 25;

const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  waiting: 'espera',
  delivered: 'entregue',
  undelivered: 'não entregue',
};

/** Why there was no answer. */
const FAILURES: Readonly<Record<string, string>> = {
  address_not_allowed: 'o endereço não é público',
  connection_refused: 'o servidor recusou a conexão',
  connection_closed: 'o servidor fechou a conexão',
  timeout: 'o servidor não respondeu a tempo',
  unreachable: 'o servidor não foi alcançado',
  dns: 'o nome do endereço não foi encontrado (DNS)',
  headers_too_large: 'a resposta tem cabeçalhos demais',
  invalid_answer: 'a resposta não é HTTP',
  tls: 'a conexão segura falhou (certificado)',
  failed: 'a conexão falhou',
};

/** What came of the last try, as far as the partner's server said something. */
const sayLast = ({ attempts }: Delivery): Html => {
  const last = attempts.at(-1);
  if (last === undefined) return html``;
  const { status, failure, ms, answer } = last;
  return html`<span class="long">${status === undefined ? (wordsIn(FAILURES, failure) ?? failure ?? '') : String(status)}, ${String(ms)} ms${answer && html`<br><span class="soft">${answer}</span>`}</span>`;
};

const renderDeliveries = (
  deliveries: readonly Delivery[],
  { id }: WebhookEndpoint,
  { at, now, isLooking }: OwnVisit,
): Html =>
  renderTable(
    'Entregas, as mais novas primeiro',
    ['Evento', 'Aconteceu', 'Situação', 'Tentativas', 'Última resposta', 'Ação'],
    deliveries.map((delivery) => [
      html`<span class="long">${delivery.event.type}<br><span class="soft">${delivery.event.id}</span></span>`,
      whenOf(delivery.event.at, now),
      html`${STATUS_WORDS[delivery.status]}${delivery.nextAt && html`<br><span class="soft">tenta ${whenOf(delivery.nextAt, now)}</span>`}`,
      String(delivery.attempts.length),
      sayLast(delivery),
      html`${!isLooking && html`<form method="post" action="${at(`/webhooks/${id}/retry`)}"><button class="plain" name="delivery" value="${String(delivery.id)}">Tentar agora</button></form>`}`,
    ]),
  );

const DONE: Readonly<Record<string, string>> = {
  tested: 'Um evento de teste segue em instantes. Atualize a página para ver a resposta.',
  retried: 'A entrega é tentada em instantes. Atualize a página para ver a resposta.',
};

const renderTests = (address: string): Html =>
  html`<h2>Testar</h2><p class="soft">O seu servidor deve aceitar o certo e recusar (400, 401 ou 403) o mal assinado: prova que ele confere a assinatura.</p>
<form method="post" action="${address}/test"><button class="plain" name="signature" value="right">Enviar um teste</button>
<button class="plain" name="signature" value="wrong">Enviar um mal assinado</button></form>`;

const showEndpoint = async (
  { manageDeliveries }: WebhookParts,
  visit: OwnVisit,
  endpoint: WebhookEndpoint,
  problem?: ReturnType<typeof answerOf>,
): Promise<Answer> => {
  const { at, now, query, isLooking } = visit;
  const { id, channelLink, url, description, createdAt } = endpoint;
  const page = `/webhooks/${id}`;
  const status = DELIVERY_STATUSES.find((each) => each === query('status'));
  const typed = query('before') ?? '';
  const before = isSerialNumber(typed) ? Number(typed) : undefined;
  const asked = { endpointId: id, status, before, limit: PAGE + 1 };
  const found = await manageDeliveries.list(channelLink, asked);
  const all = isRefusal(found) ? [] : found;
  const shown = all.slice(0, PAGE);
  const next = new URLSearchParams({ status: status ?? '', before: String(shown.at(-1)?.id) });
  const statuses = DELIVERY_STATUSES.map((each) => [each, STATUS_WORDS[each]] as const);
  const done = wordsIn(DONE, query('done'));
  return {
    title: 'Webhook',
    ...(problem && { status: problem.status, errorCode: problem.code }),
    content: html`<p><a href="${at('/webhooks')}">Webhooks</a></p><h1 class="long">${url}</h1>
${problem && html`<div class="alert" role="alert"><p>${problem.message}</p></div>`}
${done && html`<p class="done" role="status">${done}</p>`}${showSecret(visit, page, 'Segredo')}
<dl class="facts"><dt>Identificador</dt><dd>${id}</dd><dt>Canal</dt><dd>${channelLink}</dd>
<dt>Situação</dt><dd>${standingOf(endpoint)}</dd><dt>Eventos</dt><dd>${sayEvents(endpoint)}</dd>
<dt>Para que serve</dt><dd>${description ?? '–'}</dd><dt>Desde</dt><dd>${whenOf(createdAt, now)}</dd></dl>
<ul class="acts">${ACTS.filter(({ isOffered }) => !isLooking && isOffered(endpoint)).map(({ path, label }) => html`<li><a class="button ${path === 'remove' ? 'bad' : 'plain'}" href="${at(`${page}/${path}`)}">${label}</a></li>`)}</ul>
${!isLooking && renderTests(at(page))}
<h2>Entregas</h2>
<form class="filters" action="${at(page)}" aria-label="Filtros">${renderSelect({ name: 'status', label: 'Situação', value: status ?? '' }, [['', 'todas'], ...statuses], {})}<button>Filtrar</button></form>
${shown.length > 0 ? renderDeliveries(shown, endpoint, visit) : html`<p role="status">Nenhuma entrega.</p>`}
${all.length > PAGE && html`<p><a class="button" href="${at(page)}?${next}">Mais antigas</a></p>`}`,
  };
};

/** The page of an endpoint, with what was sent to it. */
export const createDeliveryPages = (parts: WebhookParts): readonly OwnPage[] => {
  const { manageWebhooks, manageDeliveries } = parts;
  return [
    {
      ...{ ...WEBHOOKS, method: 'get', path: '/webhooks/:id' },
      answer: withEndpoint(parts, (visit, endpoint) => showEndpoint(parts, visit, endpoint)),
    },
    {
      ...{ ...WEBHOOKS, method: 'post', path: '/webhooks/:id/test' },
      answer: withEndpoint(parts, async (visit, endpoint): Promise<Answer> => {
        const { channelLink, id } = endpoint;
        const signature = visit.form.one('signature') === 'wrong' ? 'wrong' : 'right';
        const tested = await manageWebhooks.test(channelLink, id, signature);
        return isRefusal(tested)
          ? showEndpoint(parts, visit, endpoint, answerOf(tested as Parameters<typeof answerOf>[0]))
          : { goTo: `/webhooks/${id}?done=tested` };
      }),
    },
    {
      ...{ ...WEBHOOKS, method: 'post', path: '/webhooks/:id/retry' },
      answer: withEndpoint(parts, async (visit, endpoint): Promise<Answer> => {
        const { channelLink, id } = endpoint;
        const typed = visit.form.one('delivery') ?? '';
        const number = isSerialNumber(typed) ? Number(typed) : 0;
        const retried = await manageDeliveries.retry(channelLink, id, number);
        return isRefusal(retried)
          ? showEndpoint(
              parts,
              visit,
              endpoint,
              answerOf(retried as Parameters<typeof answerOf>[0]),
            )
          : { goTo: `/webhooks/${id}?done=retried` };
      }),
    },
  ];
};
