import type { Instant } from '#domain';
import type { AlertRecord } from './alert-records.ts';
import type { AlertKind } from './alerts.ts';

/** The ways in which operators are told of alerts. */
export type AlertWay = 'mail' | 'webhook';

/** Alerts that a digest names; further ones are counted. */
export const DIGEST_ALERTS = 10;

/** What operators are told of a kind of alert: those that were raised since they were last told. */
export interface Digest {
  readonly kind: AlertKind;
  readonly way: AlertWay;
  /** How many alerts there are. */
  readonly count: number;
  /** The newest of them, up to `DIGEST_ALERTS`. */
  readonly alerts: readonly AlertRecord[];
  /** The place of the last raise among them, in the order in which they were stored. */
  readonly upTo: number;
}

interface Claim {
  readonly now: Instant;
  /** Kinds that were told of after this time are left alone. */
  readonly toldBefore: Instant;
  /** Then another claim may take the kind, unless it was told of meanwhile. */
  readonly until: Instant;
}

/**
 * What operators were told of, by kind and way.
 *
 * 1. A claim returns a kind with open alerts that were raised since it was told of, to one of
 *    several simultaneous callers. Each way is claimed by itself.
 * 2. A kind that was told of is returned after `toldBefore` only, with what was raised since.
 * 3. A claim that was not followed by `noteTold` is returned again after `until`.
 * 4. Alerts that are resolved are not told of.
 */
export interface AlertTellings {
  claim(way: AlertWay, claim: Claim): Promise<Digest | undefined>;
  noteTold(digest: Digest, at: Instant): Promise<void>;
}

export type TellingOutcome =
  | { readonly kind: 'told' }
  /** `reason`: a code, without an address or a text of the other side. */
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Tells operators of alerts, in one way.
 *
 * 1. A digest that was told has arrived complete.
 * 2. A server that is down, hangs or refuses gives `failed` within 15 s. Nothing is thrown.
 */
export interface AlertSender {
  readonly way: AlertWay;
  tell(digest: Digest): Promise<TellingOutcome>;
}
