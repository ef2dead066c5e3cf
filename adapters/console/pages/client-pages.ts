import { isRefusal } from '#domain';
import { livingSecrets } from '../../../application/identity/client-lifecycle.ts';
import {
  CLIENT_STATUSES,
  type ClientRecord,
  type ClientStatus,
} from '../../../application/identity/clients.ts';
import type { ClientRequest, NoSuchChannel } from '../../../application/identity/manage-clients.ts';
import { type FieldFaults, firstMessages } from '../../kit/contract/field-faults.ts';
import { isText } from '../../kit/contract/formats.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { type Faults, renderFaults, renderField, renderSelect, renderTable } from '../forms.ts';
import { showSecret } from '../secrets.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { whenOf, wordsIn } from '../words.ts';
import {
  ACTS,
  CLIENTS,
  type ClientActParts,
  createClientActPages,
  DELICATE,
  DONE,
  pageOf,
  showNew,
  UNKNOWN,
  withClient,
} from './client-act-pages.ts';
import { FAULTY } from './entry-pages.ts';
import { channelsIn } from './people-forms.ts';
import type { PeopleParts } from './people-pages.ts';

export interface ClientParts extends ClientActParts, Pick<PeopleParts, 'catalogue' | 'publicUrl'> {
  /** Reads a body as the API does. */
  readonly readClientRequest: (body: object) => ClientRequest | { readonly faults: FieldFaults };
  readonly complainOfChannel: (refusal: NoSuchChannel) => FieldFaults;
}

const PAGE = 100;

/** Credentials that a channel may have, without revoked ones, if its people make more on these pages. */
const MOST_LIVING = 50;

const STATUS_WORDS: Readonly<Record<ClientStatus, string>> = {
  active: 'ativo',
  inactive: 'desativado',
  revoked: 'revogado',
};

const listPage = ({ clients }: ClientParts): OwnPage['answer'] =>
  async function listClients(visit) {
    const { at, now, channelLink } = visit;
    const place = visit.query('after') ?? '';
    const last = isText(place) ? await clients.load(place) : undefined;
    // The place of a client of another channel says nothing, not even that there is one.
    const isOwn = last?.client.channelLink === (channelLink ?? last?.client.channelLink);
    const after = last && isOwn ? place : undefined;
    const found = await clients.list({ channelLink, after, limit: PAGE + 1 });
    const shown = found.slice(0, PAGE);
    const rows = shown.map(({ client, lastUsedAt }) => [
      html`<a class="long" href="${at(pageOf(client))}">${client.clientId}</a>`,
      html`<span class="long">${client.name}</span>`,
      client.channelLink ?? 'administração',
      STATUS_WORDS[client.status],
      lastUsedAt ? whenOf(lastUsedAt, now) : 'nunca',
    ]);
    const next = new URLSearchParams({ after: shown.at(-1)?.client.clientId ?? '' });
    return {
      title: 'Credenciais',
      content: html`<h1>Credenciais da API</h1>
<p class="soft">Com elas um programa vende e consulta pelo canal. O segredo aparece uma vez, quando é feito.</p>
${!visit.isLooking && html`<p><a class="button" href="${at('/clients/new')}">Novas credenciais</a></p>`}
${rows.length > 0 ? renderTable('Da mais velha à mais nova', ['client_id', 'Nome', 'Canal', 'Situação', 'Último uso'], rows) : html`<p role="status">Ainda não há credenciais.</p>`}
${found.length > PAGE && html`<p><a class="button" href="${at('/clients')}?${next}">Mais novas</a></p>`}`,
    };
  };

const newPages = (parts: ClientParts): readonly OwnPage[] => {
  const { manageClients, readClientRequest, complainOfChannel } = parts;

  const show = async ({ at, form, channelLink }: OwnVisit, faults: Faults): Promise<Answer> => {
    const links = (await channelsIn(parts.catalogue)).map((each) => [each, each] as const);
    const name = { name: 'name', label: 'Nome do programa', value: form.one('name') ?? '' };
    const chosen = form.one('channelLink') ?? '';
    return {
      title: 'Novas credenciais',
      ...(Object.keys(faults).length > 0 && FAULTY),
      content: html`<div class="narrow"><h1>Novas credenciais</h1>${renderFaults(faults)}
<form method="post" action="${at('/clients/new')}" novalidate>
${renderField({ ...name, hint: 'Para reconhecê-las depois, como Loja virtual', attributes: html`maxlength="200" autocomplete="off" required` }, faults)}
${channelLink === undefined && renderSelect({ name: 'channelLink', label: 'Canal', value: chosen, hint: 'Sem canal as credenciais administram o serviço inteiro.' }, [['', 'nenhum: administração'], ...links], faults)}
<button>Criar credenciais</button> <a href="${at('/clients')}">Voltar</a></form></div>`,
    };
  };

  const countLiving = async (channelLink: string): Promise<number> => {
    const all = CLIENT_STATUSES.filter((status) => status !== 'revoked').map((status) =>
      parts.clients.list({ channelLink, status, limit: MOST_LIVING }),
    );
    return (await Promise.all(all)).flat().length;
  };

  return [
    { ...DELICATE, method: 'get', path: '/clients/new', answer: (visit) => show(visit, {}) },
    {
      ...{ ...DELICATE, method: 'post', path: '/clients/new' },
      async answer(visit) {
        const { form, actor } = visit;
        const channelLink = visit.channelLink ?? (form.one('channelLink') || undefined);
        const scopes = channelLink === undefined ? ['admin'] : ['sales'];
        const request = readClientRequest({ name: form.one('name'), channelLink, scopes });
        if ('faults' in request) return show(visit, firstMessages(request.faults));
        if (channelLink !== undefined && (await countLiving(channelLink)) >= MOST_LIVING)
          return show(visit, {
            name: `O canal já tem ${MOST_LIVING} credenciais. Revogue uma antes.`,
          });
        const created = await manageClients.create(request, actor);
        if ('channels' in created) return show(visit, firstMessages(complainOfChannel(created)));
        return isRefusal(created) ? UNKNOWN : showNew(visit, created);
      },
    },
  ];
};

const renderClient = (
  { client, lastUsedAt }: ClientRecord,
  visit: OwnVisit,
  publicUrl: string,
): Html => {
  const { at, now } = visit;
  const page = pageOf(client);
  const done = wordsIn(DONE, visit.query('done'));
  // An administrator logs in first; a partner may send its credentials with each request.
  const first =
    client.channelLink === null
      ? `-d grant_type=client_credentials ${publicUrl}/api/seguros/auth/token`
      : `${publicUrl}/api/private/integration/sales`;
  const example = (
    secret: string,
  ): Html => html`<p>Para experimentar: <code class="long">curl -u '${client.clientId}:${secret}' ${first}</code></p>
<p><a href="${publicUrl}/docs">O guia da API</a></p>`;
  const secrets = livingSecrets(client, now).map(
    ({ createdAt, expiresAt }) =>
      html`<li>feito ${whenOf(createdAt, now)}${expiresAt && `, vale até ${whenOf(expiresAt, now)}`}</li>`,
  );
  return html`<p><a href="${at('/clients')}">Credenciais</a></p><h1>${client.name}</h1>
${done && html`<p class="done" role="status">${done}</p>`}${showSecret(visit, page, 'client_secret', example)}
<dl class="facts"><dt>client_id</dt><dd>${client.clientId}</dd>
<dt>Canal</dt><dd>${client.channelLink ?? 'nenhum: administração'}</dd>
<dt>Situação</dt><dd>${STATUS_WORDS[client.status]}</dd>
<dt>Último uso</dt><dd>${lastUsedAt ? whenOf(lastUsedAt, now) : 'nunca'}</dd>
<dt>Segredos</dt><dd><ul>${secrets}</ul></dd></dl>
<ul class="acts">${ACTS.filter(({ from }) => !visit.isLooking && from.includes(client.status)).map(({ path, label }) => html`<li><a class="button ${path === 'revoke' ? 'bad' : 'plain'}" href="${at(`${page}/${path}`)}">${label}</a></li>`)}</ul>`;
};

/** The pages on which people make and end the credentials of programs. */
export const createClientPages = (parts: ClientParts): readonly OwnPage[] => [
  { ...CLIENTS, method: 'get', path: '/clients', answer: listPage(parts) },
  ...newPages(parts),
  {
    ...{ ...CLIENTS, method: 'get', path: '/clients/:id' },
    answer: withClient(parts, (visit, record) => ({
      title: record.client.name,
      content: renderClient(record, visit, parts.publicUrl),
    })),
  },
  ...createClientActPages(parts),
];
