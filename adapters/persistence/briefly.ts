/** How long, in milliseconds, a value read may be used again: well under the second in which every process must see a change. */
const FRESH = 500;

/** More names than this are not remembered at once. */
const LIMIT = 10_000;

/**
 * Remembers what `read` found, briefly, so that a busy path does not ask the database for the same thing at every request.
 * Callers who ask while a read is under way share it. What was not found, or failed, is not remembered.
 */
export const briefly = <Value>(
  read: (name: string) => Promise<Value | undefined>,
): ((name: string) => Promise<Value | undefined>) => {
  const known = new Map<string, { readonly until: number; readonly value: Promise<Value | undefined> }>();
  return (name) => {
    const now = performance.now();
    const remembered = known.get(name);
    if (remembered && now < remembered.until) return remembered.value;
    const forget = (): boolean => known.delete(name);
    const value = read(name);
    if (known.size >= LIMIT) known.clear();
    known.set(name, { until: now + FRESH, value });
    value.then((found) => found === undefined && forget(), forget);
    return value;
  };
};
