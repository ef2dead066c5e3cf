import { isRefusal } from '#domain';
import { clientSubject } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { VerifiedToken } from './access-tokens.ts';
import type { FindLivingToken } from './authenticate.ts';
import type { CheckCredentials, Credentials } from './check-credentials.ts';
import { type ApiClient, allowedScopes, type Clients, honours } from './clients.ts';
import type { RefreshTokens, TokenFamily } from './refresh-tokens.ts';
import type { Secrets } from './secrets.ts';
import type { Applicant, TokenRefusal, TokenRefusals } from './token-refusals.ts';

/** A valid token. */
export type Inspected =
  | { readonly kind: 'access_token'; readonly token: VerifiedToken }
  | { readonly kind: 'refresh_token'; readonly family: TokenFamily };

interface Needs {
  readonly clients: Clients;
  readonly refreshTokens: RefreshTokens;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly checkCredentials: CheckCredentials;
  readonly findLivingToken: FindLivingToken;
  readonly refusals: TokenRefusals;
}

export interface InspectTokens {
  /**
   * Describes a token (RFC 7662) to its own client or an administrator. `inactive`: the token is
   * invalid, or another client's.
   */
  introspect(
    token: string,
    credentials: Credentials,
    applicant: Applicant,
  ): Promise<Inspected | TokenRefusal | 'inactive'>;
  /**
   * Ends the token's login with all its tokens (RFC 7009). An invalid token counts as revoked. Only
   * an administrator may revoke another client's token.
   */
  revoke(
    token: string,
    credentials: Credentials,
    applicant: Applicant,
  ): Promise<TokenRefusal | 'revoked'>;
}

export const makeInspectTokens = (parts: Needs): InspectTokens => {
  const { checkCredentials, findLivingToken, clients, refreshTokens, refusals, secrets, clock } =
    parts;

  const inspect = async (token: string): Promise<Inspected | undefined> => {
    const living = await findLivingToken(token);
    if (living) return { kind: 'access_token', token: living.token };
    const found = await refreshTokens.find(secrets.hash(token), clock.now());
    if (found === undefined || found.rotated) return undefined;
    const client = await clients.find(found.family.clientId);
    return honours(client, found.family.generation)
      ? { kind: 'refresh_token', family: found.family }
      : undefined;
  };

  /** The login of a token, also if the token itself was replaced. */
  const loginOf = async (token: string): Promise<Login | undefined> => {
    const living = await findLivingToken(token);
    if (living) return { loginId: living.token.loginId, clientId: living.token.clientId };
    const found = await refreshTokens.find(secrets.hash(token), clock.now());
    return found && { loginId: found.family.familyId, clientId: found.family.clientId };
  };

  return {
    introspect: async (token, credentials, applicant) => {
      const client = await checkCredentials(credentials, applicant);
      if (isRefusal(client)) return client;

      const inspected = await inspect(token);
      return inspected !== undefined && mayKnow(client, inspected) ? inspected : 'inactive';
    },
    revoke: async (token, credentials, applicant) => {
      const client = await checkCredentials(credentials, applicant);
      if (isRefusal(client)) return client;

      const { clientId } = client;
      const login = await loginOf(token);
      if (login === undefined) return 'revoked';
      if (login.clientId !== clientId && !allowedScopes(client).includes('admin'))
        return refusals.known(applicant, clientId, 'foreign_token');
      const { address, requestId } = applicant;
      const actor = { kind: 'client' as const, name: clientId, address, requestId };
      const subject = clientSubject(login.clientId);
      const entry = {
        at: clock.now(),
        action: 'token.revoked' as const,
        actor,
        subject,
        reason: null,
        changes: [],
      };
      await refreshTokens.revokeFamily(login.loginId, entry);
      return 'revoked';
    },
  };
};

interface Login {
  readonly loginId: string;
  readonly clientId: string;
}

const mayKnow = (client: ApiClient, inspected: Inspected): boolean => {
  const owner =
    inspected.kind === 'access_token' ? inspected.token.clientId : inspected.family.clientId;
  return allowedScopes(client).includes('admin') || client.clientId === owner;
};
