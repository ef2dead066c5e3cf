import { setTimeout } from 'node:timers/promises';
import { type Description, type Figures, gauge } from './series.ts';

/** The connections of this process's pool. */
export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** The work that waits in the database. Counts of mails and webhooks end at a limit. */
export interface Backlog {
  readonly queues: readonly {
    readonly queue: string;
    /** Jobs whose time has come, and that no worker has taken. */
    readonly due: number;
    /** Jobs whose time has not come. */
    readonly later: number;
    readonly oldestDueSeconds: number;
  }[];
  /** Mails that the mail server has not taken, by kind. */
  readonly mails: readonly {
    readonly kind: string;
    readonly waiting: number;
    readonly oldestSeconds: number;
  }[];
  /** Webhooks to be sent to active endpoints. */
  readonly webhooks: {
    readonly due: number;
    readonly later: number;
    readonly oldestDueSeconds: number;
  };
  /** Alerts that no operator has resolved, by kind. */
  readonly openAlerts: readonly { readonly kind: string; readonly count: number }[];
}

const describe = (name: string, help: string, ...labels: readonly string[]): Description => ({
  name: `insurance_sales_${name}`,
  help,
  labels,
});

const CONNECTIONS = describe(
  'database_connections',
  "Connections of the processes' pools: in_use, idle.",
  'state',
);
const CONNECTIONS_MAX = describe(
  'database_connections_max',
  'Connections that the pools may have together.',
);
const WAITING = describe('database_waiting', 'Statements that wait for a connection of a pool.');

const STANDBY_LAG = describe(
  'database_standby_lag_seconds',
  'Time by which the standby that statements and lists are read from is behind the primary.',
);

const UP = describe(
  'database_up',
  'Whether the database answered the last time it was asked: 1, 0.',
);
const JOBS = describe(
  'jobs',
  'Jobs that no worker has taken: due (their time has come), later.',
  'queue',
  'state',
);
const OLDEST_JOB = describe(
  'job_oldest_due_seconds',
  'Time for which the oldest due job has waited; 0 if none is due.',
  'queue',
);
const MAILS = describe('mails_waiting', 'Mails that the mail server has not taken yet.', 'kind');
const OLDEST_MAIL = describe(
  'mail_oldest_seconds',
  'Time for which the oldest mail has waited; 0 if none waits.',
  'kind',
);
const WEBHOOKS = describe(
  'webhooks_waiting',
  'Webhooks that are to be sent to active endpoints: due (their time has come), later.',
  'state',
);
const OLDEST_WEBHOOK = describe(
  'webhook_oldest_due_seconds',
  'Time for which the oldest due webhook has waited; 0 if none is due.',
);
const OPEN_ALERTS = describe('alerts_open', 'Alerts that no operator has resolved.', 'kind');

/** @param lagSeconds undefined: there is no standby, or it is not known */
export const standbyFigures = (lagSeconds: number | undefined): Figures =>
  gauge(STANDBY_LAG, 'max', lagSeconds === undefined ? [] : [[lagSeconds]]);

/** @param use undefined: the embedded database, which has no pool */
export const poolFigures = (use: PoolUse | undefined): readonly Figures[] => [
  gauge(
    CONNECTIONS,
    'sum',
    use
      ? [
          [use.inUse, 'in_use'],
          [use.idle, 'idle'],
        ]
      : [],
  ),
  gauge(CONNECTIONS_MAX, 'sum', use ? [[use.max]] : []),
  gauge(WAITING, 'sum', use ? [[use.waiting]] : []),
];

/** What is known of the database. A part is undefined while it is not known. */
export interface DatabaseState {
  /** Whether it answered the last time it was asked. */
  readonly isUp?: boolean;
  readonly backlog?: Backlog | undefined;
}

export const databaseFigures = ({ isUp, backlog }: DatabaseState): readonly Figures[] => {
  const up = gauge(UP, 'first', isUp === undefined ? [] : [[isUp ? 1 : 0]]);
  return backlog === undefined ? [up] : [up, ...backlogFigures(backlog)];
};

const backlogFigures = ({ queues, mails, webhooks, openAlerts }: Backlog): readonly Figures[] => [
  gauge(
    JOBS,
    'first',
    queues.flatMap(({ queue, due, later }) => [
      [due, queue, 'due'] as const,
      [later, queue, 'later'] as const,
    ]),
  ),
  gauge(
    OLDEST_JOB,
    'first',
    queues.map(({ queue, oldestDueSeconds }) => [oldestDueSeconds, queue]),
  ),
  gauge(
    MAILS,
    'first',
    mails.map(({ kind, waiting }) => [waiting, kind]),
  ),
  gauge(
    OLDEST_MAIL,
    'first',
    mails.map(({ kind, oldestSeconds }) => [oldestSeconds, kind]),
  ),
  gauge(WEBHOOKS, 'first', [
    [webhooks.due, 'due'],
    [webhooks.later, 'later'],
  ]),
  gauge(OLDEST_WEBHOOK, 'first', [[webhooks.oldestDueSeconds]]),
  gauge(
    OPEN_ALERTS,
    'first',
    openAlerts.map(({ kind, count }) => [count, kind]),
  ),
];

/** Time between two questions to the database, ms. */
const ASK_AGAIN_MS = 10_000;

/** Max time that a scrape waits for the database, ms. */
const PATIENCE_MS = 1_000;

interface Questions {
  /** Fails if the database does not answer. */
  readonly check: () => Promise<void>;
  readonly readBacklog: () => Promise<Backlog>;
}

/**
 * Makes a function that returns the state of the database, asked for at most once in ten seconds,
 * however often it is called. While the database is slow, it returns what was answered before. It
 * never fails. A backlog that cannot be counted says nothing about whether the database is up.
 */
export const askSeldom = (
  { check, readBacklog }: Questions,
  { askAgainMs = ASK_AGAIN_MS, patienceMs = PATIENCE_MS } = {},
): (() => Promise<DatabaseState>) => {
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let state: DatabaseState = {};

  const askOnce = async (): Promise<void> => {
    const isUp = await check().then(
      () => true,
      () => false,
    );
    state = isUp ? { ...state, isUp } : { isUp };
    if (isUp) state = { isUp, backlog: await readBacklog().catch(() => undefined) };
    asking = undefined;
  };

  return async function askedState() {
    const now = performance.now();
    if (asking === undefined && now - askedAt >= askAgainMs) {
      askedAt = now;
      asking = askOnce();
    }
    if (asking === undefined) return state;
    const patience = new AbortController();
    const late = setTimeout(patienceMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([asking, late]);
    patience.abort();
    return state;
  };
};
