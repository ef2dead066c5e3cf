import { type Instant, parseEmail, type Refusal, refuse } from '#domain';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../identity/secrets.ts';
import { retryStale } from '../retry-stale.ts';
import type { From, KeepSessions, Started } from './keep-sessions.ts';
import type { OneTimeProof } from './one-time-proof.ts';
import { type EntryLink, type People, type Person, personSubject } from './people.ts';
import type { Passphrases } from './proofs.ts';
import type { EntryWay } from './sessions.ts';
import type { WrongTries } from './wrong-tries.ts';

/** One refusal for all reasons: it does not tell whether somebody is known. */
export type SignInRefusal =
  | Refusal<'sign_in_refused'>
  | (Refusal<'too_many_sign_ins'> & { readonly retryAfter: number });

export interface SignIn {
  /** @param given the code is one of six digits, or a recovery code */
  withPassphrase(
    given: { readonly email: string; readonly passphrase: string; readonly code: string },
    from: From,
  ): Promise<Started | SignInRefusal>;
  /** Enters by a link of the test environment. */
  withLink(code: string, from: From): Promise<Started | SignInRefusal>;
  /**
   * For a person whom an OpenID Connect provider has named.
   *
   * @param email one that the provider has verified
   * @param provedAt when the person authenticated there
   */
  withOpenId(email: string, provedAt: Instant, from: From): Promise<Started | SignInRefusal>;
}

interface Needs {
  readonly people: People;
  readonly keepSessions: KeepSessions;
  readonly oneTimeProof: OneTimeProof;
  readonly passphrases: Passphrases;
  readonly secrets: Secrets;
  readonly wrongTries: WrongTries;
  readonly clock: Clock;
}

/** What a try has changed. */
interface Used {
  readonly person: Person;
  readonly isGood?: true;
}

/** E-mails are compared in small letters; what is none is found nowhere. */
const addressOf = (email: string): string => (parseEmail(email.trim()) ?? '').toLowerCase();

/** Finds the person of a link; undefined if the link does not work, or no longer. */
export const makeFindByLink =
  ({ people, secrets, clock }: Pick<Needs, 'people' | 'secrets' | 'clock'>) =>
  async (code: string, kind: EntryLink['kind']): Promise<Person | undefined> => {
    const person = await people.find('link', secrets.hash(code));
    const isGood =
      person?.link?.kind === kind && person.isActive && clock.now() < person.link.expiresAt;
    return isGood ? person : undefined;
  };

export const makeSignIn = (needs: Needs): SignIn => {
  const { people, keepSessions, oneTimeProof, passphrases, wrongTries, clock } = needs;
  const findByLink = makeFindByLink(needs);

  const refuseTo = async (person: Person | undefined, from: From): Promise<SignInRefusal> => {
    await wrongTries.note(from, person === undefined ? null : personSubject(person));
    return refuse('sign_in_refused');
  };

  /**
   * Signs in with something that works once.
   *
   * @param use the person with that used up or a try counted; undefined if nothing is to be stored
   */
  const signInOnce = async (
    [way, name]: readonly [EntryWay, string],
    from: From,
    find: () => Promise<Person | undefined>,
    use: (person: Person | undefined) => Promise<Used | undefined>,
  ): Promise<Started | SignInRefusal> => {
    const retryAfter = await wrongTries.count(from, name);
    if (retryAfter !== undefined) return { ...refuse('too_many_sign_ins'), retryAfter };
    return retryStale('a sign-in', async () => {
      const found = await find();
      const used = await use(found);
      if (used && (await people.save(used.person, null)) === 'stale') return 'stale';
      if (!used?.isGood || !used.person.isActive) return refuseTo(found, from);
      return keepSessions.start(used.person, way, clock.now(), from);
    });
  };

  return {
    withPassphrase({ email, passphrase, code }, from) {
      const address = addressOf(email);
      const find = () => people.find('email', address);
      return signInOnce(['passphrase', address], from, find, async (person) => {
        // The same work for an address that nobody has.
        const hash = person?.credentials?.passphraseHash ?? passphrases.unknown;
        const isRight = await passphrases.matches(passphrase, hash);
        const credentials = person && oneTimeProof.use(person, code);
        if (!isRight || !person?.credentials) return undefined;
        return credentials
          ? { person: { ...person, credentials }, isGood: true }
          : { person: { ...person, credentials: oneTimeProof.miss(person.credentials) } };
      });
    },

    withLink: (code, from) =>
      signInOnce(
        ['link', code],
        from,
        () => findByLink(code, 'demo'),
        async (person) => person && { person: { ...person, link: null }, isGood: true },
      ),

    async withOpenId(email, provedAt, from) {
      const person = await people.find('email', addressOf(email));
      return person?.isActive
        ? keepSessions.start(person, 'openid', provedAt, from)
        : refuseTo(person, from);
    },
  };
};
