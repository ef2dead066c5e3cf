import type { Instant, JsonObject } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** A public key as it is published (JWK, RFC 7517). */
export interface PublishedKey {
  /** Its thumbprint (RFC 7638): the `kid` of what it has signed. */
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
