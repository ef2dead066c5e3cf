import Type, { type Static } from 'typebox';
import type { Instant } from '#domain';
import {
  livingSecrets,
  MOST_GRACE,
  USUAL_GRACE,
} from '../../../application/identity/client-lifecycle.ts';
import {
  CLIENT_STATUSES,
  type ClientRecord,
  SCOPES,
} from '../../../application/identity/clients.ts';
import type {
  ClientRequest,
  NewSecret,
  NoSuchChannel,
} from '../../../application/identity/manage-clients.ts';
import { type FieldFaults, faultAt } from '../../kit/contract/field-faults.ts';
import { channelLink, closedObject, nullableText, text } from '../../kit/contract/formats.ts';
import { closedNamedObject, namedObject } from '../../kit/contract/named-object.ts';
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

export const client = namedObject('ApiClient', {
  client_id: Type.String(),
  name: Type.String(),
  channelLink: nullableText(),
  scopes: Type.Array(Type.String()),
  status: Type.Enum(CLIENT_STATUSES),
  created_at: Type.String(),
  last_used_at: nullableText('Com precisão de um minuto'),
  secrets: Type.Array(
    namedObject('ApiClientSecret', {
      created_at: Type.String(),
      age_days: Type.Integer(),
      expires_at: nullableText('Nulo: vale até ser trocado'),
    }),
    { description: 'O mais novo primeiro' },
  ),
});

const { client_id, ...others } = client.properties;

export const clientWithSecret = namedObject('ApiClientWithSecret', {
  client_id,
  client_secret: Type.String({ description: 'Exibido somente nesta resposta' }),
  ...others,
});

const DAY_MS = 24 * 60 * 60 * 1000;

export const presentClient = (
  { client: shown, lastUsedAt }: ClientRecord,
  now: Instant,
): Static<typeof client> => ({
  client_id: shown.clientId,
  name: shown.name,
  channelLink: shown.channelLink,
  scopes: [...shown.scopes],
  status: shown.status,
  created_at: shown.createdAt,
  last_used_at: lastUsedAt,
  secrets: livingSecrets(shown, now).map(({ createdAt, expiresAt }) => ({
    created_at: createdAt,
    age_days: Math.floor((Date.parse(now) - Date.parse(createdAt)) / DAY_MS),
    expires_at: expiresAt,
  })),
});

export const presentSecret = (
  { clientSecret, ...record }: NewSecret,
  now: Instant,
): Static<typeof clientWithSecret> => {
  const { client_id: id, ...rest } = presentClient(record, now);
  return { client_id: id, client_secret: clientSecret, ...rest };
};
