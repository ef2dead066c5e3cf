import type { Queue } from 'pg-boss';

export const RESUME = 'resume-sale';
export const AWAIT = 'await-payer';
export const NOTICE = 'process-notice';
export const DELIVERY = 'sandbox-notice';
const WEBHOOKS = 'send-webhooks';
const FAILING_WEBHOOKS = 'send-webhooks-failing';

/** A job is retried until it succeeds, however long a payer or a provider takes. */
const RETRY_FOREVER = {
  retryLimit: 2_147_483_647,
  retentionSeconds: 2_147_483_647,
  deleteAfterSeconds: 86_400,
  retryBackoff: true,
  // After this time a job of a process that was killed is given to another one.
  expireInSeconds: 120,
} satisfies Omit<Queue, 'name'>;

/** An endpoint has one job at most. It is kept alive by its process (`webhook-runs.ts`). */
const ONE_PER_ENDPOINT = {
  policy: 'exclusive',
  heartbeatSeconds: 10,
  retryDelay: 1,
  retryDelayMax: 60,
} satisfies Omit<Queue, 'name'>;

/**
 * `retryDelay` is the pause before the first retry, `retryDelayMax` the longest one, in seconds.
 */
export const QUEUES: readonly Queue[] = [
  { name: RESUME, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 600 },
  { name: AWAIT, ...RETRY_FOREVER, retryDelay: 60, retryDelayMax: 3_600 },
  { name: NOTICE, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 60 },
  { name: DELIVERY, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 60 },
  { name: WEBHOOKS, ...RETRY_FOREVER, ...ONE_PER_ENDPOINT },
  { name: FAILING_WEBHOOKS, ...RETRY_FOREVER, ...ONE_PER_ENDPOINT },
];

/**
 * Limits of a process for sending webhooks. A run counts against `pace` while it works: not while
 * its endpoint has not answered for `activeMs`. `mostOpen` limits the connections. Endpoints that
 * fail have limits of their own, so that any number of them leaves the others alone.
 */
export const WEBHOOK_RUNS = [
  {
    queue: WEBHOOKS,
    isFailing: false,
    pace: { max: 16, maxWhileBusy: 8 },
    mostOpen: 300,
    activeMs: 100,
  },
  {
    queue: FAILING_WEBHOOKS,
    isFailing: true,
    pace: { max: 4, maxWhileBusy: 1 },
    mostOpen: 100,
    activeMs: 100,
  },
] as const;

/** Pause between two looks for events that have no place in the feed. */
export const EVENTS_PAUSE_MS = 200;

/** Pause between two looks at the time limits of the law, which end with a day. */
export const LEGAL_CLOCKS_PAUSE_MS = 3_600_000;

/** Pause between two looks for sales to be entered into the search, and for bookings to be counted. */
export const SEARCH_PAUSE_MS = 1_000;
export const TOTALS_PAUSE_MS = 5_000;

/** Pause between two looks for alerts whose cause is gone. */
export const SETTLE_PAUSE_MS = 60_000;

/** Pause between two looks for alerts that operators are to be told of. */
export const TELL_PAUSE_MS = 10_000;

/**
 * Events of a step of a replay, the pause after a step, and the pause before the next look if there
 * is no replay. A replay of a million events takes some minutes.
 */
export const REPLAY = { max: 1_000, maxWhileBusy: 100, stepPauseMs: 100, pauseMs: 1_000 };

/**
 * Mails of a step, and the pause before the next look if there is no mail. While a process sells,
 * its steps are smaller; in a rush there is one of five mails a second, since a certificate takes as
 * much of the processor as twenty sales.
 */
export const MAILS = { max: 100, maxWhileBusy: 20, inRush: 5, pauseMs: 1_000 };
