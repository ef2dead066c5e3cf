import type { AccessTokens } from './access-tokens.ts';
import type { Clients, Scope } from './clients.ts';

/** Who is calling, and what it may do now. */
export interface Caller {
  readonly clientId: string;
  readonly channelLink: string | null;
  readonly scopes: readonly Scope[];
}

export type Authenticate = (accessToken: string) => Promise<Caller | undefined>;

/** The caller behind an access token; undefined when the token is no good or its client is no longer active. */
export const authenticate =
  ({ accessTokens, clients }: { readonly accessTokens: AccessTokens; readonly clients: Clients }): Authenticate =>
  async (accessToken) => {
    const claims = accessTokens.verify(accessToken);
    if (claims === undefined) return undefined;
    const client = await clients.find(claims.clientId);
    if (client?.status !== 'active') return undefined;
    const scopes = claims.scopes.filter((scope) => client.scopes.includes(scope));
    return { clientId: client.clientId, channelLink: client.channelLink, scopes };
  };
