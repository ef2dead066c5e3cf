/** A statement of a hot path. PostgreSQL parses it once per connection and knows it by its name from then on. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs a statement on the native client, in one round trip, outside any transaction. @throws Unavailable */
export type Run = <Row>(statement: Statement, values: unknown[]) => Promise<readonly Row[]>;
