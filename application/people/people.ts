import type { Email, Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Role } from './roles.ts';

/** With what a person signs in. Holds hashes and a sealed secret, nothing that opens anything. */
export interface Credentials {
  readonly passphraseHash: string;
  /** The secret of the one-time codes, sealed under the person's id. */
  readonly sealedCodeSecret: string;
  /** The step of the last code that was used: no earlier or equal one is taken. */
  readonly lastStep: number;
  /** The hashes of the recovery codes that have not been used. */
  readonly recoveryHashes: readonly string[];
  /** Wrong codes with the right passphrase, one after the other. */
  readonly wrongCodes: number;
  /** Until when only recovery codes are taken; null: now. */
  readonly pausedUntil: Instant | null;
}

/** A link that works once. A new one takes the place of an earlier one. */
export interface EntryLink {
  readonly hash: string;
  /** `demo`: enters at once, in the test environment. */
  readonly kind: 'invitation' | 'demo';
  readonly expiresAt: Instant;
}

/** Somebody who may sign in to the console. */
export interface Person {
  readonly personId: string;
  readonly name: string;
  /** In small letters; null for people of the test environment, who enter by a link. */
  readonly email: Email | null;
  readonly role: Role;
  /** The channel of a partner; null for all others. */
  readonly channelLink: string | null;
  readonly isActive: boolean;
  readonly createdAt: Instant;
  /** Counts the times when all sessions ended: those of an earlier one open nothing. */
  readonly generation: number;
  /** Null until the person has followed the invitation, and for those who sign in by OpenID Connect. */
  readonly credentials: Credentials | null;
  readonly link: EntryLink | null;
  /** Counts the changes. */
  readonly version: number;
}

/**
 * The people of the console.
 *
 * 1. A person is found by id, by e-mail and by the hash of its link, as it was added or saved last.
 * 2. `add` adds no second person with the same id or e-mail.
 * 3. `save` changes the person only if it is as it was read: of two changes at the same time one is
 *    `stale`. Id, e-mail and time of creation stay. The entry is stored with the change, or neither.
 * 4. The list is in the order of creation.
 */
export interface People {
  add(person: Person, entry: AuditEntry): Promise<'added' | 'duplicate'>;
  /**
   * @param changed with the version that was read
   * @param entry null where a sign-in only uses up a code: its session has an entry of its own
   */
  save(changed: Person, entry: AuditEntry | null): Promise<'saved' | 'stale'>;
  find(by: 'personId' | 'email' | 'link', value: string): Promise<Person | undefined>;
  list(): Promise<readonly Person[]>;
}

/** Names a person as the subject of an audit entry. */
export const personSubject = ({ personId }: Pick<Person, 'personId'>): string =>
  `person/${personId}`;
