import { isRefusal, type Refusal, refuse } from '#domain';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../identity/secrets.ts';
import { retryStale } from '../retry-stale.ts';
import {
  actorFrom,
  type From,
  type KeepSessions,
  personEntry,
  type Started,
} from './keep-sessions.ts';
import type { OneTimeProof } from './one-time-proof.ts';
import type { People, Person } from './people.ts';
import type { Passphrases } from './proofs.ts';
import { makeFindByLink } from './sign-in.ts';

/** Characters of a passphrase: more than the most would only cost time. */
export const PASSPHRASE_LENGTH = { min: 12, max: 200 };

export type JoinFault = 'passphrase_too_short' | 'passphrase_too_long' | 'code_wrong';

type JoinRefusal =
  | Refusal<'link_unknown'>
  | (Refusal<'choice_refused'> & { readonly faults: readonly JoinFault[] });

export interface Chosen {
  readonly passphrase: string;
  /** The secret of the one-time codes, in base32, and a first code of it. */
  readonly codeSecret: string;
  readonly code: string;
}

/** A first session, and codes for the case that the app is lost, shown only here. */
interface Joined extends Started {
  readonly recoveryCodes: readonly string[];
}

export interface Join {
  /** Finds the person whom the link invites; undefined if the link does not work, or no longer. */
  read(linkCode: string): Promise<Person | undefined>;
  /** Chooses passphrase and second factor. Earlier ones, and sessions, end. */
  accept(linkCode: string, chosen: Chosen, from: From): Promise<Joined | JoinRefusal>;
}

interface Needs {
  readonly people: People;
  readonly keepSessions: KeepSessions;
  readonly oneTimeProof: OneTimeProof;
  readonly passphrases: Passphrases;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

export const makeJoin = (needs: Needs): Join => {
  const { people, keepSessions, oneTimeProof, passphrases, clock } = needs;
  const findByLink = makeFindByLink(needs);
  const read: Join['read'] = (linkCode) => findByLink(linkCode, 'invitation');

  return {
    read,

    async accept(linkCode, { passphrase, codeSecret, code }, from) {
      if ((await read(linkCode)) === undefined) return refuse('link_unknown');
      const step = oneTimeProof.firstStep(codeSecret, code);
      const faults = faultsOf(passphrase, step);
      if (step === undefined || faults.length > 0) return { ...refuse('choice_refused'), faults };

      const passphraseHash = await passphrases.hash(passphrase);
      const joined = await retryStale('an invitation', async () => {
        const person = await read(linkCode);
        if (person === undefined) return refuse('link_unknown');
        const { credentials, recoveryCodes } = oneTimeProof.choose(person, codeSecret, step);
        const after = {
          ...{ ...person, link: null, generation: person.generation + 1 },
          credentials: { ...credentials, passphraseHash },
        };
        const by = { at: clock.now(), actor: actorFrom(person, from) };
        const saved = await people.save(after, personEntry('person.joined', person, by));
        return saved === 'stale' ? saved : { person: after, recoveryCodes };
      });
      if (isRefusal(joined)) return joined;
      const { person, recoveryCodes } = joined;
      await keepSessions.end(person.personId, { except: null }, actorFrom(person, from));
      const started = await keepSessions.start(person, 'passphrase', clock.now(), from);
      return { ...started, recoveryCodes };
    },
  };
};

const faultsOf = (passphrase: string, step: number | undefined): readonly JoinFault[] => {
  const { length } = [...passphrase];
  const { min, max } = PASSPHRASE_LENGTH;
  return [
    ...(length < min ? (['passphrase_too_short'] as const) : []),
    ...(length > max ? (['passphrase_too_long'] as const) : []),
    ...(step === undefined ? (['code_wrong'] as const) : []),
  ];
};
