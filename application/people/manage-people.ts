import { type Email, isRefusal, type Refusal, refuse } from '#domain';
import {
  type Actor,
  type AuditAction,
  type AuditEntry,
  changesBetween,
} from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { timelinesOf } from '../catalogue/versions.ts';
import { type Clock, later } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Secrets } from '../identity/secrets.ts';
import { retryStale } from '../retry-stale.ts';
import { type KeepSessions, personEntry } from './keep-sessions.ts';
import type { EntryLink, People, Person } from './people.ts';

/** An invitation and a link of the test environment work so long, ms. */
export const LINK_MS = 24 * 60 * 60 * 1_000;

/** `own_person`: an administrator must not lock itself out. */
export type PeopleRefusal = Refusal<
  | 'person_unknown'
  | 'person_email_taken'
  | 'person_channel_unknown'
  | 'person_has_changed'
  | 'own_person'
>;

export type Described = Pick<Person, 'name' | 'role' | 'channelLink'>;

/** What of a person may be changed. */
export type Standing = Described & Pick<Person, 'isActive'>;

/** A person and the code of the link, which is shown only here. */
export interface Invited {
  readonly person: Person;
  readonly code: string;
}

export interface ManagePeople {
  /** A partner needs the link of a channel that exists; of all others the link is dropped. */
  invite(
    asked: Described & { readonly email: Email },
    actor: Actor,
  ): Promise<Invited | PeopleRefusal>;
  /**
   * Makes a new link: with an invitation a person chooses a new passphrase, until which the old one
   * works.
   */
  inviteAgain(personId: string, actor: Actor): Promise<Invited | PeopleRefusal>;
  /** Adds a person without an e-mail, who enters by a link: for the test environment. */
  addWithLink(asked: Described, actor: Actor): Promise<Invited | PeopleRefusal>;
  /**
   * A person who is no longer active is signed out at once.
   *
   * @param to `seen`: as the person was when somebody decided the change. Where another change came
   * first, nothing is changed
   */
  change(
    personId: string,
    to: Standing & { readonly seen: Standing },
    by: { readonly personId: string; readonly actor: Actor },
  ): Promise<Person | PeopleRefusal>;
  /** Ends all sessions of a person, also those that are just beginning. */
  signOut(personId: string, actor: Actor): Promise<Person | PeopleRefusal>;
}

interface Needs {
  readonly people: People;
  readonly keepSessions: KeepSessions;
  readonly catalogue: Catalogue;
  readonly secrets: Secrets;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
}

/** What the audit log shows of a person. */
const auditedFields = (person: Person): object => {
  const { name, email, role, channelLink, isActive, link } = person;
  return { name, email, role, channelLink, isActive, linkExpiresAt: link?.expiresAt ?? null };
};

/** Without an e-mail there is nothing to sign in with later. */
const kindFor = ({ email }: Pick<Person, 'email'>): EntryLink['kind'] =>
  email === null ? 'demo' : 'invitation';

/** Returns the function that describes a change for the audit log. */
const entriesAt =
  (clock: Clock) =>
  (action: AuditAction, actor: Actor, before: Person | undefined, after: Person): AuditEntry => ({
    ...personEntry(action, after, { at: clock.now(), actor }),
    changes: changesBetween(before ? auditedFields(before) : {}, auditedFields(after)),
  });

/** The channel that the role needs; null if it needs none. */
const channelFor = async (
  { role, channelLink }: Described,
  catalogue: Catalogue,
): Promise<string | null | PeopleRefusal> => {
  if (role !== 'partner') return null;
  const { versions } = await catalogue.load();
  const isKnown = channelLink !== null && timelinesOf(versions).channels.has(channelLink);
  return isKnown ? channelLink : refuse('person_channel_unknown');
};

const isAs = (seen: Standing, { name, role, channelLink, isActive }: Person): boolean =>
  seen.name === name &&
  seen.role === role &&
  seen.channelLink === channelLink &&
  seen.isActive === isActive;

/** Returns the function that changes a person from its stored state. */
const updateIn =
  ({ people, clock }: Pick<Needs, 'people' | 'clock'>) =>
  (
    personId: string,
    action: AuditAction,
    actor: Actor,
    change: (person: Person) => Person | PeopleRefusal,
  ): Promise<Person | PeopleRefusal> =>
    retryStale(`person ${personId}`, async () => {
      const person = await people.find('personId', personId);
      if (person === undefined) return refuse('person_unknown');
      const after = change(person);
      if (isRefusal(after)) return after;
      const saved = await people.save(after, entriesAt(clock)(action, actor, person, after));
      return saved === 'saved' ? { ...after, version: after.version + 1 } : 'stale';
    });

export const makeManagePeople = (needs: Needs): ManagePeople => {
  const { people, keepSessions, catalogue, secrets, identifiers, clock } = needs;
  const update = updateIn(needs);

  const makeLink = () => {
    const code = secrets.generate();
    return { code, hash: secrets.hash(code), expiresAt: later(clock.now(), LINK_MS) };
  };

  const add = async (
    asked: Described & { readonly email: Email | null },
    actor: Actor,
  ): Promise<Invited | PeopleRefusal> => {
    const channelLink = await channelFor(asked, catalogue);
    if (isRefusal(channelLink)) return channelLink;
    const { code, hash, expiresAt } = makeLink();
    const { name, email, role } = asked;
    const link = { hash, expiresAt, kind: kindFor(asked) };
    const person: Person = {
      ...{ personId: identifiers.next(), name, role, channelLink, isActive: true },
      email: email && (email.toLowerCase() as Email),
      ...{ createdAt: clock.now(), generation: 0, credentials: null, link, version: 1 },
    };
    const entry = entriesAt(clock)('person.added', actor, undefined, person);
    const added = await people.add(person, entry);
    return added === 'added' ? { person, code } : refuse('person_email_taken');
  };

  const endAll = (personId: string, actor: Actor): Promise<void> =>
    keepSessions.end(personId, { except: null }, actor);

  return {
    invite: (asked, actor) => add(asked, actor),
    addWithLink: (asked, actor) => add({ ...asked, email: null }, actor),

    async inviteAgain(personId, actor) {
      const { code, hash, expiresAt } = makeLink();
      const person = await update(personId, 'person.invited', actor, (invited) =>
        invited.isActive
          ? { ...invited, link: { hash, expiresAt, kind: kindFor(invited) } }
          : refuse('person_unknown'),
      );
      return isRefusal(person) ? person : { person, code };
    },

    async change(personId, { seen, ...to }, by) {
      const channelLink = await channelFor(to, catalogue);
      if (isRefusal(channelLink)) return channelLink;
      const changed = await update(personId, 'person.changed', by.actor, (person) => {
        if (!isAs(seen, person)) return refuse('person_has_changed');
        const isLess = to.role !== person.role || !to.isActive;
        if (personId === by.personId && isLess) return refuse('own_person');
        const { name, role, isActive } = to;
        const standing = { name, role, channelLink, isActive };
        return isActive
          ? { ...person, ...standing }
          : { ...person, ...standing, link: null, generation: person.generation + 1 };
      });
      if (!isRefusal(changed) && !to.isActive) await endAll(personId, by.actor);
      return changed;
    },

    async signOut(personId, actor) {
      const person = await update(personId, 'person.signed_out', actor, (found) => ({
        ...found,
        generation: found.generation + 1,
      }));
      if (!isRefusal(person)) await endAll(personId, actor);
      return person;
    },
  };
};
