import { resolve } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { listen } from '../adapters/http/server.ts';
import { ConfigFaults, readConfig } from './config.ts';
import { prepare } from './first-run.ts';
import { keepHouse } from './housekeeping.ts';
import { open, reason } from './opening.ts';
import { service } from './service.ts';
import { get } from './token.ts';
import * as t from './tokens.ts';
import { welcome } from './welcome.ts';
import { workersOf } from './workers.ts';

/**
 * JSON lines on stdout, those together that come while others are written: no request waits for its line. Readable ones
 * where a person looks.
 */
const logTo = async (level: string): Promise<pino.Logger> => {
  const destination: DestinationStream = process.stdout.isTTY
    ? (await import('pino-pretty')).default({ sync: true, ignore: 'pid,hostname' })
    : pino.destination({ sync: false });
  return pino({ level, base: { service: 'insurance-sales' }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
};

const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = await logTo(config.logLevel);
  for (const variable of config.withoutEffect) log.warn({ variable }, 'this variable has no effect in this version');
  const server = await listen({ ...config, secure: config.publicUrl?.startsWith('https:') ?? false });
  const { address } = server;
  if (config.publicUrl === undefined && /^(0\.0\.0\.0|::)$/.test(config.host))
    log.warn('PUBLIC_URL is not set: tokens and metadata name an address that nobody can reach');
  const publicUrl = config.publicUrl ?? address;
  const database = await open(config);
  const container = service({ ...config, publicUrl }, database, log);
  const firstRun = await database.exclusively(async () => {
    await database.migrate();
    await get(container, t.JOBS).prepare();
    return prepare(container, config);
  });

  const stopHousekeeping = keepHouse(container);
  const leave = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping');
    stopHousekeeping();
    await server.stop();
    await get(container, t.JOBS).stop();
    await get(container, t.RELEASE)();
    await database.close();
    log.info('stopped');
    // As above all else is at rest; an embedded database may have left a timer behind that would keep the process.
    process.exit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, leave);

  server.serve(get(container, t.HTTP_APP).callback());
  await get(container, t.JOBS).work(workersOf(container, address));
  const baseUrl = `${publicUrl}/api`;
  if (config.environment === 'test') {
    const mailFolder = config.mail.kind === 'files' && config.mail.folder ? resolve(config.mail.folder) : undefined;
    process.stdout.write(welcome(baseUrl, get(container, t.CLOCK).today(), firstRun, mailFolder));
  }
  log.info({ address, baseUrl, environment: config.environment, database: config.database.kind }, 'listening');
};

try {
  await start();
} catch (error) {
  const known = error instanceof ConfigFaults ? '' : 'the service could not start: ';
  process.stderr.write(`${known}${reason(error)}\n`);
  process.exit(1);
}
