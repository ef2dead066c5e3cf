import type { Instant } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import { type PartnerEvent, TEST_EVENT } from '../../../application/events/partner-events.ts';
import {
  type AfterAttempt,
  type Deliveries,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryQuery,
  type DueEndpoint,
  KEPT_ATTEMPTS,
  type ReplayStep,
  type TestOutcome,
} from '../../../application/webhooks/deliveries.ts';
import { subscribesTo, type WebhookEndpoint } from '../../../application/webhooks/endpoints.ts';
import type { MemoryPartnerEvents } from '../events/partner-events.ts';
import type { MemoryWebhookEndpoints } from './webhook-endpoints.ts';

export class MemoryDeliveries implements Deliveries {
  readonly #deliveries = new Map<number, Delivery>();
  readonly #events: Pick<MemoryPartnerEvents, 'kept'>;
  readonly #endpoints: Pick<MemoryWebhookEndpoints, 'known'>;
  #lastId = 0;

  /** @param clock says when a delivery is added */
  constructor(
    events: Pick<MemoryPartnerEvents, 'kept' | 'follow'>,
    endpoints: Pick<MemoryWebhookEndpoints, 'known'>,
    clock: Clock,
  ) {
    this.#events = events;
    this.#endpoints = endpoints;
    events.follow((event) => {
      for (const endpoint of endpoints.known(event.channelLink))
        if (endpoint.disabled === undefined && isFor(event, endpoint))
          this.#add(endpoint.id, event, clock.now());
    });
  }

  async dueEndpoints(now: Instant, limit: number): Promise<readonly DueEndpoint[]> {
    const isActive = ({ disabled, pausedUntil }: WebhookEndpoint): boolean =>
      disabled === undefined && (pausedUntil === undefined || pausedUntil <= now);

    return this.#endpoints
      .known(undefined)
      .filter(isActive)
      .flatMap(({ id, failingSince }) => {
        const [first] = this.#due(id, now);
        if (first === undefined) return [];
        return [{ id, isFailing: failingSince !== undefined, since: first.nextAt ?? now }];
      })
      .sort(
        (one, other) =>
          Number(one.isFailing) - Number(other.isFailing) ||
          compare(one.since, other.since) ||
          compare(one.id, other.id),
      )
      .slice(0, limit)
      .map(({ id, isFailing }) => ({ id, isFailing }));
  }

  async listDue(endpointId: string, now: Instant, limit: number): Promise<readonly Delivery[]> {
    return structuredClone(this.#due(endpointId, now).slice(0, limit));
  }

  async note(id: number, attempt: DeliveryAttempt, after: AfterAttempt): Promise<void> {
    const known = this.#deliveries.get(id);
    if (known === undefined) return;
    const attempts = [...known.attempts, structuredClone(attempt)].slice(-KEPT_ATTEMPTS);
    const isInTime = known.nextAt !== undefined && known.nextAt <= attempt.at;
    if (known.status === 'delivered' || (after.kind !== 'delivered' && !isInTime)) {
      const tries = known.tries + (known.status === 'waiting' ? 0 : 1);
      this.#deliveries.set(id, { ...known, attempts, tries });
      return;
    }
    const { nextAt: _, ...rest } = known;
    const noted = { ...rest, attempts, tries: known.tries + 1 };
    if (after.kind === 'again')
      this.#deliveries.set(id, { ...noted, status: 'waiting', nextAt: after.at });
    else this.#deliveries.set(id, { ...noted, status: after.kind });
  }

  async find(endpointId: string, id: number): Promise<Delivery | undefined> {
    return structuredClone(this.#of(endpointId).find((each) => each.id === id));
  }

  async list({ endpointId, status, before, limit }: DeliveryQuery): Promise<readonly Delivery[]> {
    const listed = this.#of(endpointId)
      .filter((each) => status === undefined || each.status === status)
      .filter(({ id }) => before === undefined || id < before)
      .sort((one, other) => other.id - one.id);
    return structuredClone(listed.slice(0, limit));
  }

  async retry(endpointId: string, id: number, now: Instant): Promise<'waiting' | 'unknown'> {
    const known = await this.find(endpointId, id);
    if (known === undefined) return 'unknown';
    this.#deliveries.set(id, { ...known, status: 'waiting', tries: 0, nextAt: now });
    return 'waiting';
  }

  async hasten(endpointId: string, now: Instant, limit: number): Promise<void> {
    const later = this.#of(endpointId)
      .filter(({ nextAt }) => nextAt !== undefined && nextAt > now)
      .sort((one, other) => compare(one.nextAt, other.nextAt) || one.id - other.id);
    for (const each of later.slice(0, limit))
      this.#deliveries.set(each.id, { ...each, nextAt: now });
  }

  async replay(step: ReplayStep): Promise<number | undefined> {
    const { endpointId, from, to, after, now, limit } = step;
    const endpoint = this.#endpoints.known(undefined).find(({ id }) => id === endpointId);
    if (endpoint === undefined) return undefined;
    const seen = this.#events.kept
      .filter(({ channelLink }) => channelLink === endpoint.channelLink)
      .filter(({ place, type }) => place > after && subscribesTo(endpoint.events, type))
      .filter(({ type }) => type !== TEST_EVENT)
      .slice(0, limit);
    const waiting = new Set(
      this.#of(endpointId)
        .filter(({ status }) => status === 'waiting')
        .map(({ event }) => event.place),
    );
    for (const event of seen)
      if (event.at >= from && event.at < to && !waiting.has(event.place))
        this.#add(endpointId, event, now);
    return seen.length < limit ? undefined : seen.at(-1)?.place;
  }

  async listTests(channelLink: string, limit: number): Promise<readonly TestOutcome[]> {
    const tests = this.#events.kept
      .filter((event) => event.type === TEST_EVENT && event.channelLink === channelLink)
      .toReversed();
    return tests.slice(0, limit).flatMap((event) => {
      const delivered = [...this.#deliveries.values()].find(
        (each) => each.event.id === event.id && each.status === 'delivered',
      );
      if (delivered === undefined) return [];
      const { endpointId } = delivered;
      const isWronglySigned = 'isWronglySigned' in event;
      return [{ endpointId, eventId: event.id, isWronglySigned, at: event.at }];
    });
  }

  #of(endpointId: string): readonly Delivery[] {
    const kept = new Set(this.#events.kept.map(({ place }) => place));
    return [...this.#deliveries.values()].filter(
      (each) => each.endpointId === endpointId && kept.has(each.event.place),
    );
  }

  #due(endpointId: string, now: Instant): readonly Delivery[] {
    return this.#of(endpointId)
      .filter(({ nextAt }) => nextAt !== undefined && nextAt <= now)
      .sort((one, other) => compare(one.nextAt, other.nextAt) || one.id - other.id);
  }

  #add(endpointId: string, event: PartnerEvent, now: Instant): void {
    this.#lastId += 1;
    this.#deliveries.set(this.#lastId, {
      ...{ id: this.#lastId, endpointId, event: structuredClone(event), status: 'waiting' },
      ...{ createdAt: now, tries: 0, nextAt: now, attempts: [] },
    });
  }
}

const isFor = (event: PartnerEvent, { id, events }: WebhookEndpoint): boolean =>
  event.type === TEST_EVENT ? event.endpointId === id : subscribesTo(events, event.type);

const compare = (one = '', other = ''): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};
