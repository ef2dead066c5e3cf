import { type Instant, instantOf, type Refusal, refuse } from '#domain';
import type { ApiClient, ClientSecret } from './clients.ts';

/** Why a client cannot change as asked. */
export type LifecycleRefusal = Refusal<'client_revoked'>;

/** Max valid secrets of a client: the current one and the one it replaces. */
export const MOST_SECRETS = 2;

/** Max and default hours for which a replaced secret stays valid. */
export const MOST_GRACE = 168;
export const USUAL_GRACE = 24;

const HOUR_MS = 60 * 60 * 1000;

export const livingSecrets = ({ secrets }: ApiClient, at: Instant): readonly ClientSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || at < expiresAt);

/** Ends all tokens issued so far, also if the client becomes active again. */
const withLoginsEnded = (client: ApiClient): ApiClient => ({
  ...client,
  generation: client.generation + 1,
});

export const activate = (client: ApiClient): ApiClient | LifecycleRefusal => {
  if (client.status === 'revoked') return refuse('client_revoked');
  return client.status === 'active' ? client : { ...client, status: 'active' };
};

/** The client gets no tokens until it is activated. Its existing tokens end for good. */
export const deactivate = (client: ApiClient): ApiClient | LifecycleRefusal => {
  if (client.status === 'revoked') return refuse('client_revoked');
  return client.status === 'inactive' ? client : { ...withLoginsEnded(client), status: 'inactive' };
};

/** Ends a client for good: no secret is left, and it cannot be activated again. */
export const revoke = (client: ApiClient): ApiClient =>
  client.status === 'revoked'
    ? client
    : { ...withLoginsEnded(client), status: 'revoked', secrets: [] };

/**
 * Adds a secret. The current one stays valid for `graceHours`; one already being replaced ends now.
 * With 0 hours all logins end too, because the old secret may have leaked.
 */
export const rotateSecret = (
  client: ApiClient,
  hash: string,
  at: Instant,
  graceHours: number,
): ApiClient | LifecycleRefusal => {
  if (client.status === 'revoked') return refuse('client_revoked');
  const newest: ClientSecret = { hash, createdAt: at, expiresAt: null };
  if (graceHours === 0) return { ...withLoginsEnded(client), secrets: [newest] };
  const graceEnds = instantOf(new Date(Date.parse(at) + graceHours * HOUR_MS));
  const [inUse] = livingSecrets(client, at);
  const replaced = inUse ? [{ ...inUse, expiresAt: graceEnds }] : [];
  return { ...client, secrets: [newest, ...replaced] };
};
