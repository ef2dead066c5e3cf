import type { Clock } from '../clock.ts';
import { livingSecrets, MOST_SECRETS } from './client-lifecycle.ts';
import type { ApiClient, Clients } from './clients.ts';
import type { Secrets } from './secrets.ts';
import type { Applicant, TokenRefusal, TokenRefusals } from './token-refusals.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Needs {
  readonly clients: Clients;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly refusals: TokenRefusals;
}

export type CheckCredentials = (
  credentials: Credentials,
  applicant: Applicant,
) => Promise<ApiClient | TokenRefusal>;

/**
 * Finds the active client of a secret. An unknown client, a wrong secret and an inactive client get
 * the same answer after the same steps, so that an attacker learns nothing. Only the client's own
 * requests past its limit keep it out.
 */
export const makeCheckCredentials = ({
  clients,
  secrets,
  refusals,
  clock,
}: Needs): CheckCredentials => {
  // Stands in for a missing secret, so that every check compares equally often.
  const dummyHash = secrets.hash(secrets.generate());

  return async function checkCredentials({ clientId, clientSecret }, applicant) {
    const [client, at] = [await clients.find(clientId), clock.now()];
    const living = client ? livingSecrets(client, at) : [];
    const hashes = Array.from(
      { length: MOST_SECRETS },
      (_, index) => living[index]?.hash ?? dummyHash,
    );
    const matches = secrets.matches(clientSecret, hashes);
    if (client?.status !== 'active' || !matches) {
      // An unknown client id may be a secret typed into the wrong field: do not write it down.
      return refusals.guess(applicant, { reason: 'invalid_client', clientId: client?.clientId });
    }
    const refusal = await refusals.tooMany(clientId);
    if (refusal) return refusal;
    clients.noteUse(clientId, at);
    return client;
  };
};
