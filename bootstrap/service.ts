import { Container } from 'inversify';
import type { Logger } from 'pino';
import { DatabaseCatalogue } from '../adapters/persistence/catalogue.ts';
import { DatabaseClients } from '../adapters/persistence/clients.ts';
import type { Database } from '../adapters/persistence/database.ts';
import { DatabaseRefreshTokens } from '../adapters/persistence/refresh-tokens.ts';
import { DatabaseSales } from '../adapters/persistence/sales.ts';
import { JwtAccessTokens } from '../adapters/security/access-tokens.ts';
import { CryptoSecrets } from '../adapters/security/secrets.ts';
import { keptSigningKey } from '../adapters/security/signing-key.ts';
import { SystemClock } from '../adapters/system/clock.ts';
import { UlidIdentifiers } from '../adapters/system/identifiers.ts';
import type { Config } from './config.ts';
import { bindHttp } from './http.ts';
import { bind, bindValue } from './token.ts';
import * as t from './tokens.ts';
import { bindUseCases } from './use-cases.ts';

/** The service over its real adapters. Swapping one is one line here. */
export const service = (config: Config & { readonly publicUrl: string }, database: Database, log: Logger): Container => {
  const container = new Container();
  bindValue(container, t.DATABASE, database);
  bindValue(container, t.LOG, log);
  bindValue(container, t.PUBLIC_URL, config.publicUrl);
  bindValue(container, t.RATE_LIMIT, config.rateLimit);
  bindValue(container, t.CHECK_READY, () => database.check());

  bind(container, t.CLOCK, {}, () => new SystemClock());
  bind(container, t.IDENTIFIERS, {}, () => new UlidIdentifiers());
  bind(container, t.SECRETS, {}, () => new CryptoSecrets());
  bind(container, t.SALES, { database: t.DATABASE }, (parts) => new DatabaseSales(parts.database));
  bind(container, t.CATALOGUE, { database: t.DATABASE }, (parts) => new DatabaseCatalogue(parts.database));
  bind(container, t.CLIENTS, { database: t.DATABASE }, (parts) => new DatabaseClients(parts.database));
  bind(container, t.REFRESH_TOKENS, { database: t.DATABASE }, (parts) => new DatabaseRefreshTokens(parts.database));
  bind(container, t.ACCESS_TOKENS, { clock: t.CLOCK, issuer: t.PUBLIC_URL }, ({ clock, issuer }) => {
    const signingKey = config.signingKey ?? keptSigningKey(config.dataFolder);
    return new JwtAccessTokens({ signingKey, previousKeys: config.previousKeys, issuer, audience: `${issuer}/api` }, clock);
  });
  bindUseCases(container);
  bindHttp(container);
  return container;
};
