import { expect } from 'chai';
import { isRefusal, refuse, unwrap } from '#domain';
import type { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryClients } from '../../adapters/memory/identity/clients.ts';
import { MemoryRefreshTokens } from '../../adapters/memory/identity/refresh-tokens.ts';
import { MemoryAuditLog } from '../../adapters/memory/operations/audit-log.ts';
import type { Scope } from '../../application/identity/clients.ts';
import type { InspectTokens } from '../../application/identity/inspect-tokens.ts';
import type { TokenGrant } from '../../application/identity/token-grant.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR, APPLICANT } from '../support/identity.ts';
import { channelWorld } from '../support/selling.ts';

interface LoggedInClient {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly grant: TokenGrant;
}

/** A store that answers as one that has to ask a database does. */
const answerLater = <Store extends object>(store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...given: readonly unknown[]) => value.apply(target, given);
    },
  });

describe('introspecting and revoking tokens', () => {
  let memory: MemoryService;
  let clock: MemoryClock;
  let inspect: InspectTokens;
  let mine: LoggedInClient;
  let theirs: LoggedInClient;

  const logInNewClient = async (scopes: readonly Scope[] = ['sales']): Promise<LoggedInClient> => {
    const request = {
      name: 'Bilheteria',
      channelLink: scopes.includes('admin') ? null : 'canal-demo',
      scopes,
      active: true,
    };
    const created = unwrap(await memory.useCases.manageClients.create(request, ADMINISTRATOR));
    const credentials = { clientId: created.client.clientId, clientSecret: created.clientSecret };
    const grant = await memory.useCases.logIn(credentials, APPLICANT);
    if (isRefusal(grant)) throw new Error(grant.kind);
    return { credentials, grant };
  };

  beforeEach(async () => {
    memory = await channelWorld();
    clock = memory.clock;
    inspect = memory.useCases.inspectTokens;
    [mine, theirs] = [await logInNewClient(), await logInNewClient()];
  });

  const look = (token: string, { credentials } = mine) =>
    inspect.introspect(token, credentials, APPLICANT);
  const end = (token: string, { credentials } = mine) =>
    inspect.revoke(token, credentials, APPLICANT);
  const refresh = (token: string) => memory.useCases.refreshLogin(token, APPLICANT);
  const isAlive = async (token: string) =>
    (await memory.useCases.authenticate(token)) !== undefined;

  it('describes a token to the client that owns it', async () => {
    const access = await look(mine.grant.accessToken);
    expect(access).to.deep.nested.include({
      kind: 'access_token',
      'token.clientId': mine.credentials.clientId,
    });
    const refreshing = await look(mine.grant.refreshToken);
    expect(refreshing).to.deep.nested.include({
      kind: 'refresh_token',
      'family.scopes': ['sales'],
    });
  });

  it('describes a token to an administrator, but not to another client', async () => {
    const administrator = await logInNewClient(['admin']);
    for (const token of [mine.grant.accessToken, mine.grant.refreshToken]) {
      expect(await look(token, theirs)).to.equal('inactive');
      expect(await look(token, administrator)).to.have.property('kind');
    }
  });

  it('reports unusable tokens as inactive, also those of an inactive client', async () => {
    expect(await look('made up')).to.equal('inactive');
    const second = await refresh(mine.grant.refreshToken);
    expect(await look(mine.grant.refreshToken)).to.equal('inactive');
    expect(second.kind === 'granted' && (await look(second.refreshToken))).to.have.property('kind');
    const administrator = await logInNewClient(['admin']);
    await memory.useCases.manageClients.changeStatus(
      theirs.credentials.clientId,
      'deactivate',
      ADMINISTRATOR,
    );
    for (const token of [theirs.grant.accessToken, theirs.grant.refreshToken])
      expect(await look(token, administrator)).to.equal('inactive');
    clock.advance(1_800);
    expect(await look(mine.grant.accessToken)).to.equal('inactive');
  });

  it('ends the whole login when any of its tokens is revoked, even a rotated one', async () => {
    for (const shown of ['access', 'refresh', 'replaced'] as const) {
      const { credentials, grant } = await logInNewClient();
      const bystander = await memory.useCases.logIn(credentials, APPLICANT);
      const next = await refresh(grant.refreshToken);
      if (next.kind !== 'granted' || bystander.kind !== 'granted') throw new Error('not granted');
      const token = {
        access: next.accessToken,
        refresh: next.refreshToken,
        replaced: grant.refreshToken,
      }[shown];
      expect(await end(token, { credentials, grant })).to.equal('revoked');
      expect(
        [await isAlive(grant.accessToken), await isAlive(next.accessToken)],
        shown,
      ).to.deep.equal([false, false]);
      expect((await refresh(next.refreshToken)).kind).to.equal('invalid_grant');
      expect(await isAlive(bystander.accessToken), 'another login of the same client').to.equal(
        true,
      );
      expect(await end(token, { credentials, grant }), 'revoked again').to.equal('revoked');
    }
    const entries = await memory.auditLog.list({ action: 'token.revoked', limit: 10 });
    expect(entries.map(({ actor }) => actor.kind)).to.deep.equal(['client', 'client', 'client']);
  });

  it('ends a login and a client’s tokens too where a store has to be asked for them', async () => {
    for (const asked of ['clients', 'refreshTokens'] as const) {
      const auditLog = new MemoryAuditLog();
      const stores = {
        clients: new MemoryClients(auditLog),
        refreshTokens: new MemoryRefreshTokens(auditLog),
      };
      memory = await channelWorld({ auditLog, ...stores, [asked]: answerLater(stores[asked]) });
      inspect = memory.useCases.inspectTokens;
      mine = await logInNewClient();
      const another = await memory.useCases.logIn(mine.credentials, APPLICANT);
      if (another.kind !== 'granted') throw new Error(another.kind);
      const { accessToken } = another;
      expect(memory.useCases.authenticate(accessToken), asked).to.be.instanceOf(Promise);
      await end(mine.grant.accessToken);
      expect(await isAlive(mine.grant.accessToken), asked).to.equal(false);
      expect(await isAlive(accessToken), asked).to.equal(true);
      await memory.useCases.manageClients.changeStatus(
        mine.credentials.clientId,
        'deactivate',
        ADMINISTRATOR,
      );
      expect(await isAlive(accessToken), asked).to.equal(false);
    }
  });

  it('refuses to revoke another client’s token, and accepts an unknown token', async () => {
    expect(await end(mine.grant.refreshToken, theirs)).to.deep.equal(refuse('invalid_grant'));
    expect(await end(mine.grant.accessToken, theirs)).to.deep.equal(refuse('invalid_grant'));
    expect(await isAlive(mine.grant.accessToken)).to.equal(true);
    expect((await refresh(mine.grant.refreshToken)).kind).to.equal('granted');
    expect(await end('made up')).to.equal('revoked');
    const [refusal] = await memory.auditLog.list({ action: 'token.refused', limit: 10 });
    expect(refusal).to.include({
      reason: 'foreign_token',
      subject: `api-client/${theirs.credentials.clientId}`,
    });
  });

  it('lets an administrator revoke the token of any client', async () => {
    const administrator = await logInNewClient(['admin']);
    expect(await end(mine.grant.accessToken, administrator)).to.equal('revoked');
    expect(await isAlive(mine.grant.accessToken)).to.equal(false);
    expect(await isAlive(theirs.grant.accessToken)).to.equal(true);
    const [entry] = await memory.auditLog.list({ action: 'token.revoked', limit: 1 });
    expect(entry?.actor.name).to.equal(administrator.credentials.clientId);
    expect(entry?.subject).to.equal(`api-client/${mine.credentials.clientId}`);
  });

  it('refuses a caller with a wrong client secret', async () => {
    const wrong = { ...mine, credentials: { ...mine.credentials, clientSecret: 'wrong' } };
    expect(await look(mine.grant.accessToken, wrong)).to.deep.equal(refuse('invalid_client'));
    expect(await end(mine.grant.accessToken, wrong)).to.deep.equal(refuse('invalid_client'));
    expect(await isAlive(mine.grant.accessToken)).to.equal(true);
  });
});
