import type pg from 'pg';
import { MIGRATIONS } from '../schema/migrations/index.ts';
import type { Listen } from './change-feed.ts';
import { makeSession } from './postgres-sessions.ts';

const RECONNECT_MS = 1_000;

/** Idle time after which the operating system checks the connection. */
const KEEP_ALIVE_MS = 5_000;

/** Begins to listen. The comment in it says the newest migration that the process knows. */
export const LISTEN = 'listen insurance_sales';

/** The migration in the statement of a session; empty where the session does not say one. */
export const newestKnownIn = (query: string): string =>
  /^listen insurance_sales -- (\S+)/.exec(query)?.[1] ?? '';

/**
 * Listens for notifications (LISTEN) on a connection outside the pool, and reconnects when it is
 * lost.
 */
export const listenForChanges = (url: string): Listen =>
  function listen(onChange) {
    let isStopped = false;
    let hasListened = false;
    let connected: pg.Client | undefined;
    let reconnect: NodeJS.Timeout | undefined;

    const connect = (): void => {
      const { client, connect: open } = makeSession(url, {
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      });

      let isLost = false;
      const connectLater = (): void => {
        if (isLost || isStopped) return;
        isLost = true;
        client.end().catch(() => {});
        reconnect = setTimeout(connect, RECONNECT_MS).unref();
      };

      const startListening = async (): Promise<void> => {
        await open();
        // `end()` has no effect on a client that is still connecting, so it ends here.
        if (isStopped) return client.end();
        connected = client;
        await client.query(`${LISTEN} -- ${MIGRATIONS.at(-1)?.name}`);
        // Notifications of the time before are lost.
        onChange(hasListened ? 'reconnected' : 'notified');
        hasListened = true;
      };

      client.on('error', connectLater);
      client.on('end', connectLater);
      client.on('notification', () => onChange('notified'));
      startListening().catch(connectLater);
    };

    connect();

    return function stop() {
      isStopped = true;
      clearTimeout(reconnect);
      connected?.end().catch(() => {});
    };
  };
