import type { Ports } from '../ports.ts';
import { livingSecrets, MOST_SECRETS } from './client-lifecycle.ts';
import type { ApiClient } from './clients.ts';
import type { Applicant, TokenRefusal, TokenRefusals } from './token-refusals.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

type Needs = Pick<Ports, 'clients' | 'secrets' | 'clock'> & { readonly refusals: TokenRefusals };

export type CheckCredentials = (
  credentials: Credentials,
  applicant: Applicant,
) => Promise<{ readonly client: ApiClient } | { readonly refusal: TokenRefusal }>;

/**
 * The active client whose living secret this is. An unknown client, a wrong secret and a client that is not active are
 * refused alike: by the same words, after the same steps. Only its own requests, past their limit, keep the true client out.
 */
export const makeCheckCredentials = ({
  clients,
  secrets,
  refusals,
  clock,
}: Needs): CheckCredentials => {
  // Compared with in place of a secret that there is not, so that every check compares as often.
  const nobodysHash = secrets.hash(secrets.generate());

  return async function checkCredentials({ clientId, clientSecret }, applicant) {
    const [client, at] = [await clients.find(clientId), clock.now()];
    const living = client ? livingSecrets(client, at) : [];
    const hashes = Array.from(
      { length: MOST_SECRETS },
      (_, index) => living[index]?.hash ?? nobodysHash,
    );
    const matches = secrets.matches(clientSecret, hashes);
    if (client?.status !== 'active' || !matches) {
      // A client id that nobody has may be a secret in the wrong field: it is not written down.
      return {
        refusal: await refusals.guess(applicant, {
          reason: 'invalid_client',
          clientId: client?.clientId,
        }),
      };
    }
    const refusal = await refusals.tooMany(clientId);
    if (refusal) return { refusal };
    clients.noteUse(clientId, at);
    return { client };
  };
};
