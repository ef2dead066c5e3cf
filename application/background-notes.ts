/** Notes that are kept in memory, and stored together in the background. */
export interface BackgroundNotes {
  /**
   * Stores what has been noted. What could not be stored is tried again with the next call. Calls at
   * the same time share their work.
   *
   * @throws Unavailable
   */
  flush(): Promise<void>;
  /** The notes that were dropped since the last call: too many waited, or the store refused one. */
  takeDropped(): number;
}
