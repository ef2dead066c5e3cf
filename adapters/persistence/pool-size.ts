import pg from 'pg';
import { guarded } from './faults.ts';

const readLimit = `
  select least(
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
  ) as connections`;

/**
 * Returns how many connections the server allows in all to ordinary users, or to this role if it has
 * a limit of its own. @throws Unavailable
 */
export const readConnectionLimit = (url: string): Promise<number> =>
  guarded(async () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ connections: number }>(readLimit);
      return rows[0]?.connections ?? 0;
    } finally {
      await client.end().catch(() => {});
    }
  });

/** Each process has one connection beside its pool, on which it listens for changes. */
const LISTENERS_PER_PROCESS = 1;

/** For the command line and for operators. */
const SPARE_CONNECTIONS = 4;

const SMALLEST_POOL = 2;

/**
 * Returns the size of each process's pool: `wanted`, or less where the server does not allow as
 * many.
 *
 * @throws Error where not even 2 connections per process are left
 */
export const choosePoolSize = (limit: number, processes: number, wanted: number): number => {
  const largest = Math.floor((limit - SPARE_CONNECTIONS) / processes) - LISTENERS_PER_PROCESS;
  if (largest < SMALLEST_POOL)
    throw new Error(
      `DATABASE_URL's server allows ${limit} connections: ` +
        `too few for ${processes} processes (WEB_CONCURRENCY)`,
    );
  return Math.min(wanted, largest);
};
