/** A value that takes long to make, such as a library or a connection. */
export interface MadeOnce<Value> {
  /** Makes the value at the first call, and again after a failure or `forget`. */
  get(): Promise<Value>;
  /** The value if it was made, for `close`. */
  made(): Promise<Value | undefined>;
  forget(): void;
}

/** Keeps what `make` makes, but no failure: a later call may find what it needs. */
export const makeOnce = <Value>(make: () => Promise<Value>): MadeOnce<Value> => {
  let kept: Promise<Value> | undefined;
  const forget = (): void => {
    kept = undefined;
  };

  return {
    get() {
      if (kept !== undefined) return kept;
      const making = make();
      kept = making;
      making.catch(() => {
        if (kept === making) forget();
      });
      return making;
    },
    async made() {
      return kept?.catch(() => undefined);
    },
    forget,
  };
};
