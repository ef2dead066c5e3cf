import type { Logger } from 'pino';
import {
  type Database,
  openEmbedded,
  openPostgres,
} from '../../adapters/persistence/engine/database.ts';
import { choosePoolSize, examineServer } from '../../adapters/persistence/engine/examine-server.ts';
import type { ReportStandby } from '../../adapters/persistence/engine/standby.ts';
import { describeFault } from '../../application/describe-fault.ts';
import { GatewayUnavailable, Unavailable } from '../../application/unavailable.ts';
import { type Config, ConfigFaults } from './config.ts';

type PostgresConfig = Extract<Config['database'], { kind: 'postgres' }>;

/** @returns how many connections the server allows. @throws Unavailable, Error */
const examine = async ({ url, directUrl }: PostgresConfig): Promise<number> => {
  const connections = await examineServer(url, 'DATABASE_URL');
  return directUrl === undefined ? connections : examineServer(directUrl, 'DATABASE_DIRECT_URL');
};

/** Opens the database for a command. @throws Unavailable, Error */
export const open = async ({ database }: Pick<Config, 'database'>): Promise<Database> => {
  if (database.kind === 'embedded') return openEmbedded(database.folder);
  await examine(database);
  return openPostgres(database);
};

/** Logs when statements and lists are no longer read from the standby, and when they are again. */
const reportStandby =
  (log: Logger): ReportStandby =>
  (fault, lagSeconds) => {
    if (fault === 'away') log.warn('the standby does not answer: the primary is read');
    else if (fault === 'behind')
      log.warn({ lagSeconds }, 'the standby is far behind: the primary is read');
    else log.info({ lagSeconds }, 'the standby is read again');
  };

/**
 * Opens the database with at most as many connections as the server has left, for all processes
 * together. @throws Unavailable, Error
 */
export const openWithin = async (
  { database, processes }: Config,
  log: Logger,
): Promise<Database> => {
  if (database.kind === 'embedded') return open({ database });
  const pool = choosePoolSize(await examine(database), processes, database.pool);
  if (pool < database.pool)
    log.warn(
      { pool, DATABASE_POOL: database.pool },
      'the database server has room for a smaller pool',
    );
  const { readUrl } = database;
  const read = readUrl === undefined ? undefined : { url: readUrl, report: reportStandby(log) };
  return openPostgres({ ...database, pool, read });
};

/**
 * Why the program ends. Shows only name and code of errors from drivers, because their messages may
 * hold secrets.
 */
export const reason = (error: unknown): string => {
  if (error instanceof ConfigFaults) return error.message;
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'PORT is taken by another program: set another one';
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return `HOST is no address of this machine (${code})`;
  if (syscall === 'listen') return `PORT cannot be had (${code}): set another one`;
  if (/^(mkdir|chmod|open|write|link|unlink)$/.test(syscall) || code === 'ERR_SQLITE_ERROR')
    return `DATA_DIR cannot be written to (${code}): is it a folder, open to this user, and has its disk space?`;
  if (error instanceof GatewayUnavailable) return error.message;
  if (error instanceof Unavailable)
    return `${error.message}: is DATABASE_URL right, and the server up, with connections and disk space left?`;
  if (error instanceof Error && error.name === 'Error' && !('code' in error)) return error.message;
  if (code === '42501' || code === '3F000')
    return `the role of DATABASE_URL may not create tables and the schema "jobs" in its database (SQLSTATE ${code})`;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))
    return `the database refused with SQLSTATE ${code}: is DATABASE_URL right?`;
  return JSON.stringify(describeFault(error));
};
