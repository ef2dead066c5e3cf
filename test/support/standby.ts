import { PostgresServer, rowsIn } from './postgres.ts';
import { Relay } from './postgres-proxy.ts';
import { within } from './stores.ts';

/** Runs a statement that returns one row. */
export const one = async <Row extends object>(url: string, statement: string): Promise<Row> =>
  (await rowsIn<Row>(url, statement))[0] as Row;

/** A primary, its standby, and a relay in front of the primary. */
export class Pair {
  readonly primary = new PostgresServer(undefined);
  url = '';
  relay: Relay | undefined;
  relayUrl = '';
  standby: PostgresServer | undefined;
  standbyUrl = '';

  async start(): Promise<void> {
    this.url = await this.primary.database();
    this.standby = await this.primary.standby(this.url);
    this.standbyUrl = this.standby.at(this.url);
    this.relay = new Relay(this.url);
    this.relayUrl = await this.relay.start();
  }

  /** Waits until the standby has replayed the primary's log. */
  async caughtUp(): Promise<void> {
    const { lsn } = await one<{ lsn: string }>(
      this.url,
      'select pg_current_wal_lsn()::text as lsn',
    );
    const reached = () =>
      one<{ reached: boolean }>(
        this.standbyUrl,
        `select pg_last_wal_replay_lsn() >= '${lsn}' as reached`,
      );
    await within(reached, ({ reached }) => reached);
  }

  /** Stops the replication. */
  async separate(): Promise<void> {
    await rowsIn(this.standbyUrl, `alter system set primary_conninfo = ''`);
    await rowsIn(this.standbyUrl, 'select pg_reload_conf()');
    const receivers = () => rowsIn(this.standbyUrl, 'select from pg_stat_wal_receiver');
    await within(receivers, ({ length }) => length === 0);
  }

  /** Kills the primary, and promotes the standby. */
  async failOver(): Promise<void> {
    await this.primary.crash();
    await rowsIn(this.standbyUrl, 'select pg_promote()');
  }

  async stop(): Promise<void> {
    this.relay?.stop();
    await this.standby?.stop();
    await this.primary.stop();
  }
}
