import type { Instant } from '#domain';
import type { Clock } from '../clock.ts';
import type { Deliveries } from './deliveries.ts';
import type { WebhookReplays } from './replays.ts';

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
