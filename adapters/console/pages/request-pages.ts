import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import type { Clients } from '../../../application/identity/clients.ts';
import type {
  AnsweredRequests,
  FailedRequest,
} from '../../../application/requests/answered-requests.ts';
import { REQUEST_DAYS } from '../../../application/requests/answered-requests.ts';
import type { ReadRequests, ShownStep } from '../../../application/requests/read-requests.ts';
import type { RequestNotes } from '../../../application/requests/request-notes.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { isSerialNumber } from '../../kit/web/pipeline/list-answers.ts';
import { catchUp } from '../../kit/web/pipeline/request-log.ts';
import { renderSelect, renderTable } from '../forms.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { channelsIn } from './people-forms.ts';

export interface RequestParts {
  readonly catalogue: Catalogue;
  readonly clients: Clients;
  readonly answeredRequests: Pick<AnsweredRequests, 'listFailed'>;
  readonly readRequests: ReadRequests;
  readonly requestNotes: RequestNotes;
  readonly isTest: boolean;
  /** What the API answers about a request: the fields at fault, with their codes. */
  readonly presentRequest: (request: FailedRequest) => {
    readonly fields: readonly { readonly path: string; readonly codes: readonly string[] }[];
  };
  /** What the API answers about a step. */
  readonly presentStep: (step: ShownStep) => {
    readonly title: string;
    readonly done: boolean;
    readonly request_id: string | null;
    readonly at: string | null;
    readonly hint: string | null;
  };
  /** What each code of an error, and of a field, means. */
  readonly errorWords: Readonly<Record<'errors' | 'fields', Readonly<Record<string, string>>>>;
}

const REQUESTS = { right: 'requests' } as const;

const PAGE = 50;

/** Clients of a channel to choose from, at most. */
const MOST_CLIENTS = 100;

/** The channel that is looked at, and what those choose it by who see all. */
const chooseChannel = async (
  { at, query, channelLink }: OwnVisit,
  path: string,
  catalogue: Catalogue,
): Promise<{ readonly channelLink: string | undefined; readonly chooser: Html }> => {
  if (channelLink !== undefined) return { channelLink, chooser: html`` };
  const links = await channelsIn(catalogue);
  const chosen = links.find((each) => each === query('channel'));
  const options = [['', 'escolha'], ...links.map((each) => [each, each] as const)] as const;
  return {
    channelLink: chosen,
    chooser: html`<form class="filters" action="${at(path)}" aria-label="Canal">${renderSelect({ name: 'channel', label: 'Canal', value: chosen ?? '' }, options, {})}<button>Mostrar</button></form>`,
  };
};

const renderFailed = (
  failed: readonly FailedRequest[],
  { presentRequest, errorWords }: RequestParts,
  now: OwnVisit['now'],
): Html =>
  renderTable(
    'Requisições que falharam, as mais novas primeiro',
    ['Quando', 'Requisição', 'Resposta', 'O que houve', 'Campos', 'client_id', 'X-Request-Id'],
    failed.map((request) => {
      const { at, method, route, status, code, clientId, requestId } = request;
      const fields = presentRequest(request).fields.map(
        ({ path, codes }) =>
          html`<li>${path}: ${codes.map((each) => errorWords.fields[each] ?? each).join('; ')}</li>`,
      );
      return [
        whenOf(at, now),
        `${method} ${route}`,
        html`${String(status)}<br><span class="soft">${code}</span>`,
        errorWords.errors[code ?? ''] ?? '',
        html`${fields.length > 0 && html`<ul>${fields}</ul>`}`,
        html`<span class="long">${clientId}</span>`,
        html`<span class="long">${requestId}</span>`,
      ];
    }),
  );

const showFailed =
  (parts: RequestParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { at, now, query } = visit;
    const { channelLink, chooser } = await chooseChannel(visit, '/requests', parts.catalogue);
    await catchUp(parts.requestNotes);
    const typed = query('before') ?? '';
    const before = isSerialNumber(typed) ? Number(typed) : undefined;
    const page = { before, limit: PAGE + 1 };
    const found =
      channelLink === undefined ? [] : await parts.answeredRequests.listFailed(channelLink, page);
    const shown = found.slice(0, PAGE);
    const next = new URLSearchParams({
      ...(visit.channelLink === undefined && { channel: channelLink ?? '' }),
      before: String(shown.at(-1)?.number),
    });
    return {
      title: 'Requisições',
      content: html`<h1>Requisições que falharam</h1>
<p class="soft">O que respondemos nos últimos ${String(REQUEST_DAYS)} dias, sem os corpos: não guardamos o que foi enviado.</p>
${chooser}
${shown.length > 0 ? renderFailed(shown, parts, now) : channelLink !== undefined && html`<p role="status">Nenhuma requisição falhou.</p>`}
${found.length > PAGE && html`<p><a class="button" href="${at('/requests')}?${next}">Mais antigas</a></p>`}
<p><a href="${at('/readiness')}">O que falta antes de vender em produção</a></p>
<p class="soft">Uma requisição pela API: <code>GET /api/private/integration/requests/{request_id}</code></p>`,
    };
  };

const renderSteps = (
  steps: readonly ShownStep[],
  presentStep: RequestParts['presentStep'],
  now: OwnVisit['now'],
): Html => {
  const shown = steps.map(presentStep);
  const done = shown.filter((step) => step.done).length;
  return html`<p><strong>${String(done)} de ${String(shown.length)} passos feitos.</strong></p>
<ul class="steps">${shown.map(({ title, done: isDone, request_id, at, hint }) => html`<li><span aria-hidden="true">${isDone ? '✓' : '○'}</span> <strong>${title}</strong>: ${isDone ? html`feito ${at && whenOf(at as OwnVisit['now'], now)} <span class="soft long">${request_id}</span>` : html`falta. ${hint}`}</li>`)}</ul>`;
};

const showReadiness =
  (parts: RequestParts): OwnPage['answer'] =>
  async (visit): Promise<Answer> => {
    const { at, now, query } = visit;
    const title = 'Antes de vender em produção';
    if (!parts.isTest)
      return {
        title,
        content: html`<h1>${title}</h1><p>Os passos são provados no ambiente de testes: abra lá esta página.</p>`,
      };
    const { channelLink, chooser } = await chooseChannel(visit, '/readiness', parts.catalogue);
    await catchUp(parts.requestNotes);
    const all =
      channelLink === undefined
        ? []
        : await parts.clients.list({ channelLink, status: 'active', limit: MOST_CLIENTS });
    const ids = all.map(({ client }) => client.clientId);
    const chosen = ids.find((each) => each === query('client')) ?? ids[0];
    const steps =
      chosen && channelLink ? await parts.readRequests.readiness(channelLink, chosen) : [];
    const names = all.map(
      ({ client: { clientId, name } }) => [clientId, `${name} (${clientId})`] as const,
    );
    const choice = html`<form class="filters" action="${at('/readiness')}" aria-label="Credenciais">
${visit.channelLink === undefined && html`<input type="hidden" name="channel" value="${channelLink ?? ''}">`}
${renderSelect({ name: 'client', label: 'Credenciais', value: chosen ?? '' }, names, {})}<button>Mostrar</button></form>`;
    const none = html`<p role="status">O canal ainda não tem credenciais. <a href="${at('/clients')}">Faça-as</a>: cada passo é provado pelo que elas fazem.</p>`;
    return {
      title,
      content: html`<h1>${title}</h1>
<p class="soft">Cada passo se marca sozinho, pelo que o programa fez de verdade.</p>${chooser}
${ids.length > 1 && choice}
${chosen ? renderSteps(steps, parts.presentStep, now) : channelLink !== undefined && none}
<p class="soft">O mesmo pela API: <code>GET /api/private/integration/readiness</code></p>`,
    };
  };

/** The pages on which a channel sees what its programs did, and have to show. */
export const createRequestPages = (parts: RequestParts): readonly OwnPage[] => [
  { ...REQUESTS, method: 'get', path: '/requests', answer: showFailed(parts) },
  { ...REQUESTS, method: 'get', path: '/readiness', answer: showReadiness(parts) },
];
