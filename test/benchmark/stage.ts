import { generateKeyPairSync } from 'node:crypto';
import { pino } from 'pino';
import { openPostgres } from '../../adapters/persistence/engine/database.ts';
import { manageClients } from '../../bootstrap/composition/channel-use-cases.ts';
import { jobs } from '../../bootstrap/composition/infrastructure.ts';
import { composeService } from '../../bootstrap/composition/service.ts';
import { FIRST_RUN, prepare } from '../../bootstrap/processes/first-run.ts';
import { readConfig } from '../../bootstrap/settings/config.ts';
import { open } from '../../bootstrap/settings/opening.ts';
import { unwrap } from '../../domain/src/service.ts';
import { temporaryFolder } from '../support/children.ts';
import { PostgresServer, rowsIn } from '../support/postgres.ts';
import { startCommand } from '../support/start-command.ts';
import { ServerProcess } from './server-process.ts';

/** Each client may make 600 requests a minute; so many clients together exceed any machine. */
const CLIENTS = 1_024;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SIGNING_KEY = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** WAL that a new server writes first, and more than a run of benchmarks may keep. */
const [FIRST_WAL_GIB, MAX_WAL_GIB] = [3, 12];

/**
 * Brings a new server into the state of one that has run for a while: its files of WAL are there to
 * be used again. A new file has 16 MiB of zeros written first, for which all commits wait 50 to
 * 200 ms. No checkpoint begins during a measurement.
 */
const settle = async (postgres: PostgresServer): Promise<void> => {
  const url = await postgres.url();
  for (const setting of [
    `checkpoint_timeout = '1d'`,
    `max_wal_size = '${MAX_WAL_GIB}GB'`,
    `min_wal_size = '${MAX_WAL_GIB}GB'`,
  ])
    await rowsIn(url, `alter system set ${setting}`);
  await rowsIn(url, 'select pg_reload_conf()');
  const mebibyte = `pg_logical_emit_message(false, 'benchmark', repeat('x', 1048576))`;
  await rowsIn(url, `select ${mebibyte} from generate_series(1, ${FIRST_WAL_GIB * 1_024})`);
  await rowsIn(url, 'checkpoint');
};

/** A PostgreSQL server, with this service and the contenders, each on a database of its own. */
export class Stage {
  readonly postgres = new PostgresServer(process.env['BENCH_DATABASE_URL'], { fsync: 'on' });
  readonly #processes: ServerProcess[] = [];
  #settled: Promise<void> | undefined;

  /** Creates a database with the service's tables, and an outbox for contenders that write one. */
  async database(): Promise<string> {
    this.#settled ??= this.postgres.isOwn ? settle(this.postgres) : Promise.resolve();
    await this.#settled;
    const url = await this.postgres.database();
    const database = await openPostgres({ url, pool: 2 });
    await database.migrate();
    await database.close();
    await rowsIn(
      url,
      `create table outbox (id bigserial primary key, topic text not null, payload jsonb not null)`,
    );
    return url;
  }

  async start(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<ServerProcess> {
    const started = new ServerProcess(command, environment);
    this.#processes.push(started);
    await started.ready(/^ready at (\S+)$/m);
    return started;
  }

  /** Starts the service with its default settings. @param url undefined: embedded database */
  async service(
    url: string | undefined,
    environment: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
  ) {
    const common = {
      ...(url !== undefined && { DATABASE_URL: url }),
      DATA_DIR: temporaryFolder(),
      SIGNING_KEY,
      PORT: '0',
    };
    const credentials = await makeClients(common);
    const start = startCommand();
    const started = new ServerProcess([...start.flags, ...flags, start.file], {
      ...common,
      MALLOC_ARENA_MAX: '2',
      ...environment,
    });
    this.#processes.push(started);
    const startedIn = await started.ready(/"baseUrl":"([^"]+)"/);
    const tokens: string[] = [];
    for (const each of credentials) tokens.push(await tokenFor(started.url, each));
    return {
      process: started,
      credentials,
      tokens,
      startedIn,
      environment: { ...common, ...environment },
    };
  }

  /** Verifies the access tokens. */
  get publicKey(): string {
    return JSON.stringify(publicKey.export({ format: 'jwk' }));
  }

  async close(): Promise<void> {
    for (const each of this.#processes) await each.end();
    await this.postgres.stop();
  }
}

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Creates partners of the demo channel with the service's use-case, before the service starts. */
const makeClients = async (
  environment: Readonly<Record<string, string>>,
): Promise<readonly Credentials[]> => {
  const config = readConfig(environment);
  const database = await open(config);
  await database.migrate();
  const service = await composeService({
    config: { ...config, publicUrl: 'http://127.0.0.1', servesHttp: false },
    ...{ database, log: pino({ level: 'silent' }) },
  });
  await service.get(jobs).prepare();
  await prepare(service.pick(FIRST_RUN), config);
  const { create } = service.get(manageClients);
  const actor = { kind: 'service', name: null, address: null, requestId: null } as const;
  const partner = {
    name: 'Parceiro',
    channelLink: 'canal-demo',
    scopes: ['sales'] as const,
    active: true,
  };
  const made: Credentials[] = [];
  for (let count = 0; count < CLIENTS; count += 1) {
    const created = unwrap(await create(partner, actor));
    made.push({ client_id: created.client.clientId, client_secret: created.clientSecret });
  }
  await service.get(jobs).stop();
  await database.close();
  return made;
};

const tokenFor = async (baseUrl: string, credentials: Credentials): Promise<string> => {
  const init = {
    method: 'POST',
    body: JSON.stringify(credentials),
    headers: { 'Content-Type': 'application/json' },
  };
  const answer = (await (await fetch(`${baseUrl}/seguros/auth/token`, init)).json()) as {
    access_token: string;
  };
  return answer.access_token;
};
