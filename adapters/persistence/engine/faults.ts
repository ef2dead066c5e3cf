import { Unavailable, Unstorable } from '../../../application/unavailable.ts';

/**
 * PostgreSQL error classes and Node codes that say that the database is out of reach: connection
 * exceptions (08), shutdown and crash (57P), a statement that was cancelled (57014), a transaction
 * that was ended because it was idle or long (25P03, 25P04), a primary that has become a standby
 * (25006), too many connections (53), and failed sockets. The same for what may succeed when it is
 * tried again: a conflict of two transactions (40001, 40P01) and a lock not had in time (55P03).
 */
const OUT_OF_REACH =
  /^(08...|57P0[1-5]|57014|25P0[34]|25006|40001|40P01|55P03|53...|ECONN.*|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** The driver reports some lost connections by a message alone. */
const LOST_CONNECTION =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|pglite is clos/i;

/** A character, number or time that the database cannot hold. Others of class 22 are our mistakes. */
const NOT_TO_BE_HELD = /^22(001|003|008|021|P05)$/;

const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  // A pooler without a free connection reports a protocol violation. One by PostgreSQL itself,
  // which names the routine, is a fault of this program.
  if (code === '08P01') return routine === undefined;
  if (typeof code === 'string' && OUT_OF_REACH.test(code)) return true;
  return (
    LOST_CONNECTION.test(error.message) ||
    isOutOfReach(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isOutOfReach))
  );
};

/**
 * Turns an error into `Unavailable` if the database is out of reach, and into `Unstorable` if it
 * cannot hold the data. The driver's message is left out, because it may hold SQL and data.
 */
export const asStoreFault = (error: unknown): unknown => {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (NOT_TO_BE_HELD.test(String(code))) return new Unstorable(`refused with ${code}`);
  if (!isOutOfReach(error)) return error;
  return new Unavailable(
    code === '53300'
      ? 'the database server has no connection left for this role'
      : 'database out of reach',
  );
};

/** Runs `work`. @throws Unavailable, Unstorable */
export const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw asStoreFault(error);
  }
};

/** Another process has the folder of the embedded database. */
export class FolderInUse extends Error {}
