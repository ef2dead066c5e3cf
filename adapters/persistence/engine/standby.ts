import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Instant, instantOf } from '#domain';
import { SERVER } from './change-feed.ts';
import { beginPooled, openPool } from './postgres-sessions.ts';
import { type Mark, PrimaryMarks } from './standby-marks.ts';
import { type Query, type Statement, statement } from './statement.ts';

const MAX_LAG_MS = 30_000;

/** Time between two looks at how far the standby is. */
const LOOK_MS = 1_000;

/** Max time to wait until the standby has what is asked for; then the primary answers. */
const CATCH_UP_MS = 200;
const CATCH_UP_RETRY_MS = 20;

/** Time without the standby after a failure. */
const PAUSE_MS = 5_000;

/** Max time to connect, and to learn how far the standby is. */
const ANSWER_MS = 2_000;

/** Max time of a statement; PostgreSQL cancels it a little earlier. */
const STATEMENT_MS = 6_000;
const CANCEL_MS = 5_000;

/** Why the standby is not used; undefined: it is used. */
export type StandbyFault = 'away' | 'behind' | undefined;

/** Called when the standby is no longer used, and when it is used again. */
export type ReportStandby = (fault: StandbyFault, lagSeconds: number | undefined) => void;

/** Which log a server writes or replays. Positions in different logs cannot be compared. */
interface Log {
  /** The same for a primary and its standbys. */
  readonly cluster: string;
  /** Grows by one with each failover. */
  readonly timeline: number;
}

interface PrimaryState extends Log {
  readonly position: number;
  readonly server: string;
}

const CLUSTER = `(pg_control_system()).system_identifier::text`;

const markPrimary = statement<Record<string, never>, PrimaryState>(
  'mark-primary',
  `
    select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 as position, ${SERVER} as server,
      ${CLUSTER} as cluster,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`,
);

/**
 * The newest timeline that the standby is known to follow. The timeline that it receives is shown to
 * members of pg_read_all_stats only; the others are updated some minutes after a failover.
 */
const STANDBY_TIMELINE = `
  greatest(
    (pg_control_checkpoint()).timeline_id,
    (pg_control_recovery()).min_recovery_end_timeline,
    (select received_tli from pg_stat_wal_receiver)
  )`;

const STATE = `
  select pg_is_in_recovery() and exists (select from pg_stat_wal_receiver) as follows,
    (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 as position,
    ${CLUSTER} as cluster, ${STANDBY_TIMELINE} as timeline`;

const LIMITS = { statement_timeout: CANCEL_MS, idle_in_transaction_session_timeout: CANCEL_MS };

/** One text, so that it is one round trip, and works behind a pooler in transaction mode. */
const BEGIN = `
  ${beginPooled(LIMITS, 'read only')};
  ${STATE}`;

interface State extends Log {
  /** Whether it is a standby that receives the log of a primary. */
  readonly follows: boolean;
  readonly position: number;
}

export interface StandbyLocation {
  /** A standby, or a balancer or pooler in front of several. */
  readonly url: string;
  readonly report: ReportStandby;
  /** A standby that is further behind is not used; default: 30 s. */
  readonly maxLagMs?: number;
}

type Rows = readonly object[];

/** Classes of SQLSTATE where the server failed or cancelled, and not the statement alone. */
const SERVER_FAULTS = ['08', '25', '40', '53', '57', '58', 'XX'];

const isOfStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code !== undefined &&
  !SERVER_FAULTS.includes(error.code.slice(0, 2));

/**
 * A standby that answers reads, each in a read-only transaction that first asks how far the server
 * is: behind a balancer, each connection may reach another one. All failures lead to the primary.
 */
export class Standby {
  readonly #pool: pg.Pool;
  readonly #maxReads: number;
  readonly #askPrimary: Query;
  readonly #report: ReportStandby;
  readonly #maxLagMs: number;
  readonly #marks = new PrimaryMarks();
  /** The log that the marks are of. */
  #log: Log | undefined;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #isClosed = false;
  #fault: StandbyFault;
  #isUsable = false;
  /** Whether it had everything at the last look. */
  #isCaughtUp = false;
  #pausedUntil = 0;
  #reads = 0;
  #asOf: number | undefined;

  /** @param maxReads how many reads it answers at once; the primary answers the others */
  constructor(location: StandbyLocation, maxReads: number, askPrimary: Query) {
    this.#maxReads = maxReads;
    this.#pool = openPool({
      connectionString: location.url,
      // One more to look how far the standby is, so that many reads do not make it seem away.
      max: maxReads + 1,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: STATEMENT_MS,
      keepAlive: true,
      isPooled: true,
    });
    this.#askPrimary = askPrimary;
    this.#report = location.report;
    this.#maxLagMs = location.maxLagMs ?? MAX_LAG_MS;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#look();
  }

  /** Up to when its answers are surely complete; undefined: it is not used now. */
  get asOf(): Instant | undefined {
    return this.#isUsable && this.#asOf !== undefined ? instantOf(new Date(this.#asOf)) : undefined;
  }

  /** Seconds that it is behind the primary, ten minutes at most; undefined: not known. */
  get lag(): number | undefined {
    const since = this.#asOf ?? this.#marks.since;
    return since === undefined ? undefined : Math.max(0, Date.now() - since) / 1_000;
  }

  /**
   * Runs a statement that only reads.
   *
   * @param asOf the answer must have everything that was stored until then; absent: until now
   * @returns undefined where the primary must answer
   */
  async read(
    { text, values }: Pick<Statement, 'text'> & { readonly values?: unknown[] },
    asOf?: Instant,
  ): Promise<Rows | undefined> {
    if (!this.#isUsable || (asOf === undefined && !this.#isCaughtUp)) return undefined;
    const needed =
      asOf === undefined
        ? (await this.#mark().catch(() => undefined))?.position
        : this.#marks.positionAt(Date.parse(asOf));
    if (needed === undefined || this.#reads >= this.#maxReads) return undefined;
    this.#reads += 1;
    try {
      return await this.#inTransaction(needed, async (client, { position }) =>
        position < needed ? undefined : (await client.query(text, values)).rows,
      );
    } catch (error) {
      if (!isOfStatement(error)) this.#pause();
      return undefined;
    } finally {
      this.#reads -= 1;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    await this.#pool.end();
  }

  async #mark(): Promise<Mark> {
    const at = Date.now();
    const [row] = await this.#askPrimary(markPrimary, {});
    if (row === undefined) throw new Error('the primary did not say how far it is');
    this.#marks.add({ at, position: row.position }, row.server);
    this.#log = row;
    return { at, position: row.position };
  }

  /** Finds out whether the standby can be used. While the primary is away, by the marks so far. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const mark = await this.#mark().catch(() => undefined);
      const needed = mark?.position ?? 0;
      const { position } = await this.#inTransaction(needed, async (_, state) => state);
      this.#asOf = this.#marks.momentOf(position);
      this.#isCaughtUp = mark !== undefined && position >= needed;
      const isBehind = (this.lag ?? 0) * 1_000 > this.#maxLagMs;
      const isPaused = performance.now() < this.#pausedUntil;
      this.#isUsable = !isBehind && !isPaused;
      if (isBehind) this.#note('behind');
      else if (!isPaused) this.#note(undefined);
    } catch {
      this.#pause();
    } finally {
      this.#isLooking = false;
    }
  }

  #pause(): void {
    this.#isUsable = false;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    this.#note('away');
  }

  #note(fault: StandbyFault): void {
    if (fault === this.#fault || this.#isClosed) return;
    this.#fault = fault;
    this.#report(fault, this.lag);
  }

  /**
   * Runs `work` in a transaction once the server is at the position, or after a short wait.
   *
   * @throws Error where the server does not answer, or is no standby of the primary
   */
  async #inTransaction<Result>(
    position: number,
    work: (client: pg.PoolClient, state: State) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#pool.connect();
    let isSound = false;
    try {
      const deadline = performance.now() + CATCH_UP_MS;
      let state = await this.#askState(client, BEGIN);
      while (state.position < position && performance.now() < deadline) {
        await wait(CATCH_UP_RETRY_MS);
        state = await this.#askState(client, STATE);
      }
      const result = await work(client, state);
      await client.query('commit');
      isSound = true;
      return result;
    } finally {
      // A connection that is closed is rolled back by PostgreSQL.
      client.release(!isSound);
    }
  }

  async #askState(client: pg.PoolClient, text: string): Promise<State> {
    const answer = await client.query({ text, query_timeout: ANSWER_MS } as pg.QueryConfig);
    // A text of several statements has an answer for each.
    const last = [answer].flat().at(-1) as pg.QueryResult<State> | undefined;
    const state = last?.rows[0];
    if (state?.follows !== true) throw new Error('the server is no standby that follows a primary');
    const log = this.#log;
    if (log && (state.cluster !== log.cluster || state.timeline !== log.timeline))
      throw new Error('the standby follows another primary');
    return state;
  }
}
