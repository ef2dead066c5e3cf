import type { TokenRefusal } from '../../../application/identity/token-refusals.ts';
import { type Faults, Refused, refused } from '../answers.ts';
import type { Step } from '../context.ts';
import { holdBack, tooMany } from '../limits.ts';

type OAuthError = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'unsupported_grant_type';

const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** An error of the token endpoint, in RFC 6749's shape and the house style at once. */
export const tokenError = (error: OAuthError, description: string, errors?: Faults): Refused => {
  const status = error === 'invalid_client' ? 401 : 400;
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="api", charset="UTF-8"' } : {};
  return refused(
    status,
    description,
    { error, error_description: description, ...(errors && { errors }) },
    { ...NO_STORE, ...challenge },
  );
};

const DESCRIPTIONS = {
  invalid_client: 'Credenciais inválidas.',
  invalid_grant: 'O token é inválido, expirou ou já foi usado.',
  invalid_scope: 'O escopo pedido não está liberado para este cliente.',
} as const;

/** What a network that fails too often waits, in milliseconds, for each further answer. */
const HOLD = 1_000;

/** The answer to a refused request for tokens. One failure too many is answered late, so that guessing is slow. */
export const tokenRefused = async (refusal: TokenRefusal): Promise<Refused> => {
  if (refusal.kind !== 'too_many_failures') return tokenError(refusal.kind, DESCRIPTIONS[refusal.kind]);
  await holdBack(HOLD);
  return tooMany('Muitas tentativas sem sucesso deste endereço.', refusal.retryAfter);
};

/** Gives an error of the steps that every endpoint shares the shape that a client of this one expects. */
export const inOAuthShape: Step = async (_, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof Refused) || 'error' in error.body) throw error;
    const { response } = error.body as { response?: string };
    const code = error.status === 429 ? 'temporarily_unavailable' : 'invalid_request';
    throw new Refused(
      error.status,
      { ...error.body, error: code, error_description: response },
      { ...NO_STORE, ...error.headers },
    );
  }
};
