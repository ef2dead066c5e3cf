import Type from 'typebox';
import type { Instant } from '#domain';
import {
  livingSecrets,
  MOST_GRACE,
  USUAL_GRACE,
} from '../../../application/identity/client-lifecycle.ts';
import {
  CLIENT_STATUSES,
  type ClientRecord,
  type ClientSecret,
  SCOPES,
} from '../../../application/identity/clients.ts';
import type {
  ClientRequest,
  NewSecret,
  NoSuchChannel,
} from '../../../application/identity/manage-clients.ts';
import { described } from '../../kit/contract/described.ts';
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { channelLink, closedObject, nullableText, text } from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { findSimilar } from '../../kit/contract/similar-fields.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { listQuerySchema } from '../../kit/web/pipeline/list-answers.ts';

export const clientBody = closedNamedObject('NewApiClient', {
  name: text(200, { description: 'Nome do integrador' }),
  channelLink: Type.Optional(
    channelLink({
      description:
        'Canal do cliente; obrigatório para o escopo sales, ausente para um administrador',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(Type.Enum(SCOPES), {
      minItems: 1,
      maxItems: SCOPES.length,
      uniqueItems: true,
      description: 'Padrão: sales',
    }),
  ),
  active: Type.Optional(Type.Boolean({ description: 'Padrão: verdadeiro' })),
});

/** A client with the scope sales has a channel; one with the scope admin has none. */
const findChannelFaults = (scopes: readonly string[], link: string | undefined): FieldFaults => {
  const sells = scopes.includes('sales');
  const administers = scopes.includes('admin');
  const ofScopes = 'Os escopos sales e admin não cabem no mesmo cliente: crie um para cada papel.';
  const withChannel = 'Um cliente com o escopo admin não pertence a um canal.';
  const withoutChannel = 'O campo channelLink é obrigatório para o escopo sales.';
  return {
    ...(sells && administers && faultAt('scopes', 'contradicts', ofScopes)),
    ...(administers && link !== undefined && faultAt('channelLink', 'contradicts', withChannel)),
    ...(sells && link === undefined && faultAt('channelLink', 'required', withoutChannel)),
  };
};

const validateClientBody = compileValidator(clientBody);

/** The request, or every fault of the body. */
export const readClientRequest = (
  body: object,
): ClientRequest | { readonly faults: FieldFaults } => {
  const checked = validateClientBody(body);
  const { scopes = ['sales' as const], channelLink: link } = checked.sound;
  const scopesAtFault = Object.keys(checked.faults).some((path) => path.split('.')[0] === 'scopes');
  const faults = { ...(!scopesAtFault && findChannelFaults(scopes, link)), ...checked.faults };
  if (!checked.ok || Object.keys(faults).length > 0) return { faults };
  const { name, active = true } = checked.value;
  return { name, active, scopes, channelLink: link ?? null };
};

/** Says which channel may be meant, and how to make a new one. */
export const complainOfChannel = ({ channelLink, channels }: NoSuchChannel): FieldFaults => {
  const meant = findSimilar(channelLink, channels);
  const question = meant === undefined ? '' : ` Seria ${meant}?`;
  const message = `O canal ${channelLink} não existe.${question} Um canal novo é criado antes, com PUT /admin/channels/${channelLink}.`;
  return faultAt('channelLink', 'not_offered', message);
};

export const rotationBody = closedNamedObject('SecretRotation', {
  graceHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_GRACE,
      description: `Por quantas horas o segredo em uso ainda vale. Padrão: ${USUAL_GRACE}`,
    }),
  ),
});

export const emptyBody = closedObject({});

export const clientsQuery = listQuerySchema({
  status: Type.Optional(
    Type.Enum(CLIENT_STATUSES, { description: 'Só os clientes com este status' }),
  ),
});

const DAY_MS = 24 * 60 * 60 * 1000;

const secret = described<ClientSecret & { readonly now: Instant }>('ApiClientSecret')({
  created_at: [Type.String(), ({ createdAt }) => createdAt],
  age_days: [
    Type.Integer(),
    ({ createdAt, now }) => Math.floor((Date.parse(now) - Date.parse(createdAt)) / DAY_MS),
  ],
  expires_at: [nullableText('Nulo: vale até ser trocado'), ({ expiresAt }) => expiresAt],
});

type ShownClient = ClientRecord & { readonly now: Instant };

export const client = described<ShownClient>('ApiClient')({
  client_id: [Type.String(), (record) => record.client.clientId],
  name: [Type.String(), (record) => record.client.name],
  channelLink: [nullableText(), (record) => record.client.channelLink],
  scopes: [Type.Array(Type.String()), (record) => record.client.scopes],
  status: [Type.Enum(CLIENT_STATUSES), (record) => record.client.status],
  created_at: [Type.String(), (record) => record.client.createdAt],
  last_used_at: [nullableText('Com precisão de um minuto'), ({ lastUsedAt }) => lastUsedAt],
  secrets: [
    Type.Array(secret.schema, { description: 'O mais novo primeiro' }),
    (record) =>
      livingSecrets(record.client, record.now).map((each) =>
        secret.present({ ...each, now: record.now }),
      ),
  ],
});

const { client_id, ...others } = client.fields;

export const clientWithSecret = described<ShownClient & NewSecret>('ApiClientWithSecret')({
  client_id,
  client_secret: [
    Type.String({ description: 'Exibido somente nesta resposta' }),
    ({ clientSecret }) => clientSecret,
  ],
  ...others,
});
