/* biome-ignore-all lint/suspicious/noConsole: it prints where it listens */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/**
 * npm's oidc-provider with its in-memory store: only client credentials for ES256 JWT access
 * tokens.
 */
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [client_id = '', client_secret = ''] = process.argv.slice(2);
const RESOURCE = 'urn:api';

const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id,
      client_secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
      scope: 'sales',
    },
  ],
  jwks: {
    keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'benchmark' }],
  },
  clientAuthMethods: ['client_secret_post'],
  scopes: ['sales'],
  ttl: { ClientCredentials: 1_800 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      getResourceServerInfo: () => ({
        scope: 'sales',
        audience: RESOURCE,
        accessTokenTTL: 1_800,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
});

const server = createServer(provider.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}/token`);
