import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox';
import type { Credentials } from '../../../application/identity/check-credentials.ts';
import { firstMessage } from '../../kit/contract/field-faults.ts';
import { isText, text } from '../../kit/contract/formats.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import type { Exchange } from '../../kit/web/pipeline/context.ts';
import { oauthError } from './oauth-errors.ts';

/** An optional parameter of an OAuth request. */
export const optionalParameter = (options: TSchemaOptions = {}) =>
  Type.Optional(text(512, options));

/** Returns a function that reads the body, or answers `invalid_request` with every fault. */
export const compileOAuthBodyReader = <Schema extends TSchema>(schema: Schema) => {
  const readFields = compileReader(schema, (faults) =>
    oauthError('invalid_request', firstMessage(faults) ?? '', faults),
  );
  return ({ request }: Exchange): Static<Schema> => readFields(request.body as object);
};

interface CredentialFields {
  readonly client_id?: string;
  readonly client_secret?: string;
}

const decodeFormText = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const readBasicHeader = (header: string): Credentials | undefined => {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;

  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  try {
    const clientId = decodeFormText(decoded.slice(0, colon));
    const clientSecret = decodeFormText(decoded.slice(colon + 1));
    return colon > 0 && isText(clientId) && isText(clientSecret)
      ? { clientId, clientSecret }
      : undefined;
  } catch {
    return undefined;
  }
};

export const MISSING_CREDENTIALS = 'client_id e client_secret são obrigatórios.';

/**
 * The client's credentials: from HTTP Basic, form-decoded (RFC 6749, section 2.3.1), or from the
 * body. Refuses both at once. Undefined if the request has none.
 */
export const readCredentials = (
  authorization: string,
  { client_id, client_secret }: CredentialFields,
): Credentials | undefined => {
  if (/^Basic\b/i.test(authorization)) {
    const basic = readBasicHeader(authorization);
    if (basic === undefined)
      throw oauthError('invalid_client', 'O cabeçalho Authorization não é um HTTP Basic válido.');
    if (client_secret !== undefined || (client_id ?? basic.clientId) !== basic.clientId)
      throw oauthError(
        'invalid_request',
        'Envie as credenciais no cabeçalho ou no corpo, não em ambos.',
      );
    return basic;
  }

  if (client_id === undefined && client_secret === undefined) return undefined;
  if (client_id === undefined || client_secret === undefined)
    throw oauthError('invalid_client', MISSING_CREDENTIALS);
  return { clientId: client_id, clientSecret: client_secret };
};
