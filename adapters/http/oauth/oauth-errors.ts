import type { TokenRefusal } from '../../../application/identity/token-refusals.ts';
import {
  type AnswerError,
  answerError,
  standardErrorBody,
} from '../../kit/contract/answer-error.ts';
import { type FieldFaults, faultFields, faultHeaders } from '../../kit/contract/field-faults.ts';
import type { Exchange } from '../../kit/web/pipeline/context.ts';
import {
  delayAnswer,
  TOO_MANY_REQUESTS,
  tooManyRequests,
} from '../../kit/web/pipeline/rate-limits.ts';

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

/** The standard body, and the fields of RFC 6749. */
const oauthErrorBody = (standardBody: object, error: string, description: string): object => ({
  ...standardBody,
  error,
  error_description: toAsciiDescription(description),
});

/** An error of an OAuth endpoint: the fields of RFC 6749 beside those of the standard body. */
export const oauthError = (
  error: OAuthError,
  description: string,
  faults?: FieldFaults,
): AnswerError => {
  const status = error === 'invalid_client' ? 401 : 400;
  const code = faults === undefined ? error : 'validation_failed';
  const challenge =
    status === 401 ? { 'WWW-Authenticate': 'Basic realm="api", charset="UTF-8"' } : {};
  const standard = standardErrorBody(status, code, description, faults && faultFields(faults));
  const body = oauthErrorBody(standard, error, description);
  const headers = { Pragma: 'no-cache', ...challenge, ...(faults && faultHeaders(faults)) };
  return answerError(status, code, body, headers);
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

/** Gives an error of an OAuth endpoint the fields of RFC 6749, if it does not have them. */
export const toOAuthError = (found: AnswerError): AnswerError => {
  const { status, code, body, headers } = found;
  if ('error' in body) return found;

  const { response = '' } = body as { response?: string };
  return answerError(status, code, oauthErrorBody(body, errorOfStatus(status), response), headers);
};
