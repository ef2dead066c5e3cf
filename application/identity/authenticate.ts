import type { Clock } from '../clock.ts';
import type { AccessTokens, VerifiedToken } from './access-tokens.ts';
import { type ApiClient, allowedScopes, type Clients, honours, type Scope } from './clients.ts';
import type { RefreshTokens } from './refresh-tokens.ts';

/** Who is calling, and with which scopes. */
export interface Caller {
  readonly clientId: string;
  readonly channelLink: string | null;
  readonly scopes: readonly Scope[];
}

interface Needs {
  readonly accessTokens: AccessTokens;
  readonly clients: Clients;
  readonly refreshTokens: RefreshTokens;
}

/** A valid access token and its client. */
interface LivingToken {
  readonly token: VerifiedToken;
  readonly client: ApiClient;
}

/** At once, where client and login are known; else the store is asked. */
type Soon<Value> = Value | Promise<Value>;

export type FindLivingToken = (accessToken: string) => Soon<LivingToken | undefined>;

/** Verifies a token; undefined if the token, its login or its client has ended. */
export const makeFindLivingToken = ({
  accessTokens,
  clients,
  refreshTokens,
}: Needs): FindLivingToken => {
  const living = (
    token: VerifiedToken,
    client: ApiClient | undefined,
    hasEnded: boolean,
  ): LivingToken | undefined =>
    honours(client, token.generation) && !hasEnded ? { token, client } : undefined;

  return function findLivingToken(accessToken) {
    const token = accessTokens.verify(accessToken);
    if (token === undefined) return undefined;
    const client = clients.find(token.clientId);
    const hasEnded = refreshTokens.hasEnded(token.loginId);
    if (!(client instanceof Promise) && typeof hasEnded === 'boolean')
      return living(token, client, hasEnded);
    return Promise.all([client, hasEnded]).then((found) => living(token, ...found));
  };
};

export type Authenticate = (accessToken: string) => Soon<Caller | undefined>;

/**
 * Finds the caller of an access token; undefined if the token is invalid or its client not active.
 */
export const makeAuthenticate = ({
  findLivingToken: findLiving,
  clients,
  clock,
}: { readonly clients: Clients; readonly clock: Clock } & {
  readonly findLivingToken: FindLivingToken;
}): Authenticate => {
  const callerOfLiving = (living: LivingToken | undefined): Caller | undefined => {
    if (living === undefined) return undefined;
    clients.noteUse(living.client.clientId, clock.now());
    return callerOf(living);
  };

  return function authenticate(accessToken) {
    const living = findLiving(accessToken);
    return living instanceof Promise ? living.then(callerOfLiving) : callerOfLiving(living);
  };
};

const callerOf = ({ token, client }: LivingToken): Caller => {
  const allowed = allowedScopes(client);
  const scopes = token.scopes.filter((scope) => allowed.includes(scope));
  return { clientId: client.clientId, channelLink: client.channelLink, scopes };
};
