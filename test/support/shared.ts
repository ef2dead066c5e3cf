import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import { removeFolder, temporaryFolder } from './children.ts';
import { PostgresServer, rowsIn } from './postgres.ts';

/**
 * A PostgreSQL server and an empty embedded database, shared by all test processes of one run.
 * Mocha's main process makes each when it is first needed. The workers of `mocha --parallel`
 * ask the main process for them over HTTP, at the address in this environment variable.
 */
const ADDRESS_VARIABLE = 'TEST_SHARED_ADDRESS';

const MAX_CONNECTIONS = 200;

class MainProcess {
  readonly #folder = temporaryFolder('insurance-sales-shared-');
  readonly #postgres = new PostgresServer(process.env['TEST_DATABASE_URL'], {
    max_connections: MAX_CONNECTIONS,
    // A crash of this server ends the run: nothing has to survive it.
    ...{ synchronous_commit: 'off', full_page_writes: 'off' },
  });
  readonly #server: Server;
  #embedded: Promise<string> | undefined;

  constructor() {
    this.#server = createServer(async (request, response) => {
      try {
        response.end(await this.#answer(request.url ?? ''));
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1').unref();
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    process.env[ADDRESS_VARIABLE] = `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#postgres.stop();
    removeFolder(this.#folder);
  }

  #answer(path: string): Promise<string> {
    if (path === '/postgres') return this.#postgres.url();
    this.#embedded ??= this.#makeEmbedded();
    return this.#embedded;
  }

  /** In a process of its own: making it takes seconds, and the workers need answers meanwhile. */
  async #makeEmbedded(): Promise<string> {
    const folder = join(this.#folder, 'database');
    await promisify(execFile)(process.execPath, [import.meta.filename, folder]);
    return folder;
  }
}

let mainProcess: MainProcess | undefined;

export const startSharing = async (): Promise<void> => {
  mainProcess = new MainProcess();
  await mainProcess.start();
};

export const stopSharing = async (): Promise<void> => {
  await mainProcess?.stop();
};

const askMainProcess = async (what: 'postgres' | 'embedded'): Promise<string> => {
  const address = process.env[ADDRESS_VARIABLE];
  if (address === undefined) throw new Error('tests that need a database are run by mocha');
  const answer = await fetch(`${address}/${what}`, { headers: { Connection: 'close' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
};

/** Loaded when it is first needed: most test files need no database. */
const persistence = () => import('../../adapters/persistence/engine/database.ts');

/** Runs the migrations, and creates the tables of the job queue. */
const createTables = async (database: Database): Promise<void> => {
  const { JobQueue } = await import('../../adapters/jobs/queue.ts');
  const jobs = new JobQueue({ ...database, failed: () => {} });
  await database.migrate();
  await jobs.prepare();
  await jobs.stop();
};

class SharedPostgres {
  #url: Promise<string> | undefined;
  #template: Promise<string> | undefined;

  /** Creates an empty database. @returns its URL */
  database(): Promise<string> {
    return this.#create('');
  }

  /** Creates a database with all tables, empty. @returns its URL */
  async migratedDatabase(): Promise<string> {
    this.#template ??= this.#createTemplate();
    return this.#create(`template ${await this.#template}`);
  }

  async #create(options: string): Promise<string> {
    this.#url ??= askMainProcess('postgres');
    const url = new URL(await this.#url);
    const name = `test_${randomBytes(6).toString('hex')}`;
    await rowsIn(url.href, `create database ${name} ${options}`);
    url.pathname = `/${name}`;
    return url.href;
  }

  async #createTemplate(): Promise<string> {
    const url = await this.database();
    const { openPostgres } = await persistence();
    const database = await openPostgres({ url, pool: 2 });
    await createTables(database);
    await database.close();
    return new URL(url).pathname.slice(1);
  }
}

/** One server for all tests of a run; each suite creates databases of its own on it. */
export const sharedPostgres = new SharedPostgres();

let embedded: Promise<string> | undefined;

/** The folder of an empty embedded database, and beside it a dump of it. */
const embeddedTemplate = (): Promise<string> => {
  embedded ??= askMainProcess('embedded');
  return embedded;
};

/** A new DATA_DIR whose database is empty. A copy saves the 4 s that PGlite's initdb takes. */
export const embeddedDataFolder = async (): Promise<string> => {
  const folder = temporaryFolder();
  await promisify(execFile)('cp', ['-R', await embeddedTemplate(), join(folder, 'database')]);
  return folder;
};

let dump: ArrayBuffer | undefined;

/** Opens a new, empty embedded database in memory. */
export const openEmptyEmbedded = async (): Promise<Database> => {
  dump ??= new Uint8Array(readFileSync(`${await embeddedTemplate()}.tar`)).buffer;
  const content = dump;
  const { openEmbedded } = await persistence();
  return openEmbedded(undefined, { arrayBuffer: async () => content });
};

/** Run by the main process: creates the embedded database in the given folder, and its dump. */
const createTemplate = async (folder: string): Promise<void> => {
  const { PGlite } = await import('@electric-sql/pglite');
  const client = await PGlite.create(folder);
  const content = await client.dumpDataDir('none');
  writeFileSync(`${folder}.tar`, Buffer.from(await content.arrayBuffer()));
  await client.close();
};

if (import.meta.main) await createTemplate(process.argv[2] ?? '');
