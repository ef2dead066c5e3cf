import type { TokenRefusal } from '../../../application/refusals.ts';
import {
  type AnswerError,
  answerError,
  type FieldFaults,
  standardError,
} from '../contract/answer-error.ts';
import type { Exchange } from '../pipeline/context.ts';
import { delayAnswer, TOO_MANY_REQUESTS, tooManyRequests } from '../pipeline/rate-limits.ts';

type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type';

/** `error_description` is ASCII without quotes and backslashes (RFC 6749, section 5.2). */
const toAsciiDescription = (message: string): string =>
  message
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^\x20-\x7E]|["\\]/g, '?');

/** An error of an OAuth endpoint: the fields of RFC 6749 beside those of the standard body. */
export const oauthError = (
  error: OAuthError,
  description: string,
  errors?: FieldFaults,
): AnswerError => {
  const status = error === 'invalid_client' ? 401 : 400;
  const challenge =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="api", charset="UTF-8"' } : {};
  const oauthFields = {
    error,
    error_description: toAsciiDescription(description),
    ...(errors && { errors }),
  };
  return standardError(status, description, oauthFields, { Pragma: 'no-cache', ...challenge });
};

const DESCRIPTIONS = {
  invalid_client: 'Credenciais inválidas.',
  invalid_grant: 'O token é inválido, expirou ou já foi usado.',
  invalid_scope: 'O escopo pedido não está liberado para este cliente.',
} as const;

/** Delay of each answer to a network that has failed too often, ms. */
const FAILURE_DELAY_MS = 1_000;

/** The answer to a refused request for tokens. After too many failures it is delayed. */
export const tokenRefusalError = async (
  exchange: Pick<Exchange, 'state'>,
  refusal: TokenRefusal,
): Promise<AnswerError> => {
  if (refusal.kind === 'too_many_requests') {
    exchange.state.clientId = refusal.clientId;
    return tooManyRequests(TOO_MANY_REQUESTS, refusal.retryAfter);
  }

  if (refusal.kind !== 'too_many_failures')
    return oauthError(refusal.kind, DESCRIPTIONS[refusal.kind]);
  await delayAnswer(FAILURE_DELAY_MS);
  return tooManyRequests('Muitas tentativas sem sucesso.', refusal.retryAfter);
};

/** The `error` of an answer that does not come from the OAuth endpoint itself. */
const errorOfStatus = (status: number): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
};

/** Adds the fields of RFC 6749 to an error of an OAuth endpoint that does not have them. */
export const toOAuthError = (found: AnswerError): AnswerError => {
  const { status, body, headers } = found;
  if ('error' in body) return found;

  const { response = '' } = body as { response?: string };
  const oauthFields = {
    error: errorOfStatus(status),
    error_description: toAsciiDescription(response),
  };
  return answerError(status, { ...body, ...oauthFields }, headers);
};
