import pg from 'pg';
import type { Listen } from './changes.ts';

/** Milliseconds until a lost connection is made again. */
const PAUSE = 1_000;

/** Keeps a connection, outside the pool, on which PostgreSQL tells of changes; makes another when it is lost. */
export const noticesOf =
  (url: string): Listen =>
  (changed) => {
    let stopped = false;
    let client: pg.Client | undefined;
    let pause: NodeJS.Timeout | undefined;

    const connect = (): void => {
      const mine = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
      client = mine;
      let lost = false;
      const again = (): void => {
        if (lost || stopped) return;
        lost = true;
        mine.end().catch(() => {});
        pause = setTimeout(connect, PAUSE).unref();
      };
      mine.on('error', again);
      mine.on('end', again);
      mine.on('notification', changed);
      mine
        .connect()
        .then(() => mine.query('listen insurance_sales'))
        // What happened before it listened, it was not told.
        .then(changed, again);
    };

    connect();
    return () => {
      stopped = true;
      clearTimeout(pause);
      client?.end().catch(() => {});
    };
  };
