import { type Refused, refused } from '../answers.ts';

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
