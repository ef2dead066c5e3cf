import type { Json } from '#domain';

/** A path at which two contents differ, dotted. `null`: that content has no value there. */
export interface Difference {
  readonly path: string;
  readonly stored: Json;
  readonly received: Json;
}

const entries = (value: Json | undefined): ReadonlyMap<string, Json> | undefined =>
  typeof value === 'object' && value !== null
    ? new Map(Object.entries(value as Record<string, Json>))
    : undefined;

/**
 * Where two contents differ, sorted by path. Ignores key order, absent versus null values, and how
 * a number is written.
 */
export const differences = (
  stored: Json | undefined,
  received: Json | undefined,
  path = '',
): readonly Difference[] => {
  const [before, after] = [entries(stored), entries(received)];
  if (
    before === undefined ||
    after === undefined ||
    Array.isArray(stored) !== Array.isArray(received)
  ) {
    const same =
      before === undefined && after === undefined && (stored ?? null) === (received ?? null);
    return same ? [] : [{ path, stored: stored ?? null, received: received ?? null }];
  }
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  const found = keys.flatMap((key) =>
    differences(before.get(key), after.get(key), path === '' ? key : `${path}.${key}`),
  );
  // A null in a list counts as an element.
  const isLonger = Array.isArray(stored) && before.size !== after.size && found.length === 0;
  return isLonger ? [{ path, stored: stored ?? null, received: received ?? null }] : found;
};
