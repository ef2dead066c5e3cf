/** What the command line says, and where figures are kept. */
export interface Settings {
  readonly rounds: number;
  /** Of load for each contender in each round. */
  readonly seconds: number;
  readonly connections: readonly number[];
  /** Of the large table. */
  readonly rows: number;
  /** Keeps figures for the file. */
  record(name: string, figures: unknown): void;
}
