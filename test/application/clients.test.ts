import { expect } from 'chai';
import { isRefusal, refuse, unwrap } from '#domain';
import type { MemoryClock } from '../../adapters/memory/clock.ts';
import type { LogIn } from '../../application/identity/log-in.ts';
import type {
  ClientRequest,
  ManageClients,
  NewSecret,
} from '../../application/identity/manage-clients.ts';
import type { RefreshLogin } from '../../application/identity/refresh-login.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR, APPLICANT } from '../support/identity.ts';
import { channelWorld } from '../support/selling.ts';

const HOUR = 3_600;

describe('managing clients', () => {
  let memory: MemoryService;
  let clock: MemoryClock;
  let manage: ManageClients;
  let tokens: { readonly login: LogIn; readonly refresh: RefreshLogin };

  beforeEach(async () => {
    memory = await channelWorld();
    clock = memory.clock;
    manage = memory.useCases.manageClients;
    tokens = { login: memory.useCases.logIn, refresh: memory.useCases.refreshLogin };
  });

  const create = async (over: Partial<ClientRequest> = {}): Promise<NewSecret> => {
    const request = {
      name: 'Bilheteria',
      channelLink: 'canal-demo',
      scopes: ['sales'] as const,
      active: true,
      ...over,
    };
    const created = unwrap(await manage.create(request, ADMINISTRATOR));
    return created;
  };
  const login = (clientId: string, clientSecret: string) =>
    tokens.login({ clientId, clientSecret }, APPLICANT);
  const opens = async ({ client: { clientId } }: NewSecret, secret: string) =>
    (await login(clientId, secret)).kind === 'granted';
  const loggedIn = async ({ client: { clientId }, clientSecret }: NewSecret) => {
    const grant = await login(clientId, clientSecret);
    if (isRefusal(grant)) throw new Error(grant.kind);
    return grant;
  };
  const isAlive = async (accessToken: string) =>
    (await memory.useCases.authenticate(accessToken)) !== undefined;
  const log = async () =>
    (await memory.auditLog.list({ limit: 100 })).filter(({ action }) =>
      action.startsWith('client.'),
    );

  it('stores only the hash of a secret, and writes neither to the audit log', async () => {
    const { client, clientSecret } = await create();
    const kept = await memory.clients.find(client.clientId);
    expect(kept).to.deep.equal(client);
    expect(JSON.stringify(await log()))
      .not.to.include(clientSecret)
      .and.not.to.include(kept?.secrets[0]?.hash);
    expect(kept?.secrets.map(({ hash }) => hash)).not.to.include(clientSecret);
  });

  it('refuses a chosen client id that is taken, and keeps its secret', async () => {
    const request = {
      name: 'Administrador',
      channelLink: null,
      scopes: ['admin' as const],
      active: true,
    };
    const chosen = (clientSecret: string) => ({
      ...request,
      credentials: { clientId: 'root', clientSecret },
    });
    expect(await manage.create(chosen('first'), ADMINISTRATOR)).not.to.satisfy(isRefusal);
    expect(await manage.create(chosen('second'), ADMINISTRATOR)).to.deep.equal(
      refuse('client_id_taken'),
    );
    expect(await login('root', 'second')).to.deep.equal(refuse('invalid_client'));
    expect((await log()).filter(({ action }) => action === 'client.created')).to.have.length(1);
  });

  it('ends the tokens of a deactivated client, also after it is reactivated', async () => {
    const created = await create();
    const { clientId } = created.client;
    const grant = await loggedIn(created);
    expect(
      unwrap(await manage.changeStatus(clientId, 'deactivate', ADMINISTRATOR)).client.status,
    ).to.equal('inactive');
    expect(await isAlive(grant.accessToken)).to.equal(false);
    expect(await opens(created, created.clientSecret)).to.equal(false);

    expect(
      unwrap(await manage.changeStatus(clientId, 'activate', ADMINISTRATOR)).client.status,
    ).to.equal('active');
    expect(await isAlive(grant.accessToken)).to.equal(false);
    expect((await tokens.refresh(grant.refreshToken, APPLICANT)).kind).to.equal('invalid_grant');
    expect(await isAlive((await loggedIn(created)).accessToken)).to.equal(true);
  });

  it('ends all access of a revoked client for good', async () => {
    const created = await create();
    const { clientId } = created.client;
    const { accessToken } = await loggedIn(created);
    const { client } = unwrap(await manage.changeStatus(clientId, 'revoke', ADMINISTRATOR));
    expect(client).to.deep.include({ status: 'revoked', secrets: [] });
    expect(await isAlive(accessToken)).to.equal(false);
    expect(await opens(created, created.clientSecret)).to.equal(false);
    expect(await manage.changeStatus(clientId, 'activate', ADMINISTRATOR)).to.deep.equal(
      refuse('client_revoked'),
    );
    expect(await manage.changeStatus(clientId, 'deactivate', ADMINISTRATOR)).to.deep.equal(
      refuse('client_revoked'),
    );
    expect(await manage.rotateSecret(clientId, 24, ADMINISTRATOR)).to.deep.equal(
      refuse('client_revoked'),
    );
  });

  it('accepts the old secret beside the new one until the grace period ends', async () => {
    const created = await create();
    const { clientId } = created.client;
    const { accessToken } = await loggedIn(created);
    const rotated = unwrap(await manage.rotateSecret(clientId, 24, ADMINISTRATOR));
    expect(await opens(created, created.clientSecret)).to.equal(true);
    expect(await opens(created, rotated.clientSecret)).to.equal(true);
    expect(await isAlive(accessToken)).to.equal(true);
    clock.advance(24 * HOUR - 1);
    expect(await opens(created, created.clientSecret)).to.equal(true);
    clock.advance(1);
    expect(await opens(created, created.clientSecret)).to.equal(false);
    expect(await opens(created, rotated.clientSecret)).to.equal(true);
  });

  it('keeps at most two valid secrets: a third one ends the first', async () => {
    const created = await create();
    const { clientId } = created.client;
    const second = unwrap(await manage.rotateSecret(clientId, 168, ADMINISTRATOR));
    const third = unwrap(await manage.rotateSecret(clientId, 1, ADMINISTRATOR));
    expect(await opens(created, created.clientSecret)).to.equal(false);
    expect(await opens(created, second.clientSecret)).to.equal(true);
    expect(await opens(created, third.clientSecret)).to.equal(true);
    clock.advance(HOUR);
    expect(await opens(created, second.clientSecret)).to.equal(false);
    expect(await opens(created, third.clientSecret)).to.equal(true);
  });

  it('ends the old secret and all logins at once if the grace period is 0 h', async () => {
    const created = await create();
    const { accessToken, refreshToken } = await loggedIn(created);
    const rotated = unwrap(await manage.rotateSecret(created.client.clientId, 0, ADMINISTRATOR));
    expect(await opens(created, created.clientSecret)).to.equal(false);
    expect(await isAlive(accessToken)).to.equal(false);
    expect((await tokens.refresh(refreshToken, APPLICANT)).kind).to.equal('invalid_grant');
    expect(await opens(created, rotated.clientSecret)).to.equal(true);
  });

  it('prevents an administrator from deactivating or revoking its own client', async () => {
    const admin = await create({ channelLink: null, scopes: ['admin'] });
    const itself = { ...ADMINISTRATOR, name: admin.client.clientId };
    expect(await manage.changeStatus(admin.client.clientId, 'deactivate', itself)).to.deep.equal(
      refuse('own_client'),
    );
    expect(await manage.changeStatus(admin.client.clientId, 'revoke', itself)).to.deep.equal(
      refuse('own_client'),
    );
    expect(
      unwrap(await manage.rotateSecret(admin.client.clientId, 24, itself)).clientSecret,
    ).to.be.a('string');
    const operator = { ...itself, kind: 'operator' as const };
    expect(
      unwrap(await manage.changeStatus(admin.client.clientId, 'revoke', operator)).client.status,
    ).to.equal('revoked');
  });

  it('refuses to change an unknown client', async () => {
    expect(await memory.clients.load('nobody')).to.equal(undefined);
    expect(await manage.changeStatus('nobody', 'revoke', ADMINISTRATOR)).to.deep.equal(
      refuse('client_unknown'),
    );
    expect(await manage.rotateSecret('nobody', 24, ADMINISTRATOR)).to.deep.equal(
      refuse('client_unknown'),
    );
  });

  it('writes an audit entry for each change, and none if nothing changed', async () => {
    const { client } = await create();
    await manage.changeStatus(client.clientId, 'activate', ADMINISTRATOR);
    await manage.changeStatus(client.clientId, 'deactivate', ADMINISTRATOR);
    await manage.changeStatus(client.clientId, 'deactivate', ADMINISTRATOR);
    await manage.rotateSecret(client.clientId, 24, ADMINISTRATOR);
    await manage.changeStatus(client.clientId, 'revoke', ADMINISTRATOR);
    await manage.changeStatus(client.clientId, 'revoke', ADMINISTRATOR);
    const entries = await log();
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'client.revoked',
      'client.secret_rotated',
      'client.deactivated',
      'client.created',
    ]);
    for (const each of entries) {
      expect(each).to.deep.include({
        actor: ADMINISTRATOR,
        subject: `api-client/${client.clientId}`,
        at: clock.now(),
      });
    }
    expect(entries[2]?.changes).to.deep.equal([
      { field: 'status', before: 'active', after: 'inactive' },
    ]);
    expect(entries[3]?.changes).to.deep.include({
      field: 'channelLink',
      before: null,
      after: 'canal-demo',
    });
  });

  it('stores both of two simultaneous changes', async () => {
    const created = await create();
    const { clientId } = created.client;
    const [rotated] = await Promise.all([
      manage.rotateSecret(clientId, 24, ADMINISTRATOR),
      manage.changeStatus(clientId, 'deactivate', ADMINISTRATOR),
    ]);
    const record = await memory.clients.load(clientId);
    expect(record?.client).to.include({ status: 'inactive', version: 3 });
    expect(record?.client.secrets).to.have.length(2);
    await manage.changeStatus(clientId, 'activate', ADMINISTRATOR);
    expect(await opens(created, unwrap(rotated).clientSecret)).to.equal(true);
  });

  it('records when a client last used its secret or a token', async () => {
    const created = await create();
    const lastUse = async () => (await memory.clients.load(created.client.clientId))?.lastUsedAt;
    expect(await lastUse()).to.equal(null);
    const { accessToken } = await loggedIn(created);
    expect(await lastUse()).to.equal('2026-11-20T15:00:00.000Z');
    clock.advance(120);
    await isAlive(accessToken);
    expect(await lastUse()).to.equal('2026-11-20T15:02:00.000Z');
  });
});
