import { type DestinationStream, pino } from 'pino';
import { describeFault } from '../adapters/http/errors.ts';
import { listen } from '../adapters/http/server.ts';
import { openEmbedded, openPostgres } from '../adapters/persistence/database.ts';
import { Unavailable } from '../application/unavailable.ts';
import { type Config, ConfigFaults, readConfig } from './config.ts';
import { prepare } from './first-run.ts';
import { service } from './service.ts';
import { get } from './token.ts';
import * as t from './tokens.ts';
import { welcome } from './welcome.ts';

/** JSON lines on stdout; readable ones where a person looks. */
const logTo = async (level: string): Promise<pino.Logger> => {
  let destination: DestinationStream | undefined;
  if (process.stdout.isTTY) destination = (await import('pino-pretty')).default({ sync: true, ignore: 'pid,hostname' });
  return pino({ level, base: { service: 'insurance-sales' }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
};

const open = ({ database }: Config) => (database.kind === 'postgres' ? openPostgres(database) : openEmbedded(database.folder));

const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = await logTo(config.logLevel);
  for (const variable of config.withoutEffect) log.warn({ variable }, 'this variable has no effect in this version');
  const server = await listen({ ...config, secure: config.publicUrl?.startsWith('https:') ?? false });
  const { address } = server;
  const publicUrl = config.publicUrl ?? address;
  const database = await open(config);
  const container = service({ ...config, publicUrl }, database, log);
  const firstRun = await database.exclusively(async () => {
    await database.migrate();
    return prepare(container, config);
  });

  const leave = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping');
    await server.stop();
    await database.close();
    log.info('stopped');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, leave);

  server.serve(get(container, t.HTTP_APP).callback());
  const baseUrl = `${publicUrl}/api`;
  if (config.environment === 'test') process.stdout.write(welcome(baseUrl, get(container, t.CLOCK).today(), firstRun));
  log.info({ address, baseUrl, environment: config.environment, database: config.database.kind }, 'listening');
};

try {
  await start();
} catch (error) {
  const known = error instanceof ConfigFaults ? error.message : `the service could not start: ${reason(error)}`;
  process.stderr.write(`${known}\n`);
  process.exit(1);
}

/** Our own errors speak for themselves; a driver's may hold a secret, so only its name and code are shown. */
function reason(error: unknown): string {
  if ((error as { code?: unknown }).code === 'EADDRINUSE') return 'PORT is taken by another program: set another one';
  if (error instanceof Unavailable) return `${error.message}: is DATABASE_URL right, and the server up?`;
  if (error instanceof Error && error.name === 'Error' && !('code' in error)) return error.message;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))
    return `the database refused with SQLSTATE ${code}: is DATABASE_URL right?`;
  return JSON.stringify(describeFault(error));
}
