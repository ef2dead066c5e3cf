import type { Instant, Refusal } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { EventType } from '../events/partner-events.ts';

/** `endpointId`: the endpoint that has the URL. */
interface WebhookUrlTaken extends Refusal<'webhook_url_taken'> {
  readonly endpointId: string | undefined;
}

export type WebhookRefusal =
  | Refusal<
      | 'channel_unknown'
      | 'webhook_unknown'
      | 'webhook_limit_reached'
      | 'webhook_disabled'
      | 'delivery_unknown'
      | 'replay_running'
    >
  | WebhookUrlTaken;

/**
 * Why no events are sent to an endpoint. `paused`: its channel asked for it. `gone`: it answered
 * 410. `failing`: it has answered nothing but failures for five days.
 */
export type DisabledReason = 'paused' | 'gone' | 'failing';

/** Stands for the events of all types, also of those that come later. */
export const ALL_EVENTS = '*';

export type Subscription = EventType | typeof ALL_EVENTS;

/** Whether a list of subscriptions has events of a type. */
export const subscribesTo = (events: readonly Subscription[], type: EventType): boolean =>
  events.includes(type) || events.includes(ALL_EVENTS);

/** An address of a partner to which events are sent. */
export interface WebhookEndpoint {
  /** `whe_` and a ULID. */
  readonly id: string;
  readonly channelLink: string;
  readonly url: string;
  readonly events: readonly Subscription[];
  readonly description?: string;
  readonly createdAt: Instant;
  /** Absent while it is active. */
  readonly disabled?: { readonly reason: DisabledReason; readonly at: Instant };
  /** Sealed, as both secrets are: the stored text is of no use without the service's key. */
  readonly sealedSecret: string;
  /** The secret before, which signs as well until then. */
  readonly previous?: { readonly sealedSecret: string; readonly until: Instant };
  /** Since when each try has failed; absent: the last one succeeded. */
  readonly failingSince?: Instant;
  /** Nothing is sent before this time. */
  readonly pausedUntil?: Instant;
  /** Counts the changes by partners and administrators. */
  readonly version: number;
}

/** What the sender reports of an endpoint after a try. */
export interface EndpointHealth {
  readonly failingSince?: Instant | undefined;
  readonly pausedUntil?: Instant | undefined;
  /** Disables it. */
  readonly disabled?: { readonly reason: 'gone' | 'failing'; readonly at: Instant };
}

/** Max endpoints of a channel. */
export const MAX_ENDPOINTS = 20;

/**
 * The endpoints of all channels.
 *
 * 1. An added endpoint is found by its id and listed with those of its channel, oldest first.
 * 2. A channel has at most `limit` endpoints, each with another URL, however many are added at once.
 * 3. A change is saved over the version it was made from, with an audit entry, or not at all. It
 *    keeps the failures that the sender has noted, or clears them (`failingSince` and `pausedUntil`
 *    absent).
 * 4. A removed endpoint is gone. Its deliveries are deleted with their events.
 * 5. Noted health counts no version, unless it disables the endpoint. A try that began before the
 *    endpoint was changed notes nothing.
 */
export interface WebhookEndpoints {
  add(
    endpoint: WebhookEndpoint,
    limit: number,
    entry: AuditEntry,
  ): Promise<'added' | 'too_many' | 'url_taken'>;
  find(id: string): Promise<WebhookEndpoint | undefined>;
  /** Undefined: of all channels. */
  list(channelLink: string | undefined): Promise<readonly WebhookEndpoint[]>;
  save(changed: WebhookEndpoint, entry: AuditEntry): Promise<'saved' | 'stale' | 'url_taken'>;
  remove(id: string, entry: AuditEntry): Promise<'removed' | 'unknown'>;
  noteHealth(id: string, version: number, health: EndpointHealth): Promise<void>;
}
