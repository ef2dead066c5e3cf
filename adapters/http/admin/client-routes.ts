import { isRefusal, refuse } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import { USUAL_GRACE } from '../../../application/identity/client-lifecycle.ts';
import type { Clients } from '../../../application/identity/clients.ts';
import type { ManageClients, StatusChange } from '../../../application/identity/manage-clients.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  listAnswerSchema,
  notFoundAnswer,
  standardErrorSchema,
} from '../../kit/contract/answer-shapes.ts';
import { isText } from '../../kit/contract/formats.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import { actorOf, type Context, pathParameter } from '../../kit/web/pipeline/context.ts';
import { answerList } from '../../kit/web/pipeline/list-answers.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import {
  client,
  clientBody,
  clientsQuery,
  clientWithSecret,
  complainOfChannel,
  emptyBody,
  readClientRequest,
  rotationBody,
} from './client-shapes.ts';

export interface ClientRouteParts {
  readonly manageClients: ManageClients;
  readonly clients: Clients;
  readonly clock: Clock;
}

/** The client id in the path. */
const clientIdOf = (ctx: Context): string => {
  const clientId = pathParameter(ctx, 'client_id');
  if (!isText(clientId)) throw refusalError(refuse('client_unknown'));
  return clientId;
};

const readEmptyBody = compileReader(emptyBody);
const readRotation = compileReader(rotationBody);

const NOT_FOUND = notFoundAnswer('Client', 'Cliente não encontrado');
const REVOKED = {
  409: {
    name: 'ClientConflict',
    description: 'Cliente revogado, ou o do próprio administrador',
    schema: standardErrorSchema,
  },
};

const STATUS_CHANGES: readonly [StatusChange, string, string][] = [
  [
    'activate',
    'Ativa um cliente',
    'Ele pode entrar de novo; os tokens de antes continuam sem valer. Repetir não muda nada.',
  ],
  [
    'deactivate',
    'Desativa um cliente: seus tokens deixam de valer, para sempre, em até um segundo',
    'Ele não entra mais até ser ativado. Os webhooks do canal continuam. Repetir não muda nada.',
  ],
  [
    'revoke',
    'Revoga um cliente, definitivamente',
    'Nunca mais pode ser ativado. Depois de um vazamento, confira também os webhooks do canal: eles continuam. Repetir não muda nada.',
  ],
];

export const createClientRoutes = ({
  manageClients,
  clients,
  clock,
}: ClientRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'post',
    path: '/admin/api-clients',
    operationId: 'createApiClient',
    summary: 'Cria as credenciais de um canal ou de um administrador',
    description:
      'client_secret só aparece nesta resposta. Com channelLink, o cliente vende por esse canal (sales); sem ele e com scopes admin, administra. Um cliente pode ser criado antes do canal, e não vende até lá. Repetir cria outro cliente.',
    body: clientBody,
    answers: {
      201: {
        description: 'Cliente criado; o segredo não será exibido de novo',
        schema: dataAnswer(clientWithSecret.schema),
      },
    },
    handle: async function createClient(ctx) {
      const request = readClientRequest(ctx.request.body as object);
      if ('faults' in request) throw invalidFields(request.faults);
      const created = await manageClients.create(request, actorOf(ctx));
      if ('channels' in created) throw invalidFields(complainOfChannel(created));
      if (isRefusal(created)) throw refusalError(created);
      answerData(ctx, clientWithSecret.present({ ...created, now: clock.now() }), 201);
    },
  },
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/api-clients',
    operationId: 'listApiClients',
    summary: 'Lista os clientes, do mais antigo ao mais novo',
    description:
      'Sem os segredos; secrets tem a idade de cada um. Siga next_cursor até que seja nulo.',
    query: clientsQuery,
    answers: { 200: { description: 'Uma página', schema: listAnswerSchema(client.schema) } },
    handle: answerList(clientsQuery, {
      read: ({ query, limit, after }) => clients.list({ status: query.status, limit, after }),
      placeOfItem: (record) => record.client.clientId,
      isPlace: isText,
      present: (record) => client.present({ ...record, now: clock.now() }),
    }),
  },
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/api-clients/{client_id}',
    operationId: 'getApiClient',
    summary: 'Consulta um cliente',
    description: 'Com a idade dos segredos (dois no máximo) e o último uso.',
    answers: { 200: { description: 'O cliente', schema: dataAnswer(client.schema) }, ...NOT_FOUND },
    handle: async function getClient(ctx) {
      const record = await clients.load(clientIdOf(ctx));
      if (record === undefined) throw refusalError(refuse('client_unknown'));
      answerData(ctx, client.present({ ...record, now: clock.now() }));
    },
  },
  ...createChangeRoutes(manageClients, clock),
];

/** The routes that change whether, and with which secret, a client may log in. */
const createChangeRoutes = (manageClients: ManageClients, clock: Clock): readonly Route[] => [
  ...STATUS_CHANGES.map(
    ([change, summary, description]): Route => ({
      ...ADMIN_ROUTE,
      method: 'post',
      path: `/admin/api-clients/{client_id}/${change}`,
      operationId: `${change}ApiClient`,
      summary,
      description,
      body: emptyBody,
      answers: {
        200: { description: 'O cliente', schema: dataAnswer(client.schema) },
        ...NOT_FOUND,
        ...REVOKED,
      },
      handle: async function changeStatus(ctx) {
        readEmptyBody(ctx.request.body as object);
        const outcome = await manageClients.changeStatus(clientIdOf(ctx), change, actorOf(ctx));
        if (isRefusal(outcome)) throw refusalError(outcome);
        answerData(ctx, client.present({ ...outcome, now: clock.now() }));
      },
    }),
  ),
  {
    ...ADMIN_ROUTE,
    method: 'post',
    path: '/admin/api-clients/{client_id}/rotate-secret',
    operationId: 'rotateApiClientSecret',
    summary: 'Dá um segredo novo a um cliente; o que está em uso ainda vale por graceHours',
    description:
      'Com graceHours 0 o segredo antigo e todos os tokens deixam de valer em até um segundo: use depois de um vazamento. Dois segredos valem no máximo: outra troca encerra o mais antigo.',
    body: rotationBody,
    answers: {
      200: {
        description: 'O segredo novo não será exibido de novo',
        schema: dataAnswer(clientWithSecret.schema),
      },
      ...NOT_FOUND,
      ...REVOKED,
    },
    handle: async function rotateSecret(ctx) {
      const { graceHours = USUAL_GRACE } = readRotation(ctx.request.body as object);
      const outcome = await manageClients.rotateSecret(clientIdOf(ctx), graceHours, actorOf(ctx));
      if (isRefusal(outcome)) throw refusalError(outcome);
      answerData(ctx, clientWithSecret.present({ ...outcome, now: clock.now() }));
    },
  },
];
