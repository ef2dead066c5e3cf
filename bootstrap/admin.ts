import { hostname, userInfo } from 'node:os';
import { pino } from 'pino';
import type { Actor } from '../application/audit/audit-log.ts';
import { readConfig } from './config.ts';
import { open, reason } from './opening.ts';
import { operatorCommands } from './operator-commands.ts';
import { service } from './service.ts';

/** Whoever is at the command line. */
const operator = (): Actor => {
  const name = `${userInfo().username}@${hostname()}`;
  return { kind: 'operator', name, address: null, requestId: null };
};

const print = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);

try {
  await operatorCommands(operator(), print, async (act) => {
    const config = readConfig(process.env);
    const database = await open(config);
    try {
      await database.exclusively(() => database.migrate());
      await act(service({ ...config, publicUrl: config.publicUrl ?? '' }, database, pino({ level: 'silent' })));
    } finally {
      await database.close();
    }
  }).parseAsync();
} catch (error) {
  process.stderr.write(`${reason(error)}\n`);
  process.exitCode = 1;
}
