import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Deliveries } from './deliveries.ts';

/** A partner's request to send the events of a time to an endpoint once more. */
export interface Replay {
  readonly endpointId: string;
  /** Inclusive. */
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
}

/** A replay that the caller works on. */
export interface TakenReplay extends Replay {
  readonly id: number;
  /** The last place of the step before; 0 at first. */
  readonly after: number;
}

/**
 * The replays that are not over. A replay may be of a million events, so it is done in steps.
 *
 * 1. A requested replay is stored with an audit entry. An endpoint has one at a time.
 * 2. A replay is taken by one caller at a time. If that caller has noted nothing until a time,
 *    another one may take it, and goes on after the last step that was noted.
 * 3. The replay that was worked on least recently is taken first.
 * 4. A replay whose last step is noted is gone.
 */
export interface WebhookReplays {
  request(replay: Replay, entry: AuditEntry): Promise<'requested' | 'runs_already'>;
  take(now: Instant, until: Instant): Promise<TakenReplay | undefined>;
  /** `after`: the last place of the step; undefined: it was the last step. */
  note(id: number, after: number | undefined, now: Instant): Promise<void>;
}

/** Time after which another process may go on with a replay whose step was not noted, ms. */
const TAKEN_FOR_MS = 60_000;

/**
 * Does one step of a replay that partners have requested: it looks at up to `limit` events.
 *
 * @returns `done` if there is no replay to work on
 */
export type ReplayEvents = (limit: number) => Promise<'more' | 'done'>;

export const makeReplayEvents = ({
  webhookReplays,
  deliveries,
  clock,
}: {
  readonly webhookReplays: WebhookReplays;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
}): ReplayEvents =>
  async function replayEvents(limit) {
    const now = clock.now();
    const until = new Date(Date.parse(now) + TAKEN_FOR_MS).toISOString() as Instant;
    const taken = await webhookReplays.take(now, until);
    if (taken === undefined) return 'done';

    const { id, ...replay } = taken;
    const last = await deliveries.replay({ ...replay, now, limit });
    await webhookReplays.note(id, last, clock.now());
    return 'more';
  };
