import type { Clock } from '../../../application/clock.ts';
import { USUAL_GRACE } from '../../../application/identity/client-lifecycle.ts';
import type { Clients } from '../../../application/identity/clients.ts';
import type {
  ClientRefusal,
  ManageClients,
  StatusChange,
} from '../../../application/identity/manage-clients.ts';
import { type Refused, refused } from '../contract/answer-error.ts';
import { jsonBody } from '../pipeline/request-body.ts';
import { actorOf, type Context, parameter, type Step } from '../pipeline/context.ts';
import { houseErrorSchema } from '../contract/answer-shapes.ts';
import { isText } from '../contract/formats.ts';
import { answerWith, INVALID, wrapped } from '../contract/house-answers.ts';
import { answerList, invalid, listAnswer } from '../pipeline/request-query.ts';
import type { Route } from '../pipeline/route.ts';
import { valueOr } from '../contract/validation.ts';
import { ADMINISTRATION } from './administration.ts';
import {
  client,
  clientBody,
  clientsQuery,
  clientWithSecret,
  emptyBody,
  presentClient,
  presentSecret,
  readClientRequest,
  rotationBody,
} from './client-shapes.ts';

export interface ClientRouteParts {
  readonly manageClients: ManageClients;
  readonly clients: Clients;
  readonly clock: Clock;
}

const REFUSALS: Readonly<Record<ClientRefusal, readonly [status: number, response: string]>> = {
  not_found: [404, 'Cliente não encontrado.'],
  revoked: [409, 'O cliente foi revogado, e isso é definitivo.'],
  own_client: [409, 'Um administrador não pode desativar nem revogar as próprias credenciais.'],
};

const refusedFor = (refusal: ClientRefusal): Refused => refused(...REFUSALS[refusal]);

/** The client that the path names; a name that nobody can have is nobody's. */
const clientIdOf = (ctx: Context): string => {
  const clientId = parameter(ctx, 'client_id');
  if (!isText(clientId)) throw refusedFor('not_found');
  return clientId;
};

const create = ({ manageClients, clock }: ClientRouteParts): Step => {
  return async (ctx) => {
    const request = readClientRequest(ctx.request.body as object);
    if ('faults' in request) throw invalid(request.faults);
    const created = await manageClients.create(request, actorOf(ctx));
    if (created === 'duplicate') throw new Error('a generated client id was taken');
    answerWith(ctx, presentSecret(created, clock.now()), 201);
  };
};

const list = ({ clients, clock }: ClientRouteParts): Step =>
  answerList(clientsQuery, {
    read: ({ query, limit, after }) => clients.list({ status: query.status, limit, after }),
    placeOfItem: (record) => record.client.clientId,
    isPlace: isText,
    present: (record) => presentClient(record, clock.now()),
  });

const get = ({ clients, clock }: ClientRouteParts): Step => {
  return async (ctx) => {
    const record = await clients.load(clientIdOf(ctx));
    if (record === undefined) throw refusedFor('not_found');
    answerWith(ctx, presentClient(record, clock.now()));
  };
};

const changeStatus = ({ manageClients, clock }: ClientRouteParts, change: StatusChange): Step => {
  const bodyOf = valueOr(emptyBody, invalid);
  return async (ctx) => {
    bodyOf(ctx.request.body as object);
    const outcome = await manageClients.changeStatus(clientIdOf(ctx), change, actorOf(ctx));
    if (typeof outcome === 'string') throw refusedFor(outcome);
    answerWith(ctx, presentClient(outcome, clock.now()));
  };
};

const rotateSecret = ({ manageClients, clock }: ClientRouteParts): Step => {
  const bodyOf = valueOr(rotationBody, invalid);
  return async (ctx) => {
    const { graceHours = USUAL_GRACE } = bodyOf(ctx.request.body as object);
    const outcome = await manageClients.rotateSecret(clientIdOf(ctx), graceHours, actorOf(ctx));
    if (typeof outcome === 'string') throw refusedFor(outcome);
    answerWith(ctx, presentSecret(outcome, clock.now()));
  };
};

const NOT_FOUND = { 404: { description: 'Cliente não encontrado', schema: houseErrorSchema } };
const REVOKED = {
  409: { description: 'Cliente revogado, ou o do próprio administrador', schema: houseErrorSchema },
};

const STATUS_CHANGES: readonly [StatusChange, string][] = [
  ['activate', 'Ativa um cliente'],
  [
    'deactivate',
    'Desativa um cliente: seus tokens deixam de valer, para sempre, em até um segundo',
  ],
  ['revoke', 'Revoga um cliente, definitivamente'],
];

export const clientRoutes = (parts: ClientRouteParts): readonly Route[] => [
  {
    ...ADMINISTRATION,
    method: 'post',
    path: '/admin/api-clients',
    summary: 'Cria as credenciais de um canal ou de um administrador',
    body: clientBody,
    answers: {
      201: {
        description: 'Cliente criado; o segredo não será exibido de novo',
        schema: wrapped(clientWithSecret),
      },
      ...INVALID,
    },
    steps: [jsonBody, create(parts)],
  },
  {
    ...ADMINISTRATION,
    method: 'get',
    path: '/admin/api-clients',
    summary: 'Lista os clientes, do mais antigo ao mais novo',
    query: clientsQuery,
    answers: { 200: { description: 'Uma página', schema: listAnswer(client) }, ...INVALID },
    steps: [list(parts)],
  },
  {
    ...ADMINISTRATION,
    method: 'get',
    path: '/admin/api-clients/{client_id}',
    summary: 'Consulta um cliente',
    answers: { 200: { description: 'O cliente', schema: wrapped(client) }, ...NOT_FOUND },
    steps: [get(parts)],
  },
  ...STATUS_CHANGES.map(
    ([change, summary]): Route => ({
      ...ADMINISTRATION,
      method: 'post',
      path: `/admin/api-clients/{client_id}/${change}`,
      summary,
      body: emptyBody,
      answers: {
        200: { description: 'O cliente', schema: wrapped(client) },
        ...NOT_FOUND,
        ...REVOKED,
        ...INVALID,
      },
      steps: [jsonBody, changeStatus(parts, change)],
    }),
  ),
  {
    ...ADMINISTRATION,
    method: 'post',
    path: '/admin/api-clients/{client_id}/rotate-secret',
    summary: 'Dá um segredo novo a um cliente; o que está em uso ainda vale por graceHours',
    description:
      'Com graceHours 0 o segredo antigo e todos os tokens deixam de valer em até um segundo.',
    body: rotationBody,
    answers: {
      200: {
        description: 'O segredo novo não será exibido de novo',
        schema: wrapped(clientWithSecret),
      },
      ...NOT_FOUND,
      ...REVOKED,
      ...INVALID,
    },
    steps: [jsonBody, rotateSecret(parts)],
  },
];
