import pg from 'pg';
import type { Listen } from './changes.ts';

/** Milliseconds until a lost connection is made again. */
const PAUSE = 1_000;

/** Time until the system asks whether an idle connection still has another end, ms. */
const KEEP_ALIVE_MS = 5_000;

/** Keeps a connection, outside the pool, on which PostgreSQL tells of changes; makes another when it is lost. */
export const noticesOf =
  (url: string): Listen =>
  (changed) => {
    const alive = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
    let stopped = false;
    let hasListened = false;
    let connected: pg.Client | undefined;
    let pause: NodeJS.Timeout | undefined;

    const connect = (): void => {
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5_000,
        ...alive,
      });
      let lost = false;
      const again = (): void => {
        if (lost || stopped) return;
        lost = true;
        client.end().catch(() => {});
        pause = setTimeout(connect, PAUSE).unref();
      };
      const listen = async (): Promise<void> => {
        await client.connect();
        // A client that is told to end while it connects stays connected for ever.
        if (stopped) return client.end();
        connected = client;
        await client.query('listen insurance_sales');
        // What happened before it listened, it was not told.
        changed(hasListened ? 'reconnected' : 'noticed');
        hasListened = true;
      };
      client.on('error', again);
      client.on('end', again);
      client.on('notification', () => changed('noticed'));
      listen().catch(again);
    };

    connect();
    return () => {
      stopped = true;
      clearTimeout(pause);
      connected?.end().catch(() => {});
    };
  };
