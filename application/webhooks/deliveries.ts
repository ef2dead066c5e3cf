import type { Instant } from '#domain';
import type { PartnerEvent } from '../events/partner-events.ts';

/** `undelivered`: given up, until the partner asks for another try. */
export const DELIVERY_STATUSES = ['waiting', 'delivered', 'undelivered'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One try to send an event. */
export interface DeliveryAttempt {
  readonly at: Instant;
  /** Status of the answer; absent: there was none. */
  readonly status?: number;
  /** Why there was no answer, in code: `timeout`, `refused`, `address_not_allowed`… */
  readonly failure?: string;
  /** How long it took. */
  readonly ms: number;
  /** The first 1,000 bytes of the answer. */
  readonly answer?: string;
}

/** An event on its way to an endpoint. */
export interface Delivery {
  readonly id: number;
  readonly endpointId: string;
  readonly event: PartnerEvent;
  readonly status: DeliveryStatus;
  readonly createdAt: Instant;
  /** Tries since it was created, or since the partner last asked for another one. */
  readonly tries: number;
  /** Not before this time; only while it waits. */
  readonly nextAt?: Instant;
  /** The latest ones, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** What follows after a try. */
export type AfterAttempt =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly at: Instant }
  | { readonly kind: 'undelivered' };

/** An endpoint to which something is to be sent now. */
export interface DueEndpoint {
  readonly id: string;
  /** Whether its last try failed. */
  readonly isFailing: boolean;
}

/** A test that went as it should: the endpoint took it or, wrongly signed, refused it. */
export interface TestOutcome {
  readonly endpointId: string;
  readonly eventId: string;
  readonly isWronglySigned: boolean;
  /** When the partner asked for the test. */
  readonly at: Instant;
}

/** Deliveries that are tried at once when an endpoint recovers; the others come at their time. */
export const HASTENED = 5_000;

/** Attempts that are kept of a delivery. */
export const KEPT_ATTEMPTS = 20;

export interface DeliveryQuery {
  readonly endpointId: string;
  readonly status?: DeliveryStatus | undefined;
  /** Only deliveries with a smaller id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * The events on their way to endpoints.
 *
 * 1. An event that gets its place has a delivery for each active endpoint of its channel that wants
 *    its type; a test event for its own endpoint alone.
 * 2. An endpoint is due while it is active, not paused, and has a waiting delivery whose time has
 *    come. Endpoints that fail come last, else the one that has waited longest is first.
 * 3. `listDue` returns an endpoint's due deliveries, the longest waiting first.
 * 4. A noted attempt is kept with what follows from it. A delivery that was delivered stays so. An
 *    attempt that failed changes nothing more if it began before the time of the delivery: another
 *    one was noted meanwhile, or asked for.
 * 5. `retry` makes a delivery be tried now, from the beginning of the schedule, also if it waits.
 * 6. `replay` adds a delivery for each kept event of the endpoint's channel and types that happened
 *    in a time, in steps: it returns the last place of a step, and undefined after the last step.
 *    Tests, and events that wait for this endpoint, are left out.
 * 7. A list is sorted by id, newest first.
 * 8. Deliveries whose event is deleted are deleted with it.
 * 9. `hasten` makes up to `limit` deliveries due that wait for a later time, the earliest first.
 * 10. `listTests` returns the delivered tests among the channel's newest ones, the newest first.
 */
export interface Deliveries {
  dueEndpoints(now: Instant, limit: number): Promise<readonly DueEndpoint[]>;
  listDue(endpointId: string, now: Instant, limit: number): Promise<readonly Delivery[]>;
  note(id: number, attempt: DeliveryAttempt, after: AfterAttempt): Promise<void>;
  find(endpointId: string, id: number): Promise<Delivery | undefined>;
  list(query: DeliveryQuery): Promise<readonly Delivery[]>;
  retry(endpointId: string, id: number, now: Instant): Promise<'waiting' | 'unknown'>;
  replay(step: ReplayStep): Promise<number | undefined>;
  hasten(endpointId: string, now: Instant, limit: number): Promise<void>;
  /** @param limit the tests that are looked at */
  listTests(channelLink: string, limit: number): Promise<readonly TestOutcome[]>;
}

export interface ReplayStep {
  readonly endpointId: string;
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** The last place of the step before; 0 at first. */
  readonly after: number;
  readonly now: Instant;
  readonly limit: number;
}
