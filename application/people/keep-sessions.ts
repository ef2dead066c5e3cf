import type { Instant } from '#domain';
import type { Actor, AuditAction, AuditEntry } from '../audit/audit-log.ts';
import { type Clock, later } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Secrets } from '../identity/secrets.ts';
import type { Applicant } from '../identity/token-refusals.ts';
import { retryStale } from '../retry-stale.ts';
import type { OneTimeProof } from './one-time-proof.ts';
import { type People, type Person, personSubject } from './people.ts';
import { SESSION_MS, type Session, type Sessions } from './sessions.ts';

/** After so long the second factor is asked for again before delicate acts, ms. */
export const PROOF_MS = 10 * 60 * 1_000;

/** A session ends with so many wrong codes one after the other. */
const MAX_WRONG_CODES = 5;

/** Who is at work, as the person is now: a role that was taken away is gone at once. */
export interface SignedIn {
  readonly person: Person;
  readonly session: Session;
}

/** A session that has just begun, and the secret that opens it. */
export interface Started extends SignedIn {
  readonly secret: string;
}

/** From where somebody signs in. */
export interface From extends Applicant {
  readonly browser: string | null;
}

export interface KeepSessions {
  /** @param provedAt when the person gave the second factor */
  start(person: Person, way: Session['way'], provedAt: Instant, from: From): Promise<Started>;
  recognize(secret: string): Promise<SignedIn | undefined>;
  /**
   * Takes the second factor again, and begins a session in the place of the one before: whoever had
   * copied its secret has nothing. `ended`: there were too many wrong codes.
   */
  prove(who: SignedIn, code: string, from: From): Promise<Started | 'wrong' | 'ended'>;
  /** Ends one session of a person, or all but `except`. */
  end(personId: string, which: Parameters<Sessions['end']>[1], actor: Actor): Promise<void>;
}

interface Needs {
  readonly people: People;
  readonly sessions: Sessions;
  readonly secrets: Secrets;
  readonly identifiers: Identifiers;
  readonly oneTimeProof: OneTimeProof;
  readonly clock: Clock;
}

/** Whether the person has given a second factor lately, or entered the test environment by a link. */
export const isProved = ({ way, provedAt }: Session, now: Instant): boolean =>
  way === 'link' || later(provedAt, PROOF_MS) > now;

/** The person as the audit log names it: several may have one name, and a name may change. */
export const auditName = ({ name, personId }: Person): string => `${name} (${personId})`;

export const actorFrom = (person: Person, { address, requestId }: Applicant): Actor => ({
  ...{ kind: 'person', name: auditName(person), address, requestId },
});

/** @param subject the person that something happened to */
export const personEntry = (
  action: AuditAction,
  subject: Pick<Person, 'personId'>,
  {
    at,
    actor,
    reason = null,
  }: Pick<AuditEntry, 'at' | 'actor'> & { readonly reason?: string | null },
): AuditEntry => ({ at, action, actor, subject: personSubject(subject), reason, changes: [] });

export const makeKeepSessions = ({
  people,
  sessions,
  secrets,
  identifiers,
  oneTimeProof,
  clock,
}: Needs): KeepSessions => {
  const end: KeepSessions['end'] = (personId, which, actor) =>
    sessions.end(
      personId,
      which,
      personEntry('session.ended', { personId }, { at: clock.now(), actor }),
    );

  const start: KeepSessions['start'] = async (person, way, provedAt, from) => {
    const [secret, at] = [secrets.generate(), clock.now()];
    const { address, browser } = from;
    const session: Session = {
      ...{ sessionId: identifiers.next(), personId: person.personId, way, provedAt },
      generation: person.generation,
      ...{ startedAt: at, seenAt: at, expiresAt: later(at, SESSION_MS), address, browser },
    };
    const actor = actorFrom(person, from);
    const entry = personEntry('session.started', person, { at, actor, reason: way });
    await sessions.start(session, secrets.hash(secret), entry);
    return { person, session, secret };
  };

  return {
    start,

    async recognize(secret) {
      const session = await sessions.use(secrets.hash(secret), clock.now());
      const person = session && (await people.find('personId', session.personId));
      const isOpen = person?.isActive && person.generation === session?.generation;
      return session && isOpen ? { person, session } : undefined;
    },

    async prove({ person: { personId }, session }, code, from) {
      const proved = await retryStale(`proof of ${personId}`, async () => {
        const person = await people.find('personId', personId);
        const credentials = person && oneTimeProof.use(person, code);
        if (!credentials) return undefined;
        const used = { ...person, credentials };
        return (await people.save(used, null)) === 'stale' ? 'stale' : used;
      });
      const { sessionId } = session;
      if (proved !== undefined) {
        await end(personId, { sessionId }, actorFrom(proved, from));
        return start(proved, session.way, clock.now(), from);
      }
      if ((await sessions.noteWrongCode(sessionId)) < MAX_WRONG_CODES) return 'wrong';
      const person = await people.find('personId', personId);
      if (person) await end(personId, { sessionId }, actorFrom(person, from));
      return 'ended';
    },

    end,
  };
};
