import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { pino } from 'pino';
import { FolderInUse } from '../../adapters/persistence/engine/faults.ts';
import { addressOf } from '../../application/all-groups/group-addresses.ts';
import type { Composed } from '../composition/compose.ts';
import { openGroupDatabase, operatorModules } from '../composition/group-databases.ts';
import { log } from '../composition/infrastructure.ts';
import { alertNotes, providerCallNotes } from '../composition/observed.ts';
import { operatorModule } from '../composition/operator-use-cases.ts';
import { secretSeal } from '../composition/ports.ts';
import { composeGroup, composeService } from '../composition/service.ts';
import {
  type Config,
  type Environment,
  GATEWAY_VARIABLES,
  readConfig,
} from '../settings/config.ts';
import { open } from '../settings/opening.ts';
import type { WithStores } from './add-commands.ts';
import { askService } from './ask-service.ts';
import { type CommandRun, runCommand } from './run-command.ts';
import { showTable } from './show-answer.ts';

/** The user's name; the number of a user that has no name, as in a container. */
const nameOfUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
};

/**
 * Reads only the variables that locate and open the data, and those of the gateway if a command
 * needs it: an operator need not set the others.
 */
const storeConfig = (env: Environment, more?: 'gateway'): Config => {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOL, DATA_DIR } = env;
  const { SECRETS_KEY, SECRETS_KEY_PREVIOUS, PUBLIC_URL } = env;
  // The sandbox is the default of the service: here it would show a wrong gateway.
  if (more === 'gateway' && !env['PAYMENT_GATEWAY'])
    throw new Error(
      'PAYMENT_GATEWAY is missing: set it, and the variables of that gateway, as for the service',
    );
  const config = readConfig({
    ...{ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOL, DATA_DIR },
    ...{ SECRETS_KEY, SECRETS_KEY_PREVIOUS, PUBLIC_URL },
    ...(more === 'gateway' &&
      Object.fromEntries(GATEWAY_VARIABLES.map((name) => [name, env[name]]))),
  });
  const { database } = config;
  if (database.kind === 'embedded' && !existsSync(database.folder ?? ''))
    throw new Error(
      'there is no database: set DATABASE_URL or DATA_DIR as for the service, and start that once',
    );
  return config;
};

const NOTES = { alertNotes, providerCallNotes };

/** Stores the alerts, and the answers of providers, that a command caused. @throws Unavailable */
const storeNotes = async (service: Composed): Promise<void> => {
  const notes = Object.values(service.pick(NOTES));
  const stored = await Promise.allSettled(notes.map((each) => each.flush()));
  for (const each of stored) if (each.status === 'rejected') throw each.reason;
};

/** The streams of a command: for its answer, and for what went wrong. */
interface Streams {
  readonly stdout: {
    readonly isTTY?: boolean;
    /** Width of a terminal. */
    readonly columns?: number;
    write(text: string): unknown;
  };
  readonly stderr: { write(text: string): unknown };
}

/**
 * Opens the database that the settings name, for one command. If a running service has the embedded
 * database, that service runs the command.
 *
 * @param runElsewhere has the service of a data folder run the command; undefined if no service runs
 */
const openStores =
  (
    env: Environment,
    { stderr }: Pick<Streams, 'stderr'>,
    runElsewhere: (dataFolder: string) => Promise<true | undefined>,
  ): WithStores =>
  async (act, more) => {
    const config = storeConfig(env, more);
    const database = await open(config).catch(async (error: unknown) => {
      if (error instanceof FolderInUse && (await runElsewhere(config.dataFolder ?? '')))
        return undefined;
      throw error;
    });
    if (database === undefined) return;
    // Alerts are log lines as well. They go to stderr: stdout has the answer.
    const level = more === 'gateway' ? 'warn' : 'silent';
    const log = pino({ level }, { write: (line) => void stderr.write(line) });
    try {
      const { publicUrl = '' } = config;
      const service = await composeService({
        config: { ...config, publicUrl, ...COMMAND },
        ...{ database, log, more: operatorModules(config) },
      });
      await act(service).catch(async (error: unknown) => {
        // The command's own error is the one to show.
        await storeNotes(service).catch(() => {});
        throw error;
      });
      await storeNotes(service);
    } finally {
      await database.close();
    }
  };

/** Opens the database of a group for one command. */
const actInGroup = async (
  env: Environment,
  ...[group, act, service, more]: Parameters<CommandRun['inGroup']>
): Promise<void> => {
  const config = { ...storeConfig(env, more), ...COMMAND };
  const { publicUrl = '' } = config;
  const address = addressOf(group, service.get(secretSeal));
  const database = await openGroupDatabase(address, group.number, config);
  try {
    const composed = await composeGroup({
      config: { ...config, publicUrl },
      ...{ database, service, log: service.get(log), group: group.number },
      more: [operatorModule],
    });
    await act(composed);
    await storeNotes(composed);
  } finally {
    await database.close();
  }
};

/** What a command does not do. */
const COMMAND = { servesHttp: false, doesJobs: false, hasMetrics: false };

/**
 * Runs the operator's command that the arguments name. A terminal gets tables, unless `--json` is
 * among the arguments; a pipe and a file get JSON.
 *
 * @returns the exit code: 0 if it did its work
 */
export const operate = async (
  argv: readonly string[],
  env: Environment,
  { stdout, stderr }: Streams,
): Promise<number> => {
  const user = `${nameOfUser()}@${hostname()}`;
  const asTable = stdout.isTTY === true && !argv.includes('--json');
  const print = (answer: object): void => {
    const text = asTable ? showTable(answer, stdout.columns) : JSON.stringify(answer, null, 2);
    stdout.write(`${text}\n`);
  };
  const complain = (text: string): void => void stderr.write(text);
  let codeElsewhere: number | undefined;
  const runElsewhere = async (dataFolder: string): Promise<true | undefined> => {
    codeElsewhere = await askService(dataFolder, { argv, user }, { print, complain });
    return codeElsewhere === undefined ? undefined : true;
  };
  const code = await runCommand(argv, {
    user,
    print,
    explain: (text) => void stdout.write(text),
    complain,
    withStores: openStores(env, { stderr }, runElsewhere),
    inGroup: (...given) => actInGroup(env, ...given),
  });
  return codeElsewhere ?? code;
};
