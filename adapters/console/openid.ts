import type * as Client from 'openid-client';
import { type Instant, instantOf } from '#domain';
import { later } from '../../application/clock.ts';
import { makeOnce } from '../../application/make-once.ts';
import { PROOF_MS } from '../../application/people/keep-sessions.ts';
import { Unavailable } from '../../application/unavailable.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What has to be known again when the browser comes back from the provider. */
export interface OpenIdVisit {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Whether the provider was told to authenticate the person again. */
  readonly isProof: boolean;
  /** The page to go on with. */
  readonly next: string;
  /** When the answer comes too late. */
  readonly until: Instant;
}

/** Whom the provider has authenticated. */
export interface OpenIdPerson {
  readonly email: string;
  /** When; the start of 1970 if the provider does not say. */
  readonly provedAt: Instant;
}

/** Time for somebody to sign in at the provider, ms. */
const ANSWER_MS = 10 * 60 * 1_000;

/** Max time of a request to the provider, seconds. */
const TIMEOUT = 10;

const library = (): Promise<typeof Client> => import('openid-client');

/** Signs people in at a provider of OpenID Connect: authorization code with PKCE, state and nonce. */
export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  readonly #redirectUri: string;
  /** Asked for once it is needed, and again after a failure. */
  readonly #configuration = makeOnce(async () => {
    const { issuer, clientId, clientSecret } = this.#settings;
    const { discovery, allowInsecureRequests } = await library();
    const isPlain = new URL(issuer).protocol === 'http:';
    const options = { timeout: TIMEOUT, ...(isPlain && { execute: [allowInsecureRequests] }) };
    return discovery(new URL(issuer), clientId, clientSecret, undefined, options);
  });

  /** @param redirectUri where the provider sends the browser back to */
  constructor(settings: OpenIdSettings, redirectUri: string) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  /** Where the browser goes to. @throws Unavailable */
  async begin(
    next: string,
    isProof: boolean,
    now: Instant,
  ): Promise<{ readonly address: string; readonly visit: OpenIdVisit }> {
    const client = await library();
    const configuration = await this.#ask();
    const verifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const address = client.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: this.#redirectUri, scope: 'openid email', state, nonce },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isProof && { max_age: String(PROOF_MS / 1_000) }),
    });
    return {
      address: address.href,
      visit: { state, nonce, verifier, isProof, next, until: later(now, ANSWER_MS) },
    };
  }

  /**
   * @param search what the provider has added to the address
   * @returns undefined if the answer is not that to the visit, or names no verified e-mail
   * @throws Unavailable
   */
  async end(search: string, visit: OpenIdVisit): Promise<OpenIdPerson | undefined> {
    const client = await library();
    const configuration = await this.#ask();
    try {
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(`${this.#redirectUri}${search}`),
        {
          ...{ expectedState: visit.state, expectedNonce: visit.nonce },
          ...{ pkceCodeVerifier: visit.verifier, idTokenExpected: true },
          ...(visit.isProof && { maxAge: PROOF_MS / 1_000 }),
        },
      );
      const claims = tokens.claims();
      const email = claims?.['email'];
      if (typeof email !== 'string' || claims?.['email_verified'] !== true) return undefined;
      return { email, provedAt: instantOf(new Date((claims.auth_time ?? 0) * 1_000)) };
    } catch {
      // What the provider answers may hold personal data: nothing of it goes on.
      return undefined;
    }
  }

  async #ask(): Promise<Client.Configuration> {
    try {
      return await this.#configuration.get();
    } catch {
      throw new Unavailable('the provider of OpenID Connect');
    }
  }
}
