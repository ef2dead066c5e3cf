import type { TokenRefusal } from '../../../application/identity/token-refusals.ts';
import { type Faults, Refused, refused } from '../contract/answer-error.ts';
import type { Context, Step } from '../pipeline/context.ts';
import { holdBack, TOO_MANY_REQUESTS, tooMany } from '../pipeline/rate-limits.ts';

type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type';

/** RFC 6749, section 5.2, has only ASCII here, without quotes and backslashes. */
const described = (words: string): string =>
  words
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^\x20-\x7E]|["\\]/g, '?');

/** An error of the token endpoint, in RFC 6749's shape and the house style at once. */
export const tokenError = (error: OAuthError, description: string, errors?: Faults): Refused => {
  const status = error === 'invalid_client' ? 401 : 400;
  const challenge =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="api", charset="UTF-8"' } : {};
  const more = { error, error_description: described(description), ...(errors && { errors }) };
  return refused(status, description, more, { Pragma: 'no-cache', ...challenge });
};

const DESCRIPTIONS = {
  invalid_client: 'Credenciais inválidas.',
  invalid_grant: 'O token é inválido, expirou ou já foi usado.',
  invalid_scope: 'O escopo pedido não está liberado para este cliente.',
} as const;

/** What a network that fails too often waits, in milliseconds, for each further answer. */
const HOLD = 1_000;

/** The answer to a refused request for tokens. One failure too many is answered late, so that guessing is slow. */
export const tokenRefused = async (ctx: Context, refusal: TokenRefusal): Promise<Refused> => {
  if (refusal.kind === 'too_many_requests') {
    ctx.state.clientId = refusal.clientId;
    return tooMany(TOO_MANY_REQUESTS, refusal.retryAfter);
  }
  if (refusal.kind !== 'too_many_failures')
    return tokenError(refusal.kind, DESCRIPTIONS[refusal.kind]);
  await holdBack(HOLD);
  return tooMany('Muitas tentativas sem sucesso.', refusal.retryAfter);
};

/** What is wrong with a request before it has come to the endpoint itself, by its status. */
const codeOf = (status: number): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
};

/** Gives an error of what all endpoints share the shape that a client of this one expects. */
export const inOAuthShape = ({ status, body, headers }: Refused): Refused => {
  if ('error' in body) return new Refused(status, body, headers);
  const { response = '' } = body as { response?: string };
  return new Refused(
    status,
    { ...body, error: codeOf(status), error_description: described(response) },
    headers,
  );
};

/** Marks an endpoint of RFC 6749: all its errors have that shape. */
export const oauthEndpoint: Step = (ctx, next) => {
  ctx.state.errorsOfOAuth = true;
  return next();
};
