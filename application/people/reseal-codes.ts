import { retryStale } from '../retry-stale.ts';
import type { SecretSeal } from '../webhooks/webhook-sender.ts';
import { type People, personSubject } from './people.ts';

interface Resealed {
  /** How many people have a secret of one-time codes that the present key seals. */
  readonly resealed: number;
  /** The ids of people whose secret no known key opens: they need a recovery code or an invitation. */
  readonly lost: readonly string[];
}

/** Seals the secrets of one-time codes with the present key, so that earlier keys can be removed. */
export type ResealCodes = () => Promise<Resealed>;

interface Needs {
  readonly people: People;
  readonly secretSeal: SecretSeal;
}

export const makeResealCodes = ({ people, secretSeal }: Needs): ResealCodes => {
  const resealOne = (personId: string): Promise<'resealed' | 'lost' | 'none'> =>
    retryStale(`person ${personId}`, async () => {
      const person = await people.find('personId', personId);
      if (!person?.credentials) return 'none';
      const { credentials } = person;
      const secret = secretSeal.open(credentials.sealedCodeSecret, personSubject(person));
      if (secret === undefined) return 'lost';
      const sealedCodeSecret = secretSeal.seal(secret, personSubject(person));
      const changed = { ...person, credentials: { ...credentials, sealedCodeSecret } };
      return (await people.save(changed, null)) === 'saved' ? 'resealed' : 'stale';
    });

  return async function resealCodes() {
    const lost: string[] = [];
    let resealed = 0;
    for (const { personId } of await people.list()) {
      const outcome = await resealOne(personId);
      if (outcome === 'resealed') resealed += 1;
      if (outcome === 'lost') lost.push(personId);
    }
    return { resealed, lost };
  };
};
