import type { Instant } from '#domain';
import type { Actor, AuditEntry } from '../../application/audit/audit-log.ts';
import type { ApiClient } from '../../application/identity/clients.ts';
import type { Applicant } from '../../application/identity/token-refusals.ts';

export const AT = '2026-11-20T15:00:00.000Z' as Instant;

export const ADMINISTRATOR: Actor = {
  kind: 'client',
  name: 'admin-1',
  address: '192.0.2.1',
  requestId: 'request-1',
};

export const APPLICANT: Applicant = {
  address: '192.0.2.7',
  network: '192.0.2.7',
  requestId: 'request-7',
};

export const entry = (over: Partial<AuditEntry> = {}): AuditEntry => ({
  at: AT,
  action: 'client.created',
  actor: ADMINISTRATOR,
  subject: 'api-client/client-1',
  reason: null,
  changes: [{ field: 'status', before: null, after: 'active' }],
  ...over,
});

export const client = (clientId: string, over: Partial<ApiClient> = {}): ApiClient => ({
  clientId,
  name: 'Bilheteria São João',
  channelLink: 'canal-demo',
  scopes: ['sales'],
  status: 'active',
  secrets: [{ hash: 'abc', createdAt: AT, expiresAt: null }],
  generation: 0,
  createdAt: '2026-11-20T15:00:00.123Z' as Instant,
  version: 1,
  ...over,
});
