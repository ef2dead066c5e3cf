import { Refused, refused } from '../answers.ts';
import type { Step } from '../context.ts';

type OAuthError = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'unsupported_grant_type';

const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** An error of the token endpoint, in RFC 6749's shape and the house style at once. */
export const tokenError = (error: OAuthError, description: string, errors?: object): Refused => {
  const status = error === 'invalid_client' ? 401 : 400;
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="api", charset="UTF-8"' } : {};
  return refused(
    status,
    description,
    { error, error_description: description, ...(errors && { errors }) },
    { ...NO_STORE, ...challenge },
  );
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
