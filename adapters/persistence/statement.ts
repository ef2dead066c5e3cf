import type { Task } from '../../application/tasks.ts';

/** A statement of a hot path. PostgreSQL parses it once per connection and knows it by its name from then on. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether it may take longer than a statement of a hot path. */
  readonly isSlow?: true;
}

/** Runs a statement on the native client, in one round trip, outside any transaction. @throws Unavailable */
export type Run = <Row>(statement: Statement, values: unknown[]) => Promise<readonly Row[]>;

/** Runs whatever text, of one statement or of several: on the pool, or inside a transaction. */
export interface Executor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Remembers tasks in the transaction of what makes them necessary: both are stored, or neither is. */
export type Enqueue = (tasks: readonly Task[], inside: Executor) => Promise<void>;
