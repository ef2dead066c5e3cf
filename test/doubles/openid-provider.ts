import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SIGNING_KEY = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };

/** What the next person who comes to the provider is. */
interface Account {
  readonly email: string;
  readonly email_verified: boolean;
}

export const CONSOLE_CLIENT = { clientId: 'console', clientSecret: 'known to both' };

/** A real provider of OpenID Connect, at which `account` signs in without being asked. */
export class OpenIdDouble {
  account: Account = { email: 'ana@example.com', email_verified: true };
  /** How often somebody had to authenticate. */
  logins = 0;
  issuer = '';
  readonly #server: Server = createServer();

  /** Takes an address, and answers after `serve`. */
  async start(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** @param redirectUri where the console takes people back */
  serve(redirectUri: string): void {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          ...{ client_id: CONSOLE_CLIENT.clientId, client_secret: CONSOLE_CLIENT.clientSecret },
          ...{ redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' },
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      // The e-mail stands in the token itself, as at most providers.
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['of the tests'] },
      jwks: { keys: [SIGNING_KEY] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.account }) }),
      interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    });
    const callback = provider.callback();
    this.#server.on('request', (request, response) =>
      request.url?.startsWith('/sign-in/')
        ? this.#signIn(provider, request, response)
        : callback(request, response),
    );
  }

  async #signIn(
    provider: Provider,
    ...exchange: Parameters<Provider['interactionDetails']>
  ): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(...exchange);
    if (prompt.name === 'login') {
      this.logins += 1;
      return provider.interactionFinished(...exchange, { login: { accountId: 'person-1' } });
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope('openid email');
    const grantId = await grant.save();
    return provider.interactionFinished(...exchange, { consent: { grantId } });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
