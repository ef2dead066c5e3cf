import type { Credentials } from '../../../application/identity/check-credentials.ts';
import { isText } from '../contract/formats.ts';
import { tokenError } from './oauth-errors.ts';

interface InBody {
  readonly client_id?: string;
  readonly client_secret?: string;
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const fromBasic = (header: string): Credentials | undefined => {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  try {
    const [clientId, clientSecret] = [
      formDecoded(decoded.slice(0, colon)),
      formDecoded(decoded.slice(colon + 1)),
    ];
    return colon > 0 && isText(clientId) && isText(clientSecret)
      ? { clientId, clientSecret }
      : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The client's credentials: HTTP Basic, form-decoded (RFC 6749, section 2.3.1), or both in the body, never both ways.
 * Undefined when the request brings none.
 */
export const credentialsOf = (
  authorization: string,
  { client_id, client_secret }: InBody,
): Credentials | undefined => {
  if (/^Basic\b/i.test(authorization)) {
    const basic = fromBasic(authorization);
    if (basic === undefined)
      throw tokenError('invalid_client', 'O cabeçalho Authorization não é um HTTP Basic válido.');
    if (client_secret !== undefined || (client_id ?? basic.clientId) !== basic.clientId) {
      throw tokenError(
        'invalid_request',
        'Envie as credenciais no cabeçalho ou no corpo, não em ambos.',
      );
    }
    return basic;
  }
  if (client_id === undefined && client_secret === undefined) return undefined;
  if (client_id === undefined || client_secret === undefined)
    throw tokenError('invalid_request', MISSING_CREDENTIALS);
  return { clientId: client_id, clientSecret: client_secret };
};

export const MISSING_CREDENTIALS = 'client_id e client_secret são obrigatórios.';
