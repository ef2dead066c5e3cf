import { type Instant, instantOf } from '#domain';
import type { ApiClient, ClientSecret } from './clients.ts';

/** Why a client cannot become what is asked of it. */
export type LifecycleRefusal = 'revoked';

/** More secrets than this are never alive at once: the one in use and the one it replaces. */
export const MOST_SECRETS = 2;

/** How long, in hours, a replaced secret may go on, and does when nobody says. */
export const MOST_GRACE = 168;
export const USUAL_GRACE = 24;

const HOUR = 60 * 60 * 1000;

export const livingSecrets = ({ secrets }: ApiClient, at: Instant): readonly ClientSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || at < expiresAt);

/** Whether what was issued to the client in that generation still counts. */
export const honours = (client: ApiClient | undefined, generation: number): client is ApiClient =>
  client?.status === 'active' && client.generation === generation;

/** All tokens that were issued so far are no good any more, even if the client becomes active again. */
const withLoginsEnded = (client: ApiClient): ApiClient => ({
  ...client,
  generation: client.generation + 1,
});

export const activate = (client: ApiClient): ApiClient | LifecycleRefusal => {
  if (client.status === 'revoked') return 'revoked';
  return client.status === 'active' ? client : { ...client, status: 'active' };
};

/** Until it is activated again it gets no tokens; those it had are lost for good. */
export const deactivate = (client: ApiClient): ApiClient | LifecycleRefusal => {
  if (client.status === 'revoked') return 'revoked';
  return client.status === 'inactive' ? client : { ...withLoginsEnded(client), status: 'inactive' };
};

/** For good: no secret is left, and no way back. */
export const revoke = (client: ApiClient): ApiClient =>
  client.status === 'revoked'
    ? client
    : { ...withLoginsEnded(client), status: 'revoked', secrets: [] };

/**
 * A new secret, beside which the one in use lives on for `graceHours`; one that was being replaced already ends now.
 * Without grace the logins end as well: whoever had the old secret may be behind them.
 */
export const rotateSecret = (
  client: ApiClient,
  hash: string,
  at: Instant,
  graceHours: number,
): ApiClient | LifecycleRefusal => {
  if (client.status === 'revoked') return 'revoked';
  const newest: ClientSecret = { hash, createdAt: at, expiresAt: null };
  if (graceHours === 0) return { ...withLoginsEnded(client), secrets: [newest] };
  const graceEnds = instantOf(new Date(Date.parse(at) + graceHours * HOUR));
  const [inUse] = livingSecrets(client, at);
  const replaced = inUse ? [{ ...inUse, expiresAt: graceEnds }] : [];
  return { ...client, secrets: [newest, ...replaced] };
};
