const CHECK_INTERVAL_MS = 1_000;

/** Requests within a second share one check, because its callers have no rate limit. */
export const shareCheck = (check: () => Promise<void>): (() => Promise<void>) => {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  return function sharedCheck() {
    const now = performance.now();
    if (last === undefined || now - last.at > CHECK_INTERVAL_MS)
      last = { at: now, outcome: check() };
    return last.outcome;
  };
};
