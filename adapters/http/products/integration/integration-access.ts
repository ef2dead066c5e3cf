import Type from 'typebox';
import type { Authenticate } from '../../../../application/identity/authenticate.ts';
import type { CheckCredentials } from '../../../../application/identity/check-credentials.ts';
import { allowedScopes } from '../../../../application/identity/clients.ts';
import { authenticated } from '../../pipeline/bearer-access.ts';
import { refused } from '../../contract/answer-error.ts';
import { jsonBody, refuseEncodedBody } from '../../pipeline/request-body.ts';
import type { Context, Step } from '../../pipeline/context.ts';
import { type Limits, limited } from '../../pipeline/rate-limits.ts';
import { invalid } from '../../pipeline/request-query.ts';
import { word } from '../../oauth/oauth-body.ts';
import { credentialsOf } from '../../oauth/client-credentials.ts';
import { tokenRefused } from '../../oauth/oauth-errors.ts';
import { valueOr } from '../../contract/validation.ts';

export interface PartnerAccessParts {
  readonly authenticate: Authenticate;
  readonly checkCredentials: CheckCredentials;
  readonly limits: Limits;
}

const WHERE = { description: 'Só sem o cabeçalho Authorization' };

/** The fields of a body that says itself who sends it. */
export const credentialFields = { client_id: word(WHERE), client_secret: word(WHERE) };

const CHALLENGE = { 'WWW-Authenticate': 'Bearer, Basic realm="api", charset="UTF-8"' };

/**
 * A partner that proves who it is, and is counted: by a bearer token, by HTTP Basic or, where there is no such header, by
 * its credentials in the body. Those are taken out of it: they are no part of what is asked.
 */
export const partnerIdentified = ({
  authenticate,
  checkCredentials,
  limits,
}: PartnerAccessParts): Step => {
  const [byToken, limit] = [authenticated(authenticate), limited(limits)];
  const inBody = valueOr(Type.Object(credentialFields), invalid);

  const takenFromBody = async (
    ctx: Context,
  ): Promise<{ client_id?: string; client_secret?: string }> => {
    if (ctx.method !== 'POST') return {};
    await refuseEncodedBody(ctx as Parameters<Step>[0], async () => {});
    await jsonBody(ctx as Parameters<Step>[0], async () => {});
    const { client_id, client_secret, ...rest } = ctx.request.body as Record<string, unknown>;
    ctx.request.body = rest;
    return inBody({ client_id, client_secret });
  };

  return async (ctx, next) => {
    const header = ctx.get('Authorization');
    if (/^Bearer\b/i.test(header)) return byToken(ctx, () => limit(ctx, next) as Promise<void>);
    const credentials = credentialsOf(header, header === '' ? await takenFromBody(ctx) : {});
    if (credentials === undefined) throw refused(401, 'Token não encontrado', {}, CHALLENGE);
    const checked = await checkCredentials(credentials, ctx.state.applicant);
    if ('refusal' in checked) throw await tokenRefused(ctx, checked.refusal);
    const { clientId, channelLink } = checked.client;
    ctx.state.caller = { clientId, channelLink, scopes: allowedScopes(checked.client) };
    ctx.state.clientId = clientId;
    await next();
  };
};
