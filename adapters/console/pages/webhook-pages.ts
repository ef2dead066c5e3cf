import { isRefusal } from '#domain';
import { EVENT_TYPES, TEST_EVENT } from '../../../application/events/partner-events.ts';
import {
  ALL_EVENTS,
  type WebhookEndpoint,
  type WebhookEndpoints,
  type WebhookRefusal,
} from '../../../application/webhooks/endpoints.ts';
import type { ManageDeliveries } from '../../../application/webhooks/manage-deliveries.ts';
import type { ManageWebhooks, NewEndpoint } from '../../../application/webhooks/manage-webhooks.ts';
import { type FieldFaults, firstMessages } from '../../kit/contract/field-faults.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { type Faults, renderFaults, renderField, renderSelect, renderTable } from '../forms.ts';
import { giveSecret } from '../secrets.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf } from '../words.ts';
import { FAULTY } from './entry-pages.ts';
import { channelsIn } from './people-forms.ts';
import type { PeopleParts } from './people-pages.ts';

export interface WebhookParts extends Pick<PeopleParts, 'catalogue'> {
  readonly manageWebhooks: ManageWebhooks;
  readonly manageDeliveries: ManageDeliveries;
  readonly webhookEndpoints: WebhookEndpoints;
  /** Reads a body as the API does. */
  readonly readNewEndpoint: (body: object) => NewEndpoint | { readonly faults: FieldFaults };
  /** What a refusal says of the fields, and of the whole. */
  readonly complainOfWebhook: (refusal: WebhookRefusal) => FieldFaults;
  /** What each event tells. */
  readonly eventWords: Readonly<Record<string, string>>;
}

export const WEBHOOKS = { right: 'webhooks' } as const;

const DELICATE = { ...WEBHOOKS, isDelicate: true } as const;

const UNKNOWN: Answer = {
  ...{ status: 404, errorCode: 'not_found', title: 'Webhook não encontrado' },
  content: html`<h1>Webhook não encontrado</h1><p>Não há webhook com este nome.</p>`,
};

/** The endpoint in the path; 404 without one, and for one of a channel that is not shown. */
export const withEndpoint =
  (
    { webhookEndpoints }: WebhookParts,
    answer: (visit: OwnVisit, endpoint: WebhookEndpoint) => Answer | Promise<Answer>,
  ): OwnPage['answer'] =>
  async (visit) => {
    const id = visit.parameter('id');
    const found = /^whe_[\w-]{1,60}$/.test(id) ? await webhookEndpoints.find(id) : undefined;
    const own = visit.channelLink ?? found?.channelLink;
    return found === undefined || found.channelLink !== own ? UNKNOWN : answer(visit, found);
  };

export const standingOf = ({ disabled, failingSince }: WebhookEndpoint): string => {
  if (disabled?.reason === 'paused') return 'em pausa';
  if (disabled?.reason === 'gone') return 'desativado: respondeu 410';
  if (disabled) return 'desativado: só falhou por cinco dias';
  return failingSince ? 'falha, e é tentado de novo' : 'ativo';
};

export const sayEvents = ({ events }: WebhookEndpoint): string =>
  events.includes(ALL_EVENTS) ? 'todos' : events.join(', ');

const listPage = ({ webhookEndpoints }: WebhookParts): OwnPage['answer'] =>
  async function listWebhooks({ at, now, channelLink, isLooking }) {
    const all = await webhookEndpoints.list(channelLink);
    const rows = all.map((endpoint) => [
      html`<a class="long" href="${at(`/webhooks/${endpoint.id}`)}">${endpoint.url}</a>`,
      endpoint.channelLink,
      standingOf(endpoint),
      html`<span class="long">${sayEvents(endpoint)}</span>`,
      whenOf(endpoint.createdAt, now),
    ]);
    return {
      title: 'Webhooks',
      content: html`<h1>Webhooks</h1>
<p class="soft">A cada mudança de uma venda o serviço chama um endereço do canal, assinado. Quem não o recebe é tentado de novo por três dias.</p>
${!isLooking && html`<p><a class="button" href="${at('/webhooks/new')}">Novo webhook</a></p>`}
${rows.length > 0 ? renderTable('Do mais velho ao mais novo', ['Endereço', 'Canal', 'Situação', 'Eventos', 'Desde'], rows) : html`<p role="status">Ainda não há webhooks.</p>`}`,
    };
  };

const newPages = (parts: WebhookParts): readonly OwnPage[] => {
  const { manageWebhooks, readNewEndpoint, complainOfWebhook, eventWords } = parts;

  const renderEvents = (chosen: readonly string[]): Html =>
    html`<fieldset id="events"><legend>Eventos</legend><p class="hint">Nenhum marcado: todos, também os que vierem depois.</p>
${EVENT_TYPES.filter((type) => type !== TEST_EVENT).map((type) => html`<p class="check"><input type="checkbox" id="event-${type}" name="events" value="${type}"${chosen.includes(type) && html` checked`}><label for="event-${type}">${type} <span class="soft">${eventWords[type]}</span></label></p>`)}</fieldset>`;

  const show = async ({ at, form, channelLink }: OwnVisit, faults: Faults): Promise<Answer> => {
    const links = (await channelsIn(parts.catalogue)).map((each) => [each, each] as const);
    const value = (name: string): string => form.one(name) ?? '';
    return {
      title: 'Novo webhook',
      ...(Object.keys(faults).length > 0 && FAULTY),
      content: html`<div class="narrow"><h1>Novo webhook</h1>${renderFaults(faults)}
<form method="post" action="${at('/webhooks/new')}" novalidate>
${channelLink === undefined && renderSelect({ name: 'channelLink', label: 'Canal', value: value('channelLink') }, links, faults)}
${renderField({ name: 'url', label: 'Endereço', hint: 'Como https://parceiro.example/webhooks', value: value('url'), attributes: html`type="url" maxlength="1000" autocomplete="off" required` }, faults)}
${renderField({ name: 'description', label: 'Para que serve', value: value('description'), attributes: html`maxlength="200" autocomplete="off"` }, faults)}
${renderEvents(form.all('events'))}
<button>Cadastrar</button> <a href="${at('/webhooks')}">Voltar</a></form></div>`,
    };
  };

  return [
    { ...DELICATE, method: 'get', path: '/webhooks/new', answer: (visit) => show(visit, {}) },
    {
      ...{ ...DELICATE, method: 'post', path: '/webhooks/new' },
      async answer(visit) {
        const { form, actor } = visit;
        const chosen = form.all('events');
        const asked = readNewEndpoint({
          url: form.one('url') ?? '',
          ...(form.one('description') && { description: form.one('description') }),
          ...(chosen.length > 0 && { events: chosen }),
        });
        if ('faults' in asked) return show(visit, firstMessages(asked.faults));
        const channelLink = visit.channelLink ?? form.one('channelLink') ?? '';
        const created = await manageWebhooks.create(channelLink, asked, actor);
        if (isRefusal(created)) return show(visit, firstMessages(complainOfWebhook(created)));
        const { endpoint, secret } = created;
        return giveSecret(visit, `/webhooks/${endpoint.id}`, secret);
      },
    },
  ];
};

interface Act {
  readonly path: 'pause' | 'activate' | 'rotate' | 'remove';
  readonly label: string;
  readonly isOffered: (endpoint: WebhookEndpoint) => boolean;
  /** What will happen. */
  readonly say: string;
}

export const ACTS: readonly Act[] = [
  {
    ...{ path: 'pause', label: 'Pausar', isOffered: ({ disabled }) => !disabled },
    say: 'Nada mais é enviado até ser ativado. O que acontece na pausa não é enviado depois; os eventos ficam na API por 90 dias.',
  },
  {
    ...{ path: 'activate', label: 'Ativar', isOffered: ({ disabled }) => Boolean(disabled) },
    say: 'Os eventos seguem de novo, e o que esperava é tentado já.',
  },
  {
    ...{ path: 'rotate', label: 'Trocar o segredo', isOffered: () => true },
    say: 'As entregas são assinadas com um segredo novo, mostrado uma vez. O de antes assina junto por 24 horas.',
  },
  {
    ...{ path: 'remove', label: 'Apagar', isOffered: () => true },
    say: 'O webhook e o registro de suas entregas deixam de existir. Não se desfaz.',
  },
];

const actPages = (parts: WebhookParts, act: Act): readonly OwnPage[] => {
  const { manageWebhooks } = parts;
  const { path, label, say } = act;
  const place = { ...DELICATE, path: `/webhooks/:id/${path}` } as const;

  const show = ({ at }: OwnVisit, { id, url }: WebhookEndpoint): Answer => ({
    title: label,
    content: html`<div class="narrow"><h1>${label}</h1><p><strong class="long">${url}</strong></p><p>${say}</p>
<form method="post" action="${at(`/webhooks/${id}/${path}`)}"><button class="${path === 'remove' ? 'bad' : ''}">${label}</button> <a href="${at(`/webhooks/${id}`)}">Voltar</a></form></div>`,
  });

  const order = async (visit: OwnVisit, { channelLink, id }: WebhookEndpoint): Promise<Answer> => {
    const page = `/webhooks/${id}`;
    if (path === 'remove') {
      const removed = await manageWebhooks.remove(channelLink, id, visit.actor);
      return isRefusal(removed) ? UNKNOWN : { goTo: '/webhooks' };
    }
    if (path === 'rotate') {
      const rotated = await manageWebhooks.rotateSecret(channelLink, id, visit.actor);
      return isRefusal(rotated) ? UNKNOWN : giveSecret(visit, page, rotated.secret);
    }
    const status = path === 'pause' ? 'paused' : 'active';
    const changed = await manageWebhooks.change(channelLink, id, { status }, visit.actor);
    return isRefusal(changed) ? UNKNOWN : { goTo: page };
  };

  return [
    { ...place, method: 'get', answer: withEndpoint(parts, show) },
    { ...place, method: 'post', answer: withEndpoint(parts, order) },
  ];
};

/** The pages on which people set up what the service calls. */
export const createWebhookPages = (parts: WebhookParts): readonly OwnPage[] => [
  { ...WEBHOOKS, method: 'get', path: '/webhooks', answer: listPage(parts) },
  ...newPages(parts),
  ...ACTS.flatMap((act) => actPages(parts, act)),
];
