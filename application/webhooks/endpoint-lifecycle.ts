import type { Instant } from '#domain';
import { type Change, changesBetween } from '../audit/audit-log.ts';
import type { Subscription, WebhookEndpoint } from './endpoints.ts';
import type { WebhookUrl } from './webhook-urls.ts';

/** What a partner or an administrator may change. Absent: stays as it is. */
export interface EndpointChange {
  readonly url?: WebhookUrl | undefined;
  readonly events?: readonly Subscription[] | undefined;
  /** null: removes it. */
  readonly description?: string | null | undefined;
  /** `active`: also enables an endpoint that the service has disabled. */
  readonly status?: 'active' | 'paused' | undefined;
}

/** Hours for which the secret before signs beside the new one. */
export const ROTATION_HOURS = 24;

const HOUR_MS = 3_600_000;

/**
 * Applies a change. Another URL, and an endpoint that becomes active, start without failures.
 *
 * @returns the same object if nothing changes
 */
export const changeEndpoint = (
  endpoint: WebhookEndpoint,
  change: EndpointChange,
  now: Instant,
): WebhookEndpoint => {
  const { description, disabled, failingSince, pausedUntil, ...rest } = endpoint;
  const { url = endpoint.url, events = endpoint.events, status } = change;
  const text = change.description === undefined ? description : (change.description ?? undefined);

  const isEnabled = status === 'active' && disabled !== undefined;
  const isPaused = status === 'paused' && disabled?.reason !== 'paused';
  const isOther =
    url !== endpoint.url ||
    text !== description ||
    events.length !== endpoint.events.length ||
    events.some((each, index) => each !== endpoint.events[index]);
  if (!isOther && !isEnabled && !isPaused) return endpoint;

  const stopped = isPaused ? ({ reason: 'paused', at: now } as const) : disabled;
  const startsAnew = isEnabled || url !== endpoint.url;
  return {
    ...rest,
    url,
    events,
    ...(text !== undefined && { description: text }),
    ...(stopped !== undefined && !isEnabled && { disabled: stopped }),
    ...(failingSince !== undefined && !startsAnew && { failingSince }),
    ...(pausedUntil !== undefined && !startsAnew && { pausedUntil }),
  };
};

/**
 * Gives an endpoint another secret. The one that it had signs for `ROTATION_HOURS` more; one from
 * before that signs no longer.
 *
 * @param isLost whether the secret that it had can no longer be opened
 */
export const rotateEndpointSecret = (
  { previous: _, ...endpoint }: WebhookEndpoint,
  sealedSecret: string,
  now: Instant,
  isLost: boolean,
): WebhookEndpoint => {
  const until = new Date(Date.parse(now) + ROTATION_HOURS * HOUR_MS).toISOString() as Instant;
  const previous = { sealedSecret: endpoint.sealedSecret, until };
  return { ...endpoint, sealedSecret, ...(!isLost && { previous }) };
};

/** What the audit log shows of an endpoint: no secret, and no path or query, which may hold one. */
const auditedFields = ({
  channelLink,
  url,
  events,
  description,
  disabled,
  previous,
}: WebhookEndpoint) => ({
  channelLink,
  origin: new URL(url).origin,
  events,
  description: description ?? null,
  status: disabled?.reason ?? 'active',
  previousSecretUntil: previous?.until ?? null,
});

/** The changes of an endpoint for the audit log. Another path or query shows as the same origin. */
export const auditedChanges = (
  before: WebhookEndpoint | undefined,
  after: WebhookEndpoint | undefined,
): readonly Change[] => {
  const [was, is] = [before && auditedFields(before), after && auditedFields(after)];
  const changes = changesBetween(was ?? {}, is ?? {});
  const isMoved = was?.origin === is?.origin && before?.url !== after?.url;
  if (was === undefined || is === undefined || !isMoved) return changes;
  return [{ field: 'url', before: was.origin, after: is.origin }, ...changes];
};
