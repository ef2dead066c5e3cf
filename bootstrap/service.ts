import { Container } from 'inversify';
import type { Logger } from 'pino';
import { describeFault } from '../adapters/http/errors.ts';
import { JobQueue } from '../adapters/jobs/queue.ts';
import { AjvAttributeSchemas } from '../adapters/json-schema/ajv-attribute-schemas.ts';
import { LocalCounters, NoCounters, SharedCounters } from '../adapters/limits/counters.ts';
import { DatabaseAuditLog } from '../adapters/persistence/audit-log.ts';
import { DatabaseCatalogue } from '../adapters/persistence/catalogue.ts';
import { DatabaseClients } from '../adapters/persistence/clients.ts';
import type { Database } from '../adapters/persistence/database.ts';
import { DatabaseNotices } from '../adapters/persistence/payment-notices.ts';
import { DatabaseRefreshTokens } from '../adapters/persistence/refresh-tokens.ts';
import { DatabaseSales } from '../adapters/persistence/sales.ts';
import { CryptoSecrets } from '../adapters/security/crypto-secrets.ts';
import { JwtAccessTokens } from '../adapters/security/jwt-access-tokens.ts';
import { createKeyedHash, deriveSecret } from '../adapters/security/keyed-hash.ts';
import { UlidIdentifiers } from '../adapters/security/randomness.ts';
import { loadOrCreateSigningKey } from '../adapters/security/signing-key.ts';
import { LoggedAlerts } from '../adapters/system/alert-log.ts';
import { SystemClock } from '../adapters/system/clock.ts';
import type { Counters } from '../application/counters.ts';
import type { Config } from './config.ts';
import { bindHttp } from './http.ts';
import { bindCertificateAdapters } from './mail.ts';
import { bindGateway, bindIssuer } from './providers.ts';
import { bind, bindValue, Token } from './token.ts';
import * as t from './tokens.ts';
import { bindUseCases } from './use-cases.ts';

const JWT = new Token<JwtAccessTokens>('JwtAccessTokens');

/** Processes that share a database count together; the embedded one serves one process alone. */
const countersFor = ({ rateLimit, database: { kind } }: Config, database: Database): Counters => {
  if (rateLimit === 'off') return new NoCounters();
  if (kind === 'embedded') return new LocalCounters();
  return new SharedCounters(database.run);
};

/** What waits in the database to be done, and what is stored together with it. */
const bindWork = (container: Container): void => {
  bind(
    container,
    t.JOBS,
    { database: t.DATABASE, log: t.LOG },
    ({ database: { executor, isEmbedded }, log }) => {
      const failed = (error: unknown): void =>
        log.warn({ fault: describeFault(error) }, 'a job failed and will be done again');
      return new JobQueue({ executor, isEmbedded, failed });
    },
  );
  const stored = { database: t.DATABASE, jobs: t.JOBS };
  bind(
    container,
    t.SALES,
    stored,
    ({ database, jobs }) => new DatabaseSales(database, (...task) => jobs.enqueue(...task)),
  );
  bind(
    container,
    t.NOTICES,
    stored,
    ({ database, jobs }) => new DatabaseNotices(database, (...task) => jobs.enqueue(...task)),
  );
};

/** The service over its real adapters. Swapping one is one line here. */
export const service = (
  config: Config & { readonly publicUrl: string },
  database: Database,
  log: Logger,
): Container => {
  const container = new Container();
  bindValue(container, t.DATABASE, database);
  bindValue(container, t.LOG, log);
  bindValue(container, t.PUBLIC_URL, config.publicUrl);
  bindValue(container, t.TRUST_PROXY, config.trustProxy);
  bindValue(container, t.CHECK_READY, () => database.check());

  bind(container, t.CLOCK, {}, () => new SystemClock());
  bind(container, t.IDENTIFIERS, {}, () => new UlidIdentifiers());
  bind(container, t.SECRETS, {}, () => new CryptoSecrets());
  bind(container, t.ALERTS, { log: t.LOG }, ({ log }) => new LoggedAlerts(log));
  bind(
    container,
    t.SIGNING_KEY,
    {},
    () => config.signingKey ?? loadOrCreateSigningKey(config.dataFolder),
  );
  bind(container, t.FINGERPRINT, { signingKey: t.SIGNING_KEY }, ({ signingKey }) =>
    createKeyedHash(deriveSecret('cards', signingKey)),
  );
  bindWork(container);
  bindGateway(container, config);
  bindIssuer(container, config);
  bindCertificateAdapters(container, config);
  bind(container, t.ATTRIBUTE_SCHEMAS, {}, () => new AjvAttributeSchemas());
  bind(
    container,
    t.CATALOGUE,
    { database: t.DATABASE },
    (parts) => new DatabaseCatalogue(parts.database),
  );
  bind(
    container,
    t.CLIENTS,
    { database: t.DATABASE },
    (parts) => new DatabaseClients(parts.database),
  );
  bind(
    container,
    t.REFRESH_TOKENS,
    { database: t.DATABASE },
    (parts) => new DatabaseRefreshTokens(parts.database),
  );
  bind(
    container,
    t.AUDIT_LOG,
    { database: t.DATABASE },
    (parts) => new DatabaseAuditLog(parts.database),
  );
  bind(container, t.COUNTERS, {}, () => countersFor(config, database));
  bindValue(container, t.PER_MINUTE, config.rateLimit);

  const issuer = config.publicUrl;
  const signing = { previousKeys: config.previousKeys, issuer, audience: `${issuer}/api` };
  bind(container, JWT, { clock: t.CLOCK, signingKey: t.SIGNING_KEY }, ({ clock, signingKey }) => {
    return new JwtAccessTokens({ ...signing, signingKey }, clock);
  });
  bind(container, t.ACCESS_TOKENS, { jwt: JWT }, ({ jwt }) => jwt);
  bind(
    container,
    t.KEY_SET,
    { jwt: JWT },
    ({ jwt }) =>
      () =>
        jwt.keySet(),
  );
  bindUseCases(container);
  bindHttp(container);
  return container;
};
