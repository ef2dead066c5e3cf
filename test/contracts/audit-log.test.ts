import { expect } from 'chai';
import type { Instant } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import { ADMINISTRATOR, entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

const ENTRIES: readonly AuditEntry[] = [
  entry({ at: '2026-11-20T10:00:00.000Z' as Instant }),
  entry({
    at: '2026-11-20T11:00:00.000Z' as Instant,
    action: 'token.refused',
    actor: { kind: 'unknown', name: null, address: '2001:db8::1', requestId: 'r' },
    subject: null,
    reason: 'invalid_client',
    changes: [],
  }),
  entry({
    at: '2026-11-20T12:00:00.000Z' as Instant,
    action: 'client.secret_rotated',
    actor: { kind: 'operator', name: 'maria', address: null, requestId: null },
    changes: [{ field: 'secrets.0', before: { a: [1, 'ção'] }, after: null }],
  }),
];

overEveryStore('the audit log', (store) => {
  const list = async (query: object, limit = 100) => store().auditLog.list({ ...query, limit });

  it('lists appended entries unchanged, the newest first, each with a number', async () => {
    for (const each of ENTRIES) await store().auditLog.append(each);
    const found = await list({});
    expect(found.map(({ number: _, ...rest }) => rest)).to.deep.equal([...ENTRIES].reverse());
    const numbers = found.map(({ number }) => number);
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((one, other) => other - one));
  });

  it('filters by action, actor, subject and time together, up to a limit', async () => {
    const actions = async (query: object, limit?: number) =>
      (await list(query, limit)).map(({ action }) => action);
    expect(await actions({ action: 'token.refused' })).to.deep.equal(['token.refused']);
    expect(await actions({ actor: 'maria' })).to.deep.equal(['client.secret_rotated']);
    expect(await actions({ actor: ADMINISTRATOR.name })).to.deep.equal(['client.created']);
    expect(await actions({ subject: 'api-client/client-1' })).to.deep.equal([
      'client.secret_rotated',
      'client.created',
    ]);
    expect(await actions({ subject: 'api-client/client-1', actor: 'maria' })).to.deep.equal([
      'client.secret_rotated',
    ]);
    expect(await actions({ from: '2026-11-20T11:00:00.000Z' })).to.deep.equal([
      'client.secret_rotated',
      'token.refused',
    ]);
    expect(await actions({ to: '2026-11-20T11:00:00.000Z' })).to.deep.equal(['client.created']);
    // The first and the last times that can be written.
    const ever = { from: '0001-01-01T00:00:00.000Z', to: '9999-12-31T23:59:59.000Z' };
    expect(await actions(ever)).to.deep.equal(await actions({}));
    expect(await actions({}, 1)).to.deep.equal(['client.secret_rotated']);
  });

  it('lists the entries before a number', async () => {
    const [newest, next] = await list({});
    expect(await list({ before: newest?.number }, 1)).to.deep.equal([next]);
    expect(await list({ before: 1 })).to.deep.equal([]);
  });
});
