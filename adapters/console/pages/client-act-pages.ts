import { isRefusal } from '#domain';
import type {
  ApiClient,
  ClientRecord,
  ClientStatus,
  Clients,
} from '../../../application/identity/clients.ts';
import type { ManageClients, NewSecret } from '../../../application/identity/manage-clients.ts';
import { isText } from '../../kit/contract/formats.ts';
import { answerOf } from '../../kit/contract/refusal-answers.ts';
import { html } from '../../kit/web/pages/html.ts';
import { renderSelect } from '../forms.ts';
import { giveSecret } from '../secrets.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';

export interface ClientActParts {
  readonly clients: Clients;
  readonly manageClients: ManageClients;
}

export const CLIENTS = { right: 'clients' } as const;
export const DELICATE = { ...CLIENTS, isDelicate: true } as const;

export const UNKNOWN: Answer = {
  ...{ status: 404, errorCode: 'not_found', title: 'Credencial não encontrada' },
  content: html`<h1>Credencial não encontrada</h1><p>Não há cliente da API com este nome.</p>`,
};

/** The client in the path; 404 without one, and for one of a channel that is not shown. */
export const withClient =
  (
    { clients }: ClientActParts,
    answer: (visit: OwnVisit, record: ClientRecord) => Answer | Promise<Answer>,
  ): OwnPage['answer'] =>
  async (visit) => {
    const id = visit.parameter('id');
    const record = isText(id) ? await clients.load(id) : undefined;
    const own = visit.channelLink ?? record?.client.channelLink;
    return record === undefined || record.client.channelLink !== own
      ? UNKNOWN
      : answer(visit, record);
  };

/** Leads to the page of the client, which shows its secret once. */
export const showNew = (visit: OwnVisit, { client, clientSecret }: NewSecret): Answer =>
  giveSecret(visit, pageOf(client), clientSecret);

export const pageOf = ({ clientId }: Pick<ApiClient, 'clientId'>): string =>
  `/clients/${encodeURIComponent(clientId)}`;

const NOT_CHOSEN = {
  status: 422,
  code: 'validation_failed',
  message: 'Escolha por quanto tempo o segredo em uso ainda vale.',
} as const;

/** What the page of the client says after an act. */
export const DONE: Readonly<Record<string, string>> = {
  activate: 'As credenciais estão ativas.',
  deactivate: 'As credenciais estão desativadas.',
  revoke: 'As credenciais estão revogadas, para sempre.',
};

interface Act {
  readonly path: 'rotate' | 'activate' | 'deactivate' | 'revoke';
  readonly label: string;
  readonly from: readonly ClientStatus[];
  /** What will happen. */
  readonly say: string;
}

export const ACTS: readonly Act[] = [
  {
    ...{ path: 'rotate', label: 'Trocar o segredo', from: ['active', 'inactive'] },
    say: 'As credenciais ganham um segredo novo, mostrado uma vez. O que está em uso vale ainda pelo tempo escolhido; depois de um vazamento, escolha já.',
  },
  {
    ...{ path: 'deactivate', label: 'Desativar', from: ['active'] },
    say: 'Em um segundo os programas com estas credenciais não entram mais, e seus tokens não valem mais. Os webhooks do canal continuam. Podem ser ativadas de novo.',
  },
  {
    ...{ path: 'activate', label: 'Ativar', from: ['inactive'] },
    say: 'Os programas podem entrar de novo. Os tokens de antes continuam sem valer.',
  },
  {
    ...{ path: 'revoke', label: 'Revogar para sempre', from: ['active', 'inactive'] },
    say: 'Em um segundo as credenciais deixam de valer, e nunca mais podem ser ativadas. Os webhooks do canal continuam: confira-os depois de um vazamento.',
  },
];

const GRACES = [
  ['', 'escolha'],
  ['0', 'não vale mais, já: o segredo vazou'],
  ['24', 'por mais 24 horas'],
  ['168', 'por mais sete dias'],
] as const;

const actPages = (parts: ClientActParts, act: Act): readonly OwnPage[] => {
  const { manageClients } = parts;
  const { path, label, say } = act;
  const place = { ...DELICATE, path: `/clients/:id/${path}` } as const;

  const show = (
    { at, channelLink }: OwnVisit,
    { client }: ClientRecord,
    problem?: ReturnType<typeof answerOf>,
  ): Answer => {
    const page = at(pageOf(client));
    const grace = renderSelect(
      { name: 'graceHours', label: 'O segredo em uso vale', value: '' },
      GRACES,
      {},
    );
    return {
      title: label,
      ...(problem && { status: problem.status, errorCode: problem.code }),
      content: html`<div class="narrow"><h1>${label}</h1>
${problem && html`<div class="alert" role="alert"><p>${problem.message}</p></div>`}
<p><strong>${client.name}</strong> (${client.clientId})</p><p>${say}</p>
${path !== 'activate' && path !== 'rotate' && channelLink === undefined && client.channelLink && html`<p>Um parceiro do canal pode fazer outras, e ativar as desativadas: para parar o canal, mude-o no <a href="${at(`/catalogue/channels/${encodeURIComponent(client.channelLink)}`)}">catálogo</a> para que não venda.</p>`}
<form method="post" action="${page}/${path}">${path === 'rotate' && grace}
<button class="${path === 'revoke' ? 'bad' : ''}">${label}</button> <a href="${page}">Voltar</a></form></div>`,
    };
  };

  const order = async (visit: OwnVisit, record: ClientRecord): Promise<Answer> => {
    const { clientId } = record.client;
    if (path === 'rotate') {
      const [grace] = GRACES.find(([hours]) => hours === visit.form.one('graceHours')) ?? GRACES[0];
      if (grace === '') return show(visit, record, NOT_CHOSEN);
      const rotated = await manageClients.rotateSecret(clientId, Number(grace), visit.actor);
      return isRefusal(rotated) ? show(visit, record, answerOf(rotated)) : showNew(visit, rotated);
    }
    const changed = await manageClients.changeStatus(clientId, path, visit.actor);
    if (isRefusal(changed)) return show(visit, record, answerOf(changed));
    return { goTo: `${pageOf(record.client)}?done=${path}` };
  };

  return [
    { ...place, method: 'get', answer: withClient(parts, show) },
    { ...place, method: 'post', answer: withClient(parts, order) },
  ];
};

/** The pages on which people change a secret, and stop or allow credentials. */
export const createClientActPages = (parts: ClientActParts): readonly OwnPage[] =>
  ACTS.flatMap((act) => actPages(parts, act));
