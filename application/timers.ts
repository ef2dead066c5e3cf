/** Waiting, while something else goes on. Neither keeps the process from ending. */
export interface Timers {
  /** Calls `work` every so many ms, until the returned function is called. */
  every(ms: number, work: () => void): () => void;
  pause(ms: number): Promise<void>;
}
