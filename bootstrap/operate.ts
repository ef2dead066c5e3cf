import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { pino } from 'pino';
import type { Actor } from '../application/audit/audit-log.ts';
import { type Config, readConfig } from './config.ts';
import { open, reason } from './opening.ts';
import { operatorCommands } from './operator-commands.ts';
import { composeService } from './service.ts';

/** The user's name; the number of a user that has no name, as in a container. */
const nameOfUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
};

/** The user of the command line. */
const operator = (): Actor => {
  const name = `${nameOfUser()}@${hostname()}`;
  return { kind: 'operator', name, address: null, requestId: null };
};

/** Reads only the variables that locate and open the data; an operator need not set the others. */
const storeConfig = (): Config => {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOL, DATA_DIR } = process.env;
  const { SECRETS_KEY, SECRETS_KEY_PREVIOUS } = process.env;
  const config = readConfig({
    ...{ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_POOL, DATA_DIR },
    ...{ SECRETS_KEY, SECRETS_KEY_PREVIOUS },
  });
  const { database } = config;
  if (database.kind === 'embedded' && !existsSync(database.folder ?? ''))
    throw new Error(
      'there is no database: set DATABASE_URL or DATA_DIR as for the service, and start that once',
    );
  return config;
};

const print = (answer: object): void =>
  void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);

try {
  await operatorCommands(operator(), print, async (act) => {
    const config = storeConfig();
    const database = await open(config);
    try {
      await act(
        composeService(
          { ...config, publicUrl: config.publicUrl ?? '' },
          database,
          pino({ level: 'silent' }),
        ),
      );
    } finally {
      await database.close();
    }
  }).parseAsync();
} catch (error) {
  process.stderr.write(`${reason(error)}\n`);
  process.exitCode = 1;
}
// An embedded database that was not closed properly leaves a timer behind. End anyway.
process.exit();
