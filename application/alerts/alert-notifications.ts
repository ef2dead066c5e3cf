import type { Instant } from '#domain';
import type { AlertRecord } from './alert-records.ts';
import type { AlertKind } from './alerts.ts';

/** The ways in which operators learn of alerts. */
export type AlertWay = 'mail' | 'webhook';

/** Alerts that a digest names; further ones are counted. */
export const DIGEST_ALERTS = 10;

/** What operators are sent about a kind of alert: the alerts since the last digest. */
export interface Digest {
  readonly kind: AlertKind;
  readonly way: AlertWay;
  /** How many alerts there are. */
  readonly count: number;
  /** The newest of them, up to `DIGEST_ALERTS`. */
  readonly alerts: readonly AlertRecord[];
  /** The place of the last raise among them, in the order in which they were stored. */
  readonly upTo: number;
  /** Failures to send the kind in this way, since one was sent. */
  readonly failures: number;
}

interface Claim {
  readonly now: Instant;
  /** Skip kinds whose last digest is later. */
  readonly toldBefore: Instant;
  /** Then another claim may take the kind, unless its digest was sent. */
  readonly until: Instant;
}

/**
 * The digests that operators were sent, by kind and way.
 *
 * 1. A claim returns a kind with open alerts that were raised since its last digest, to one of
 *    several simultaneous callers. Each way is claimed by itself.
 * 2. A kind with a digest is returned after `toldBefore` only, with what was raised since.
 * 3. A claim that was followed by neither note is returned again after `until`.
 * 4. After `noteFailed`, the kind is returned after its `until` only, to all callers, with one more of
 *    `failures`. `noteTold` sets them to 0.
 * 5. Alerts that are resolved are not told of.
 */
export interface AlertNotifications {
  claim(way: AlertWay, claim: Claim): Promise<Digest | undefined>;
  noteTold(digest: Digest, at: Instant): Promise<void>;
  noteFailed(digest: Digest, until: Instant): Promise<void>;
}

/**
 * `unknown`: it was handed over whole, and no answer came in time, so it may have arrived. `reason`: a
 * code, without an address or a text of the other side.
 */
export type NotificationOutcome =
  | { readonly kind: 'told' }
  | { readonly kind: 'failed' | 'unknown'; readonly reason: string };

/**
 * Tells operators of alerts, in one way.
 *
 * 1. A digest that counts as sent has arrived complete.
 * 2. A server that is down, hangs or refuses gives `failed` within 15 s. Nothing is thrown.
 * 3. A server that gets a digest whole, and then does not answer, gives `unknown` within 15 s.
 */
export interface AlertSender {
  readonly way: AlertWay;
  tell(digest: Digest): Promise<NotificationOutcome>;
}
