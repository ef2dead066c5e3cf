import type { EntityManager } from '@mikro-orm/postgresql';
import { type Executor, type Query, queryInside, statement } from './statement.ts';

/**
 * Data that processes keep copies of. Each topic has a revision in the database, which every change
 * counts up.
 */
export type Topic = 'clients' | 'catalogue' | 'logins' | 'groups';

export interface Follower {
  readonly topic: Topic;
  /**
   * Gets the revision of its topic.
   *
   * @param askedAt when the question was sent, ms of `performance.now()`
   * @param isDoubtful whether another server may answer now, which has lost the last commits of the
   * old one
   */
  receiveRevision(revision: number, askedAt: number, isDoubtful: boolean): Promise<void>;
}

/** Time between two questions. Notifications make for earlier ones, but may be lost. */
const POLL_MS = 400;

/** A question that has been open for longer is not shared with new callers. */
const SHAREABLE_MS = 500;

interface Revision {
  readonly topic: Topic;
  readonly revision: number;
  readonly server: string;
}

/** SQL for the server: one that takes over has another start time and writes another timeline. */
export const SERVER = `
  pg_postmaster_start_time()::text
    || case
      when pg_is_in_recovery() then ' standby'
      else left(pg_walfile_name(pg_current_wal_lsn()), 8)
    end`;

const readRevisions = statement<Record<string, never>, Revision>(
  'revisions',
  `
    select topic, number::int as revision, server
    from revision, (select ${SERVER} as server) as present`,
);

/**
 * Part of a statement: counts up the revision of a topic if there is a row of `source`, and notifies
 * all processes. The row stays locked until the commit, so that numbers become visible in their order.
 */
export const countingRevision = (topic: Topic, source: string): string => `
  update revision set number = number + 1
  where topic = '${topic}' and exists (select from ${source})
  returning number, pg_notify('insurance_sales', topic)`;

const countRevision = (topic: Topic) =>
  statement(`count-${topic}`, countingRevision(topic, '(select 1) as one'));

const COUNTS = { clients: countRevision('clients'), catalogue: countRevision('catalogue') };

/** Tells all processes of a change when the transaction of the entity manager is committed. */
export const tellOfChange = async (
  inside: EntityManager,
  topic: keyof typeof COUNTS,
): Promise<void> => {
  await queryInside(inside.getTransactionContext() as Executor, COUNTS[topic], {});
};

/**
 * Calls back at each notification and after each reconnection. Returns the function that ends this.
 */
export type Listen = (onChange: (how: 'notified' | 'reconnected') => void) => () => void;

/**
 * Asks for the revisions, at intervals and at each notification, and passes them on to the
 * followers.
 */
export class ChangeFeed {
  readonly #query: Query;
  readonly #listen: Listen;
  readonly #followers = new Set<Follower>();
  #question: { readonly since: number; readonly answer: Promise<void> } | undefined;
  #isNextScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening = (): void => {};
  #server: string | undefined;
  #hasReconnected = false;

  constructor(query: Query, listen: Listen) {
    this.#query = query;
    this.#listen = listen;
  }

  follow(follower: Follower): void {
    this.#followers.add(follower);
    this.begin();
  }

  /** Listens from now on. Each process does from its start on: see `refuseBesideEarlier`. */
  begin(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#question ?? this.#askQuietly(), POLL_MS).unref();
    this.#stopListening = this.#listen((how) => {
      if (how === 'reconnected') this.#hasReconnected = true;
      this.#askAfterOpenQuestion();
    });
  }

  /**
   * Resolves when each follower knows its revision as of the call, or of half a second before.
   *
   * @throws Unavailable
   */
  ask(): Promise<void> {
    const { since = Number.NEGATIVE_INFINITY, answer } = this.#question ?? {};
    return answer !== undefined && performance.now() - since < SHAREABLE_MS ? answer : this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening();
  }

  /**
   * The open question may have been answered before the change, so one more follows, for all
   * notifications.
   */
  #askAfterOpenQuestion(): void {
    if (this.#isNextScheduled) return;
    this.#isNextScheduled = true;
    const ask = (): void => {
      this.#isNextScheduled = false;
      this.#askQuietly();
    };
    (this.#question?.answer ?? Promise.resolve()).then(ask, ask);
  }

  #askQuietly(): void {
    this.#ask().catch(() => {});
  }

  async #ask(): Promise<void> {
    const askedAt = performance.now();
    const question = { since: askedAt, answer: this.#passOn(askedAt) };
    this.#question = question;
    try {
      await question.answer;
    } finally {
      if (this.#question === question) this.#question = undefined;
    }
  }

  async #passOn(askedAt: number): Promise<void> {
    const rows = await this.#query(readRevisions, {});
    const revisions = new Map(rows.map(({ topic, revision }) => [topic, revision]));
    const server = rows[0]?.server;
    const isDoubtful = this.#hasReconnected || server !== this.#server;
    this.#hasReconnected = false;
    this.#server = server;

    await Promise.all(
      [...this.#followers].map((follower) =>
        follower.receiveRevision(revisions.get(follower.topic) ?? 0, askedAt, isDoubtful),
      ),
    );
  }
}
