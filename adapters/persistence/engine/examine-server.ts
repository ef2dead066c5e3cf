import pg from 'pg';
import { asStoreFault, nameLostConnection } from './faults.ts';

interface Server {
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly triggers: string;
  /** The connections of ordinary users in all, or of this role if it has a limit of its own. */
  readonly connections: number;
}

const EXAMINE = `
  select current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
    current_setting('default_transaction_read_only')::boolean as "isReadOnly",
    current_setting('session_replication_role') as triggers,
    least(
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
    ) as connections`;

/** Why the service cannot use a server, in words for an operator. */
const faultOf = ({ encoding, isStandby, isReadOnly, triggers }: Server): string | undefined => {
  if (encoding !== 'UTF8')
    return `names a database in the encoding ${encoding}, which lacks most characters of names: create one with "encoding 'UTF8' template template0"`;
  if (isStandby)
    return 'names a standby, which only reads: it must name the primary (a standby may be DATABASE_READ_URL)';
  if (isReadOnly)
    return 'names a database that only reads: default_transaction_read_only is on for it or this role';
  return triggers === 'origin'
    ? undefined
    : `names a database without triggers, so that no event would be told: session_replication_role is ${triggers}`;
};

const CERTIFICATE =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF).*|CERT_.*|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/;

/** Why no connection could be opened; undefined: the server is away, or it is something else. */
const refusalOf = (error: unknown): string | undefined => {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === 'open')
    return `names a file (sslrootcert, sslcert or sslkey) that cannot be read (${code})`;
  if (CERTIFICATE.test(code))
    return `names a server whose certificate is not trusted (${code}): name its authority with sslrootcert=FILE, and the server as the certificate does`;
  if (message === 'The server does not support SSL connections')
    return 'asks for TLS (sslmode), which the server does not offer';
  if (code === '28P01' || code === '28000')
    return `names a user, a password or a way to connect that the server refuses (SQLSTATE ${code})`;
  return code === '3D000' ? 'names a database that does not exist (SQLSTATE 3D000)' : undefined;
};

/** @throws Unavailable, Error */
const askServer = async (url: string, variable: string): Promise<Server> => {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<Server>(EXAMINE);
    return rows[0] as Server;
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal === undefined
      ? asStoreFault(nameLostConnection(error))
      : new Error(`${variable} ${refusal}`);
  } finally {
    await client?.end().catch(() => {});
  }
};

/**
 * Looks whether the service can use a server, and how many connections it allows.
 *
 * @param variable that holds the URL, for the words of an error
 * @throws Unavailable, Error
 */
export const examineServer = async (url: string, variable: string): Promise<number> => {
  const server = await askServer(url, variable);
  const fault = faultOf(server);
  if (fault !== undefined) throw new Error(`${variable} ${fault}`);
  return server.connections;
};

/** Each process has one connection beside its pool, on which it listens for changes. */
const LISTENERS_PER_PROCESS = 1;

/** The connections that stay free for the command line and for operators. */
const SPARE_CONNECTIONS = 4;

const SMALLEST_POOL = 2;

/**
 * Returns the size of each process's pool: `wanted`, or less where the server does not allow as
 * many.
 *
 * @throws Error where not even 2 connections per process are left
 */
export const choosePoolSize = (limit: number, processes: number, wanted: number): number => {
  const largest = Math.floor((limit - SPARE_CONNECTIONS) / processes) - LISTENERS_PER_PROCESS;
  if (largest < SMALLEST_POOL)
    throw new Error(
      `DATABASE_URL's server allows ${limit} connections: ` +
        `too few for ${processes} processes (WEB_CONCURRENCY)`,
    );
  return Math.min(wanted, largest);
};
