import { Unavailable, Unstorable } from '../../../application/unavailable.ts';

/**
 * PostgreSQL error classes that say that the database is out of reach: connection exceptions (08),
 * shutdown and crash (57P), a statement that was cancelled (57014), a transaction that was ended
 * because it was idle or long (25P03, 25P04), a primary that has become a standby (25006), and too
 * many connections (53). The same for what may succeed when it is tried again: a conflict of two
 * transactions (40001, 40P01) and a lock not had in time (55P03).
 */
const OUT_OF_REACH = /^(08...|57P0[1-5]|57014|25P0[34]|25006|40001|40P01|55P03|53...)$/;

/** What the server lacks, by SQLSTATE: an operator can give it. */
const LACKING: Readonly<Record<string, string>> = {
  '53100': 'the disk of the database server is full',
  '53200': 'the database server has no memory left',
  '53300': 'the database server has no connection left for this role',
  '53400': 'a statement exceeds a limit of the database server, such as temp_file_limit',
};

const CONNECTION_FAILURE = '08006';

/** What the driver refuses before it sends anything: faults of this program. */
const OWN_MISTAKE = /^(SASL|A query must|Prepared statements must|Query values must|circular ref)/;

/**
 * Gives a fault of the driver the SQLSTATE of a lost connection, unless PostgreSQL answered it. Node
 * and the driver report lost connections by many codes, and some by a message alone.
 */
export const nameLostConnection = (error: unknown): unknown => {
  const isOwn = !(error instanceof Error) || error instanceof TypeError;
  if (isOwn || 'severity' in error || OWN_MISTAKE.test(error.message)) return error;
  return Object.assign(error, { code: CONNECTION_FAILURE });
};

/** Waits for what the driver was asked. Each of its faults has a SQLSTATE or is a mistake. */
export const askDriver = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
  try {
    return await asked;
  } catch (error) {
    throw nameLostConnection(error);
  }
};

/** A character, number or time that the database cannot hold. Others of class 22 are our mistakes. */
const NOT_TO_BE_HELD = /^22(001|003|008|021|P05)$/;

const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  // A pooler without a free connection reports a protocol violation. One by PostgreSQL itself,
  // which names the routine, is a fault of this program.
  if (code === '08P01') return routine === undefined;
  return OUT_OF_REACH.test(String(code)) || /pglite is clos/i.test(error.message);
};

/**
 * Turns an error into `Unavailable` if the database is out of reach, and into `Unstorable` if it
 * cannot hold the data. The driver's message is left out, because it may hold SQL and data.
 */
export const asStoreFault = (error: unknown): unknown => {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (NOT_TO_BE_HELD.test(String(code))) return new Unstorable(`refused with ${code}`);
  if (!isOutOfReach(error)) return error;
  return new Unavailable(LACKING[String(code)] ?? 'database out of reach');
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
