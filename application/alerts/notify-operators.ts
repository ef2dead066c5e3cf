import { type Clock, later } from '../clock.ts';
import type { AlertNotifications, AlertSender, AlertWay } from './alert-notifications.ts';
import type { AlertKind } from './alerts.ts';

interface Needs {
  readonly alertNotifications: AlertNotifications;
  readonly alertSenders: readonly AlertSender[];
  readonly clock: Clock;
}

/** Pause between two digests of a kind in one way. */
const NOTIFY_EVERY_MS = 3_600_000;

/**
 * Time after which a digest is tried again that was not sent: longer than to send it takes. It doubles
 * with each failure, up to an hour.
 */
const CLAIM_MS = 120_000;

interface FailedNotification {
  readonly kind: AlertKind;
  readonly outcome: 'failed' | 'unknown';
  readonly way: AlertWay;
  readonly reason: string;
}

interface Notified {
  /** Digests that were sent, or may have been: more may be due. */
  readonly told: number;
  /** The operators that were not notified, or may not have been. */
  readonly failed: readonly FailedNotification[];
}

/** Tells operators of one kind of alert in each way, if some were raised. */
export type NotifyOperators = () => Promise<Notified>;

/**
 * Tells of each kind at most once an hour in each way, in all processes together. So a digest that
 * may have arrived counts as told. A process that dies between sending and noting it sends again.
 */
export const makeNotifyOperators = ({
  alertNotifications,
  alertSenders,
  clock,
}: Needs): NotifyOperators => {
  const notify = async (sender: AlertSender): Promise<'told' | FailedNotification | undefined> => {
    const { way } = sender;
    const now = clock.now();
    const claim = { now, toldBefore: later(now, -NOTIFY_EVERY_MS), until: later(now, CLAIM_MS) };
    const digest = await alertNotifications.claim(way, claim);
    if (digest === undefined) return undefined;

    const outcome = await sender.tell(digest);
    if (outcome.kind === 'failed') {
      const pauseMs = Math.min(CLAIM_MS * 2 ** digest.failures, NOTIFY_EVERY_MS);
      await alertNotifications.noteFailed(digest, later(clock.now(), pauseMs));
    } else await alertNotifications.noteTold(digest, clock.now());
    if (outcome.kind === 'told') return 'told';
    return { kind: digest.kind, way, outcome: outcome.kind, reason: outcome.reason };
  };

  return async function notifyOperators() {
    const outcomes = await Promise.all(alertSenders.map(notify));
    const failed = outcomes.filter((outcome) => typeof outcome === 'object');
    const unknown = failed.filter(({ outcome }) => outcome === 'unknown');
    const told = outcomes.filter((outcome) => outcome === 'told');
    return { told: told.length + unknown.length, failed };
  };
};
