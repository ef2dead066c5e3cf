import Type, { type TObject } from 'typebox';
import { isRefusal } from '#domain';
import type { Authenticate } from '../../../application/identity/authenticate.ts';
import type { CheckCredentials } from '../../../application/identity/check-credentials.ts';
import { allowedScopes } from '../../../application/identity/clients.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import {
  type Context,
  type Identify,
  identifyByToken,
  unauthenticated,
} from '../../kit/web/pipeline/context.ts';
import { countRequest, type Limits } from '../../kit/web/pipeline/rate-limits.ts';
import { readJsonBody, refuseCompressedBody } from '../../kit/web/pipeline/request-body.ts';
import { optionalParameter, readCredentials } from './client-credentials.ts';
import { tokenRefusalError } from './oauth-errors.ts';

export interface PartnerAccessParts {
  readonly authenticate: Authenticate;
  readonly checkCredentials: CheckCredentials;
  readonly limits: Limits;
}

/** The fields that all routes of sales share: a partner may log in by its credentials. */
export const BY_PARTNER = { tag: 'Venda', scope: 'sales', partnerCredentials: true } as const;

const WITHOUT_HEADER = { title: 'Credential', description: 'Só sem o cabeçalho Authorization' };

/** The fields of a body that carries the credentials of its sender. */
const credentialFields = {
  client_id: optionalParameter(WITHOUT_HEADER),
  client_secret: optionalParameter(WITHOUT_HEADER),
};

/** A body with the credentials that a caller without `Authorization` header adds to it. */
export const withCredentials = ({ properties, ...rest }: TObject, title: string) =>
  Type.Object(
    { ...properties, ...credentialFields },
    { ...rest, additionalProperties: false, title },
  );

type CredentialFields = Partial<Record<keyof typeof credentialFields, string>>;

const CHALLENGE = 'Bearer, Basic realm="api", charset="UTF-8"';

const readCredentialFields = compileReader(Type.Object(credentialFields));

/** Removes them from the body, so that they are neither validated nor stored as content. */
const takeCredentialFields = async (ctx: Context): Promise<CredentialFields> => {
  if (ctx.method !== 'POST' && ctx.method !== 'PATCH') return {};

  refuseCompressedBody(ctx);
  await readJsonBody(ctx);
  const { client_id, client_secret, ...rest } = ctx.request.body as Record<string, unknown>;
  ctx.request.body = rest;
  return readCredentialFields({ client_id, client_secret });
};

/**
 * Authenticates a partner and counts the request: by a bearer token, by HTTP Basic or, without an
 * `Authorization` header, by credentials in the body.
 */
export const identifyPartner = (parts: PartnerAccessParts): Identify =>
  identifyBy(parts, takeCredentialFields);

/** The same for bodies that cannot carry credentials. */
export const identifyPartnerByHeader = (parts: PartnerAccessParts): Identify =>
  identifyBy(parts, async () => ({}));

const identifyBy = (
  { authenticate, checkCredentials, limits }: PartnerAccessParts,
  takeFields: typeof takeCredentialFields,
): Identify => {
  const identifyByCredentials = async (ctx: Context): Promise<void> => {
    const header = ctx.get('Authorization');
    const fields = header === '' ? await takeFields(ctx) : {};
    const credentials = readCredentials(header, fields);
    if (credentials === undefined) throw unauthenticated(CHALLENGE);

    const client = await checkCredentials(credentials, ctx.state.applicant);
    if (isRefusal(client)) throw await tokenRefusalError(ctx, client);

    const { clientId, channelLink } = client;
    ctx.state.caller = { clientId, channelLink, scopes: allowedScopes(client) };
    ctx.state.clientId = clientId;
  };

  return identifyByToken(authenticate, countRequest(limits), identifyByCredentials);
};
