import { type Instant, type JsonObject, type Refusal, refuse } from '#domain';
import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';

/** A public key as it is published (JWK, RFC 7517). */
export interface PublishedKey {
  /** The thumbprint of the key (RFC 7638): the `kid` of what the key has signed. */
  readonly keyId: string;
  readonly jwk: JsonObject;
}

/**
 * The public keys that have signed evidence. They stay published when the service signs with another
 * key, because evidence is checked years later.
 *
 * 1. A kept key is listed, once, also if it is kept repeatedly or at the same time.
 * 2. Keys are listed by the time at which they were kept first.
 * 3. A withdrawn key is not listed, also if it is kept again: then `keep` says `withdrawn`. Its audit entry is stored with the
 *    withdrawal, once.
 */
export interface EvidenceKeys {
  keep(key: PublishedKey, at: Instant): Promise<'kept' | 'withdrawn'>;
  list(): Promise<readonly PublishedKey[]>;
  withdraw(keyId: string, entry: AuditEntry): Promise<'withdrawn' | 'not_listed'>;
}

type KeyRefusal = Refusal<'key_not_listed'>;

interface Needs {
  readonly evidenceKeys: EvidenceKeys;
  readonly clock: Clock;
}

export type WithdrawKey = (keyId: string, actor: Actor) => Promise<'withdrawn' | KeyRefusal>;

/**
 * Stops publishing a key that has leaked, because a thief could sign evidence with it. Evidence that
 * the key has signed can no longer be checked.
 */
export const makeWithdrawKey = ({ evidenceKeys, clock }: Needs): WithdrawKey =>
  async function withdrawKey(keyId, actor) {
    const outcome = await evidenceKeys.withdraw(keyId, {
      at: clock.now(),
      action: 'key.withdrawn',
      actor,
      subject: `key/${keyId}`,
      reason: null,
      changes: [{ field: 'published', before: true, after: false }],
    });
    return outcome === 'not_listed' ? refuse('key_not_listed') : outcome;
  };
