import { type Instant, instantOf } from '#domain';
import { EVENT_TYPES, TEST_EVENT } from '../../../application/events/partner-events.ts';
import {
  type AfterAttempt,
  DELIVERY_STATUSES,
  type Deliveries,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryQuery,
  type DueEndpoint,
  type ReplayStep,
  type TestOutcome,
} from '../../../application/webhooks/deliveries.ts';
import { subscribesTo } from '../../../application/webhooks/endpoints.ts';
import { createBatcher } from '../engine/batcher.ts';
import type { Database } from '../engine/database.ts';
import { queryInside } from '../engine/statement.ts';
import { readPartnerEvent } from '../events/partner-event-feed.ts';
import { rowReader } from '../schema/columns.ts';
import {
  beginReplay,
  DELIVERY_COLUMNS,
  findDelivery,
  findDueEndpoints,
  hastenDeliveries,
  listDeliveries,
  listDueDeliveries,
  listTests,
  noteAttempts,
  replayEvents,
  retryDelivery,
  type StoredDelivery,
} from './webhook-delivery-statements.ts';

/** What an attempt changes, as a field of `noteAttempts`. */
interface Note {
  readonly id: number;
  readonly attempt: DeliveryAttempt;
  readonly status: Delivery['status'];
  readonly nextAt: Instant | null;
}

export class DatabaseDeliveries implements Deliveries {
  readonly #database: Database;
  /** Deliveries to many endpoints end at the same time: a connection is enough for all. */
  readonly #noteTogether: (note: Note) => Promise<void>;

  constructor(database: Database) {
    this.#database = database;
    this.#noteTogether = createBatcher<Note, void>({
      maxItems: 64,
      maxConcurrent: 1,
      work: async function noteBatch(notes) {
        await database.query(noteAttempts, { notes: JSON.stringify(notes) });
        return notes.map(() => undefined);
      },
    });
  }

  dueEndpoints(now: Instant, limit: number): Promise<readonly DueEndpoint[]> {
    return this.#database.query(findDueEndpoints, { now, limit });
  }

  async listDue(endpointId: string, now: Instant, limit: number): Promise<readonly Delivery[]> {
    const due = { endpointId, now, limit };
    return (await this.#database.query(listDueDeliveries, due)).map(readDelivery);
  }

  note(id: number, attempt: DeliveryAttempt, after: AfterAttempt): Promise<void> {
    if (after.kind !== 'again')
      return this.#noteTogether({ id, attempt, status: after.kind, nextAt: null });
    return this.#noteTogether({ id, attempt, status: 'waiting', nextAt: after.at });
  }

  async find(endpointId: string, id: number): Promise<Delivery | undefined> {
    const [row] = await this.#database.query(findDelivery, { endpointId, id });
    return row && readDelivery(row);
  }

  async list({ endpointId, status, before, limit }: DeliveryQuery): Promise<readonly Delivery[]> {
    const statuses = status === undefined ? DELIVERY_STATUSES : [status];
    const page = { endpointId, statuses, before: before ?? null, limit };
    return (await this.#database.query(listDeliveries, page)).map(readDelivery);
  }

  async retry(endpointId: string, id: number, now: Instant): Promise<'waiting' | 'unknown'> {
    const changed = await this.#database.query(retryDelivery, { endpointId, id, now });
    return changed.length === 1 ? 'waiting' : 'unknown';
  }

  async hasten(endpointId: string, now: Instant, limit: number): Promise<void> {
    await this.#database.query(hastenDeliveries, { endpointId, now, limit });
  }

  async listTests(channelLink: string, limit: number): Promise<readonly TestOutcome[]> {
    const found = await this.#database.query(listTests, { channelLink, type: TEST_EVENT, limit });
    return found.map(({ at, eventId, ...test }) => ({
      ...test,
      at: instantOf(new Date(at)),
      eventId: `evt_${eventId.replaceAll('-', '')}`,
    }));
  }

  async replay(step: ReplayStep): Promise<number | undefined> {
    const [begun] = await this.#database.query(beginReplay, step);
    if (begun === undefined) return undefined;
    const { channelLink, start } = begun;
    const types = EVENT_TYPES.filter(
      (type) => type !== TEST_EVENT && subscribesTo(begun.events, type),
    );
    const after = step.after === 0 ? Number(start) : step.after;
    const values = { ...step, channelLink, types, after };
    // Without a name: PostgreSQL plans it for the table as it is now, which a replay makes grow fast.
    const [seen] = await this.#database.transaction((inside) =>
      queryInside(inside, replayEvents, values),
    );
    return seen?.next == null ? undefined : Number(seen.next);
  }
}

const readColumns = rowReader(DELIVERY_COLUMNS);

const readDelivery = (stored: StoredDelivery): Delivery => {
  const { nextAt, attempts, ...delivery } = readColumns(stored);
  return {
    ...delivery,
    id: Number(stored.deliveryId),
    status: stored.deliveryStatus,
    event: readPartnerEvent(stored),
    ...(nextAt !== null && { nextAt }),
    attempts: attempts.toReversed(),
  };
};
