import { type Instant, instantOf } from '#domain';
import type { AfterAttempt } from './deliveries.ts';
import type { EndpointHealth, WebhookEndpoint } from './endpoints.ts';
import type { SendOutcome } from './webhook-sender.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The pause before each try of a delivery. */
export const SCHEDULE_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** A pause of the schedule is up to this share shorter or longer. */
const JITTER = 0.1;

/** An endpoint may ask for a pause of this length (`Retry-After`), not for a longer one. */
export const LONGEST_ASKED_PAUSE_MS = DAY_MS;

/** An endpoint that has only failed for this long is disabled. */
export const LONGEST_FAILING_MS = 5 * DAY_MS;

/** Limits of the pause of an endpoint that fails: half the time since it began to fail. */
const SHORTEST_PAUSE_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/** Disables an endpoint (RFC 9110, section 15.5.11; Standard Webhooks). */
const GONE = 410;

const TOO_MANY_REQUESTS = 429;

const msOf = (at: Instant): number => Date.parse(at);

const timeOf = (ms: number): Instant => instantOf(new Date(ms));

/** Whether the endpoint took the event. A redirect is a failure. */
export const isTaken = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;

/** When the endpoint wants to be asked again, if it says so. */
const askedTime = (outcome: SendOutcome, now: Instant): number => {
  if (outcome.kind !== 'answered' || isTaken(outcome) || outcome.retryAt === undefined)
    return Number.NEGATIVE_INFINITY;
  return Math.min(msOf(outcome.retryAt), msOf(now) + LONGEST_ASKED_PAUSE_MS);
};

/**
 * What follows for a delivery.
 *
 * @param tries with the one that has ended now
 * @param chance 0 to 1, for the jitter
 */
export const afterAttempt = (
  outcome: SendOutcome,
  { tries, now, chance }: { tries: number; now: Instant; chance: number },
): AfterAttempt => {
  if (isTaken(outcome)) return { kind: 'delivered' };
  const pauseMs = SCHEDULE_MS[tries];
  if (pauseMs === undefined) return { kind: 'undelivered' };
  const scheduled = msOf(now) + Math.round(pauseMs * (1 + JITTER * (2 * chance - 1)));
  return { kind: 'again', at: timeOf(Math.max(scheduled, askedTime(outcome, now))) };
};

/** Answers that refuse a wrong signature. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

export const isRefusedSignature = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && REFUSALS.has(outcome.status);

/** What follows for a test that was signed wrongly: it is sent once, and is to be refused. */
export const afterWrongSignature = (outcome: SendOutcome): AfterAttempt => ({
  kind: isRefusedSignature(outcome) ? 'delivered' : 'undelivered',
});

type Known = Pick<WebhookEndpoint, 'failingSince'>;

/**
 * How an endpoint does after tries that were made at the same time. It fails if it took none of
 * them; one event that it cannot take does not stop the others.
 */
export const healthAfter = (
  { failingSince: known }: Known,
  outcomes: readonly SendOutcome[],
  now: Instant,
): EndpointHealth => {
  const failingSince = outcomes.some(isTaken) ? undefined : (known ?? now);
  const failingMs = failingSince === undefined ? 0 : msOf(now) - msOf(failingSince);
  const has = (status: number): boolean =>
    outcomes.some((outcome) => outcome.kind === 'answered' && outcome.status === status);

  if (has(GONE)) return { failingSince, disabled: { reason: 'gone', at: now } };
  if (failingMs >= LONGEST_FAILING_MS)
    return { failingSince, disabled: { reason: 'failing', at: now } };

  const ownPauseMs = Math.min(Math.max(failingMs / 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  const isToPause = failingSince !== undefined || has(TOO_MANY_REQUESTS);
  const pausedUntil = Math.max(
    isToPause ? msOf(now) + ownPauseMs : Number.NEGATIVE_INFINITY,
    ...outcomes.map((outcome) => askedTime(outcome, now)),
  );
  return { failingSince, ...(pausedUntil > msOf(now) && { pausedUntil: timeOf(pausedUntil) }) };
};
