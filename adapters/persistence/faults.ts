import { Unavailable } from '../../application/unavailable.ts';

/**
 * PostgreSQL error classes and Node codes that say "not now": connection exceptions (08), shutdown and crash (57P), a
 * statement cut off (57014), a transaction left standing (25P03), a primary that has become a standby (25006), too many
 * connections (53), and sockets that fail.
 */
const OUT_OF_REACH =
  /^(08...|57P0[1-5]|57014|25P03|25006|53...|ECONN.*|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** The driver reports some lost connections in words only. */
const LOST_CONNECTION =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|pglite is clos/i;

const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  // A pooler reports that it has no connection as a protocol violation. PostgreSQL's own, which names the routine, is our fault.
  if (code === '08P01') return routine === undefined;
  if (typeof code === 'string' && OUT_OF_REACH.test(code)) return true;
  return (
    LOST_CONNECTION.test(error.message) ||
    isOutOfReach(error.cause) ||
    (error instanceof AggregateError && error.errors.some(isOutOfReach))
  );
};

/** Runs `work`; a database out of reach becomes `Unavailable`, without the driver's words, which may hold SQL and data. */
export const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw isOutOfReach(error) ? new Unavailable('database out of reach') : error;
  }
};
