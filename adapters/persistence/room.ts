import pg from 'pg';
import { guarded } from './faults.ts';

const allowed = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as room`;

/** How many connections a PostgreSQL server allows to ordinary users, all together. @throws Unavailable */
export const roomOn = (url: string): Promise<number> =>
  guarded(async () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ room: number }>(allowed);
      return rows[0]?.room ?? 0;
    } finally {
      await client.end().catch(() => {});
    }
  });

/** Besides its pool a process keeps one on which it is told of changes; so many are left for administrators' commands. */
const [LISTENING, SPARE] = [1, 4];

/** The pool that each of so many processes may have, as large as it wants where all of them find room; at least 2. @throws Error */
export const poolWithin = (room: number, processes: number, wanted: number): number => {
  const most = Math.floor((room - SPARE) / processes) - LISTENING;
  if (most < 2)
    throw new Error(
      `DATABASE_URL's server allows ${room} connections: too few for ${processes} processes (WEB_CONCURRENCY)`,
    );
  return Math.min(wanted, most);
};
