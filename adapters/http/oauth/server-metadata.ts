import { SCOPES } from '../../../application/identity/clients.ts';

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post'];

/** What an OAuth client must know of this server (RFC 8414). */
export const metadataOf = (issuer: string): object => {
  const auth = `${issuer}/api/seguros/auth`;
  return {
    issuer,
    token_endpoint: `${auth}/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    revocation_endpoint: `${auth}/revoke`,
    introspection_endpoint: `${auth}/introspect`,
    scopes_supported: SCOPES,
    // There is no authorization endpoint, but the list is required.
    response_types_supported: [],
    grant_types_supported: ['client_credentials', 'refresh_token'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: AUTH_METHODS,
    service_documentation: `${issuer}/openapi.json`,
  };
};

/** Where a server of this issuer shows its metadata: in front of the path that the issuer may have (RFC 8414, section 3). */
export const metadataPath = (issuer: string): string =>
  `/.well-known/oauth-authorization-server${new URL(issuer).pathname.replace(/\/$/, '')}`;
