/** The options of the command line, and the record of figures. */
export interface Settings {
  readonly rounds: number;
  /** Seconds of load per contender and round. */
  readonly seconds: number;
  readonly connections: readonly number[];
  /** `light` costs less processor time per request. */
  readonly load: 'usual' | 'light';
  /** Rows of the large table. */
  readonly rows: number;
  /** Adds figures to the result file. */
  record(name: string, figures: unknown): void;
}
