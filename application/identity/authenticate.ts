import type { Clock } from '../clock.ts';
import type { AccessTokens, VerifiedToken } from './access-tokens.ts';
import { honours } from './client-lifecycle.ts';
import { type ApiClient, allowedScopes, type Clients, type Scope } from './clients.ts';
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

export type FindLivingToken = (accessToken: string) => Promise<LivingToken | undefined>;

/** Verifies a token; undefined if the token, its login or its client has ended. */
export const makeFindLivingToken = ({
  accessTokens,
  clients,
  refreshTokens,
}: Needs): FindLivingToken =>
  async function findLivingToken(accessToken) {
    const token = accessTokens.verify(accessToken);
    if (token === undefined) return undefined;
    const client = await clients.find(token.clientId);
    if (!honours(client, token.generation)) return undefined;
    return (await refreshTokens.hasEnded(token.loginId)) ? undefined : { token, client };
  };

export type Authenticate = (accessToken: string) => Promise<Caller | undefined>;

/**
 * Finds the caller of an access token; undefined if the token is invalid or its client not active.
 */
export const makeAuthenticate = ({
  findLivingToken: findLiving,
  clients,
  clock,
}: { readonly clients: Clients; readonly clock: Clock } & {
  readonly findLivingToken: FindLivingToken;
}): Authenticate =>
  async function authenticate(accessToken) {
    const living = await findLiving(accessToken);
    if (living === undefined) return undefined;
    clients.noteUse(living.client.clientId, clock.now());
    return callerOf(living);
  };

export type Recognize = (accessToken: string) => Caller | undefined;

/**
 * Finds the caller of an access token without waiting. Undefined if the token has not been verified
 * before, has ended, or if the state of its client or login has to be asked for: then
 * `authenticate` tells.
 */
export const makeRecognize = ({
  accessTokens,
  clients,
  refreshTokens,
  clock,
}: Needs & { readonly clock: Clock }): Recognize =>
  function recognize(accessToken) {
    const token = accessTokens.recall(accessToken);
    if (token === undefined) return undefined;
    const client = clients.known(token.clientId);
    if (!honours(client, token.generation) || !refreshTokens.isKnownToLive(token.loginId))
      return undefined;
    clients.noteUse(client.clientId, clock.now());
    return callerOf({ token, client });
  };

const callerOf = ({ token, client }: LivingToken): Caller => {
  const allowed = allowedScopes(client);
  const scopes = token.scopes.filter((scope) => allowed.includes(scope));
  return { clientId: client.clientId, channelLink: client.channelLink, scopes };
};
