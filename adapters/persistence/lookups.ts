import { grouped } from './grouped.ts';

/** So many in one statement, at most, and so many statements at the same time. */
const GROUPS = { most: 64, atOnce: 4 };

/**
 * Looks up together what is asked for together, each in a statement that begins after it was asked for. A key finds one
 * row at most. What is returned throws `Unavailable`.
 */
export const lookup = <Key, Row>(
  rowsOf: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): ((key: Key) => Promise<Row | undefined>) =>
  grouped<Key, Row | undefined>({
    ...GROUPS,
    work: async (keys) => {
      const rows = new Map((await rowsOf(keys)).map((row) => [keyOf(row), row]));
      return keys.map((key) => rows.get(key));
    },
  });
