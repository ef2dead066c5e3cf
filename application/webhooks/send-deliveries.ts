import type { Instant } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import { type Clock, later } from '../clock.ts';
import type { EventBodies, PartnerEvent } from '../events/partner-events.ts';
import { type Deliveries, type Delivery, type DeliveryAttempt, HASTENED } from './deliveries.ts';
import type { EndpointHealth, WebhookEndpoint, WebhookEndpoints } from './endpoints.ts';
import {
  afterAttempt,
  afterWrongSignature,
  healthAfter,
  isRefusedSignature,
  isTaken,
} from './schedule.ts';
import type { SecretSeal, SendOutcome, WebhookSender } from './webhook-sender.ts';

/**
 * Deliveries that are sent to an endpoint at the same time, unless it fails: twice as many after
 * each group that it took, up to the other number.
 */
export const [SENT_AT_ONCE, MOST_AT_ONCE] = [4, 16];

/** A run begins nothing more after this time: other endpoints wait for their turn. */
const RUN_MS = 500;

/** Pause after which a secret that could not be opened is tried again. */
const UNREADABLE_PAUSE_MS = 300_000;

export interface SendingRun {
  readonly endpointId: string;
  /** What was known when the run was asked for; if it has changed, nothing is sent. */
  readonly isFailing: boolean;
  /** The run is to begin nothing more. */
  readonly stopping: AbortSignal;
  /** Called when the endpoint has answered. */
  readonly onAnswered: () => void;
}

interface Needs {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly deliveries: Deliveries;
  readonly webhookSender: WebhookSender;
  readonly secretSeal: SecretSeal;
  readonly eventBodies: EventBodies;
  readonly alerts: Alerts;
  readonly clock: Clock;
  readonly chance: () => number;
}

/**
 * Sends what is due to an endpoint, for a moment: the rest is still due afterwards.
 *
 * @returns the failed tries
 */
export type SendDeliveries = (run: SendingRun) => Promise<readonly FailedTry[]>;

interface FailedTry {
  readonly eventId: string;
  readonly reason: string;
}

/**
 * Sends a few deliveries at a time, or one to an endpoint that fails, and notes each attempt as it
 * ends. A process that dies between sending and noting sends again, under the same id.
 */
export const makeSendDeliveries = (parts: Needs): SendDeliveries => {
  const { webhookEndpoints, deliveries, secretSeal, alerts, clock } = parts;
  const sendOne = makeSendOne(parts);

  const noteHealth = async (
    { id, version, ...before }: WebhookEndpoint,
    health: EndpointHealth,
  ): Promise<void> => {
    const { failingSince, pausedUntil, disabled } = health;
    const isSame = before.failingSince === failingSince && before.pausedUntil === pausedUntil;
    if (isSame && disabled === undefined) return;
    await webhookEndpoints.noteHealth(id, version, health);
    const hasRecovered = before.failingSince !== undefined && failingSince === undefined;
    if (hasRecovered && disabled === undefined) await deliveries.hasten(id, clock.now(), HASTENED);
    if (disabled === undefined) return;
    // The partner may have changed the endpoint during the try: then it is not disabled.
    const present = await webhookEndpoints.find(id);
    if (present?.disabled?.at === disabled.at)
      alerts.raise({ kind: 'webhook_disabled', endpointId: id, reason: disabled.reason });
  };

  /**
   * The secrets that sign. Undefined if the present one cannot be opened: that is no fault of the
   * partner, and the deliveries wait.
   */
  const openSecrets = async (endpoint: WebhookEndpoint): Promise<readonly string[] | undefined> => {
    const { id, version, sealedSecret, previous, failingSince } = endpoint;
    const isSigning = previous !== undefined && previous.until > clock.now();
    const sealed = isSigning ? [sealedSecret, previous.sealedSecret] : [sealedSecret];
    const opened = sealed.map((each) => secretSeal.open(each, id));
    if (opened[0] !== undefined) return opened.filter((secret) => secret !== undefined);

    alerts.raise({ kind: 'webhook_secret_unreadable', endpointId: id });
    const pausedUntil = later(clock.now(), UNREADABLE_PAUSE_MS);
    await webhookEndpoints.noteHealth(id, version, { failingSince, pausedUntil });
    return undefined;
  };

  /** @returns whether the run is over, and the failed tries */
  const sendGroup = async (
    { endpointId, isFailing, onAnswered }: SendingRun,
    groupSize: number,
  ): Promise<{ readonly isOver: boolean; readonly failed: readonly FailedTry[] }> => {
    const over = { isOver: true, failed: [] };
    const endpoint = await webhookEndpoints.find(endpointId);
    if (endpoint === undefined || !isSendable(endpoint, clock.now())) return over;
    if ((endpoint.failingSince !== undefined) !== isFailing) return over;
    const limit = isFailing ? 1 : groupSize;
    const due = await deliveries.listDue(endpointId, clock.now(), limit);
    if (due.length === 0) return over;
    const secrets = await openSecrets(endpoint);
    if (secrets === undefined) return over;

    const outcomes = await Promise.all(
      due.map((delivery) => sendOne(delivery, { ...endpoint, secrets })),
    );
    const tries = tellingTriesOf(due, outcomes);
    if (tries.length > 0) {
      const ended = tries.map(({ outcome }) => outcome);
      await noteHealth(endpoint, healthAfter(endpoint, ended, clock.now()));
    }
    onAnswered();
    const failed = tries.filter(({ outcome }) => !isTaken(outcome)).map(toFailedTry);
    const isOver = isFailing || due.length < limit || failed.length === due.length;
    return { isOver, failed };
  };

  return async function sendDeliveries(run) {
    const end = later(clock.now(), RUN_MS);
    const failed: FailedTry[] = [];
    let groupSize = SENT_AT_ONCE;
    for (;;) {
      const group = await sendGroup(run, groupSize);
      failed.push(...group.failed);
      if (group.failed.length === 0) groupSize = Math.min(2 * groupSize, MOST_AT_ONCE);
      if (group.isOver || run.stopping.aborted || clock.now() >= end) return failed;
    }
  };
};

const isSendable = ({ disabled, pausedUntil }: WebhookEndpoint, now: Instant): boolean =>
  disabled === undefined && (pausedUntil === undefined || pausedUntil <= now);

const isWronglySigned = (event: PartnerEvent): boolean =>
  event.type === 'webhook.test' && event.isWronglySigned === true;

interface TellingTry {
  readonly eventId: string;
  readonly outcome: SendOutcome;
}

/** The tries that say how an endpoint does: a wrong signature that it took or refused does not. */
const tellingTriesOf = (
  due: readonly Delivery[],
  outcomes: readonly SendOutcome[],
): readonly TellingTry[] =>
  due.flatMap(({ event }, index) => {
    const outcome = outcomes[index] as SendOutcome;
    const isSpecial = isWronglySigned(event) && (isTaken(outcome) || isRefusedSignature(outcome));
    return isSpecial ? [] : [{ eventId: event.id, outcome }];
  });

const toFailedTry = ({ eventId, outcome }: TellingTry): FailedTry => ({
  eventId,
  reason: reasonOf(outcome),
});

/** Makes the function that sends a delivery and notes the attempt. */
const makeSendOne = (parts: Needs) => {
  const { deliveries, webhookSender, secretSeal, eventBodies, alerts, clock, chance } = parts;

  return async function sendOne(
    { id, endpointId, event, tries }: Delivery,
    { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  ): Promise<SendOutcome> {
    const sentAt = clock.now();
    const body = JSON.stringify(eventBodies.bodyOf(event));
    const isWrong = isWronglySigned(event);
    const signing = isWrong ? [secretSeal.makeSecret()] : secrets;
    const outcome = await webhookSender.send({
      ...{ url, id: event.id, sentAt, body, secrets: signing },
    });

    const after = isWrong
      ? afterWrongSignature(outcome)
      : afterAttempt(outcome, { tries: tries + 1, now: clock.now(), chance: chance() });
    await deliveries.note(id, attemptOf(outcome, sentAt), after);
    if (after.kind === 'undelivered' && !isWrong) {
      const reason = reasonOf(outcome);
      alerts.raise({ kind: 'webhook_undelivered', endpointId, eventId: event.id, reason });
    }
    return outcome;
  };
};

const attemptOf = (outcome: SendOutcome, at: Instant): DeliveryAttempt => {
  const { ms } = outcome;
  if (outcome.kind === 'unanswered') return { at, failure: outcome.reason, ms };
  return { at, status: outcome.status, ms, answer: outcome.answer };
};

/** The status of the answer, else why there was none. */
const reasonOf = (outcome: SendOutcome): string =>
  outcome.kind === 'answered' ? String(outcome.status) : outcome.reason;
