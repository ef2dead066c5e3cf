import type pg from 'pg';
import { askDriver, guarded } from '../engine/faults.ts';
import { makeSession } from '../engine/postgres-sessions.ts';

/** Longest time for an answer, ms. */
const ANSWER_MS = 60_000;

/** A session that is opened when it is needed, and again where it was lost: its locks are lost then. */
export class LateSession {
  readonly #url: string;
  #session: Promise<pg.Client> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws Unavailable, Error as PostgreSQL says it */
  ask<Row extends object>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    return guarded(async () => {
      this.#session ??= this.#open();
      const client = await this.#session.catch((error: unknown) => {
        this.#session = undefined;
        throw error;
      });
      return (await askDriver(client.query<Row>(text, values))).rows;
    });
  }

  async one<Row extends object>(text: string, values: unknown[] = []): Promise<Row> {
    const [row] = await this.ask<Row>(text, values);
    return row as Row;
  }

  async #open(): Promise<pg.Client> {
    const { client, connect } = makeSession(this.#url, { query_timeout: ANSWER_MS });
    const forget = (): void => {
      this.#session = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    await connect();
    // Also in a database that takes no writes.
    await client.query('set default_transaction_read_only = off');
    return client;
  }

  async close(): Promise<void> {
    const client = await this.#session?.catch(() => undefined);
    await client?.end().catch(() => {});
  }
}
