import { Container } from 'inversify';
import { MemoryAccessTokens } from '../adapters/memory/access-tokens.ts';
import { MemoryAuditLog } from '../adapters/memory/audit-log.ts';
import { MemoryCatalogue } from '../adapters/memory/catalogue.ts';
import { MemoryClients } from '../adapters/memory/clients.ts';
import { MemoryClock } from '../adapters/memory/clock.ts';
import { MemoryCounters } from '../adapters/memory/counters.ts';
import { MemoryIdentifiers } from '../adapters/memory/identifiers.ts';
import { MemoryRefreshTokens } from '../adapters/memory/refresh-tokens.ts';
import { MemorySales } from '../adapters/memory/sales.ts';
import { MemorySecrets } from '../adapters/memory/secrets.ts';
import { bind, bindValue } from './token.ts';
import * as t from './tokens.ts';
import { bindUseCases } from './use-cases.ts';

/** Every use-case over in-memory adapters: no file, no network, no waiting. The clock stands at `now` until it is moved. */
export const inMemory = (now = '2026-11-20T15:00:00.000Z'): { readonly container: Container; readonly clock: MemoryClock } => {
  const container = new Container();
  const clock = new MemoryClock(now);
  bindValue(container, t.CLOCK, clock);
  bind(container, t.IDENTIFIERS, {}, () => new MemoryIdentifiers());
  bind(container, t.SECRETS, {}, () => new MemorySecrets());
  bind(container, t.SALES, {}, () => new MemorySales());
  bind(container, t.AUDIT_LOG, {}, () => new MemoryAuditLog());
  const audited = { auditLog: t.AUDIT_LOG };
  bind(container, t.CATALOGUE, audited, ({ auditLog }) => new MemoryCatalogue(auditLog));
  bind(container, t.CLIENTS, audited, ({ auditLog }) => new MemoryClients(auditLog));
  bind(container, t.REFRESH_TOKENS, audited, ({ auditLog }) => new MemoryRefreshTokens(auditLog));
  bind(container, t.COUNTERS, { clock: t.CLOCK }, (parts) => new MemoryCounters(parts.clock));
  bind(container, t.ACCESS_TOKENS, { clock: t.CLOCK }, (parts) => new MemoryAccessTokens(parts.clock));
  bindValue(container, t.PER_MINUTE, 'off');
  bindUseCases(container);
  return { container, clock };
};
