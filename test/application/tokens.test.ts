import { expect } from 'chai';
import type { Container } from 'inversify';
import type { MemoryClock } from '../../adapters/memory/clock.ts';
import type { Scope } from '../../application/identity/clients.ts';
import type { CreatedClient } from '../../application/identity/create-client.ts';
import type { GrantTokens, TokenGrant, TokenRefusal } from '../../application/identity/grant-tokens.ts';
import { inMemory } from '../../bootstrap/in-memory.ts';
import { get } from '../../bootstrap/token.ts';
import { AUTHENTICATE, CLIENTS, CREATE_CLIENT, GRANT_TOKENS } from '../../bootstrap/tokens.ts';

const granted = (outcome: TokenGrant | TokenRefusal): TokenGrant => {
  if (outcome.kind !== 'granted') throw new Error(outcome.kind);
  return outcome;
};

describe('tokens', () => {
  let container: Container;
  let clock: MemoryClock;
  let tokens: GrantTokens;

  beforeEach(() => {
    ({ container, clock } = inMemory());
    tokens = get(container, GRANT_TOKENS);
  });

  const client = async (over: { scopes?: readonly Scope[]; active?: boolean } = {}): Promise<CreatedClient> => {
    const created = await get(
      container,
      CREATE_CLIENT,
    )({ name: 'Bilheteria', channelLink: 'canal-demo', scopes: ['sales'], active: true, ...over });
    if (created === 'duplicate') throw new Error('duplicate');
    return created;
  };

  const login = async ({ client: { clientId }, clientSecret }: CreatedClient, scope?: string) =>
    tokens.login({ clientId, clientSecret }, scope);

  it('are granted for half an hour and a week, and name their client and its channel', async () => {
    const grant = granted(await login(await client()));
    expect(grant).to.include({ expiresIn: 1_800, refreshExpiresIn: 604_800 });
    const caller = await get(container, AUTHENTICATE)(grant.accessToken);
    expect(caller).to.deep.equal({ clientId: grant.clientId, channelLink: 'canal-demo', scopes: ['sales'] });
  });

  it('are refused alike to an unknown client, a wrong secret, and an inactive client', async () => {
    const known = await client();
    const inactive = await client({ active: false });
    const { clientId } = known.client;
    for (const attempt of [
      tokens.login({ clientId: 'nobody', clientSecret: known.clientSecret }),
      tokens.login({ clientId, clientSecret: `${known.clientSecret}x` }),
      tokens.login({ clientId, clientSecret: '' }),
      login(inactive),
    ]) {
      expect(await attempt).to.deep.equal({ kind: 'invalid_client' });
    }
  });

  it('carry the scopes asked for, never more than the client has', async () => {
    const both = await client({ scopes: ['sales', 'admin'] });
    expect(granted(await login(both)).scopes).to.deep.equal(['sales', 'admin']);
    expect(granted(await login(both, 'admin')).scopes).to.deep.equal(['admin']);
    expect(granted(await login(both, ' admin  sales ')).scopes).to.deep.equal(['sales', 'admin']);
    expect(granted(await login(both, ' ')).scopes).to.deep.equal(['sales', 'admin']);
    expect(await login(await client(), 'sales admin')).to.deep.equal({ kind: 'invalid_scope' });
    expect(await login(await client(), 'SALES')).to.deep.equal({ kind: 'invalid_scope' });
  });

  it('are renewed without credentials, and the week goes on from the login', async () => {
    const first = granted(await login(await client()));
    clock.advance(3_600);
    const second = granted(await tokens.refresh(first.refreshToken));
    expect(second.refreshToken).not.to.equal(first.refreshToken);
    expect(second.refreshExpiresIn).to.equal(604_800 - 3_600);
    expect(await get(container, AUTHENTICATE)(second.accessToken)).to.include({ clientId: first.clientId });
    clock.advance(604_800 - 3_600);
    expect(await tokens.refresh(second.refreshToken)).to.deep.equal({ kind: 'invalid_grant' });
  });

  it('are the same successor again for a minute, because an answer may be lost', async () => {
    const first = granted(await login(await client()));
    const second = granted(await tokens.refresh(first.refreshToken));
    clock.advance(60);
    expect(granted(await tokens.refresh(first.refreshToken)).refreshToken).to.equal(second.refreshToken);
    expect(granted(await tokens.refresh(second.refreshToken)).refreshToken).not.to.equal(second.refreshToken);
  });

  it('give one successor to a hundred simultaneous refreshes', async () => {
    const first = granted(await login(await client()));
    const grants = await Promise.all(Array.from({ length: 100 }, () => tokens.refresh(first.refreshToken)));
    expect(new Set(grants.map((each) => granted(each).refreshToken)).size).to.equal(1);
  });

  it('end with their whole family when a used one comes back later', async () => {
    const first = granted(await login(await client()));
    const second = granted(await tokens.refresh(first.refreshToken));
    clock.advance(61);
    const replay = await tokens.refresh(first.refreshToken);
    expect(replay).to.include({ kind: 'invalid_grant' });
    expect(replay.kind !== 'granted' && replay.reuse?.clientId).to.equal(first.clientId);
    expect(await tokens.refresh(second.refreshToken)).to.deep.equal({ kind: 'invalid_grant' });
  });

  it('start a new family at each login: the end of one leaves the other alone', async () => {
    const known = await client();
    const [one, other] = [granted(await login(known)), granted(await login(known))];
    await tokens.refresh(one.refreshToken);
    clock.advance(61);
    await tokens.refresh(one.refreshToken);
    expect(granted(await tokens.refresh(other.refreshToken)).clientId).to.equal(other.clientId);
  });

  it('are not renewed for wrong credentials, and end when another client presents them', async () => {
    const [mine, other] = [await client(), await client()];
    const first = granted(await login(mine));
    const wrong = { clientId: mine.client.clientId, clientSecret: 'wrong' };
    expect(await tokens.refresh(first.refreshToken, { credentials: wrong })).to.deep.equal({ kind: 'invalid_client' });
    const theirs = { clientId: other.client.clientId, clientSecret: other.clientSecret };
    expect(await tokens.refresh(first.refreshToken, { credentials: theirs })).to.include({ kind: 'invalid_grant' });
    expect(await tokens.refresh(first.refreshToken)).to.deep.equal({ kind: 'invalid_grant' });
  });

  it('are renewed with the right credentials', async () => {
    const mine = await client();
    const first = granted(await login(mine));
    const credentials = { clientId: mine.client.clientId, clientSecret: mine.clientSecret };
    expect(granted(await tokens.refresh(first.refreshToken, { credentials })).scopes).to.deep.equal(['sales']);
  });

  it('are renewed for fewer scopes where asked, never for more, and the login keeps its own', async () => {
    const first = granted(await login(await client({ scopes: ['sales', 'admin'] })));
    const narrow = granted(await tokens.refresh(first.refreshToken, { scope: 'sales' }));
    expect(narrow.scopes).to.deep.equal(['sales']);
    expect(granted(await tokens.refresh(narrow.refreshToken)).scopes).to.deep.equal(['sales', 'admin']);
    const partner = granted(await login(await client()));
    expect(await tokens.refresh(partner.refreshToken, { scope: 'admin' })).to.deep.equal({ kind: 'invalid_scope' });
    expect(granted(await tokens.refresh(partner.refreshToken)).scopes).to.deep.equal(['sales']);
  });

  it('are unknown when made up', async () => {
    expect(await tokens.refresh('made up')).to.deep.equal({ kind: 'invalid_grant' });
    expect(await get(container, AUTHENTICATE)('made up')).to.equal(undefined);
  });

  it('do not speak for a client that is gone, nor for scopes it has lost', async () => {
    const first = granted(await login(await client({ scopes: ['sales', 'admin'] })));
    const clients = get(container, CLIENTS);
    const known = await clients.find(first.clientId);
    if (known === undefined) throw new Error('lost');

    clients.find = async () => ({ ...known, scopes: ['sales'] });
    expect((await get(container, AUTHENTICATE)(first.accessToken))?.scopes).to.deep.equal(['sales']);
    clients.find = async () => ({ ...known, status: 'revoked' });
    expect(await get(container, AUTHENTICATE)(first.accessToken)).to.equal(undefined);
    expect(await tokens.refresh(first.refreshToken)).to.deep.equal({ kind: 'invalid_grant' });
    clients.find = async () => undefined;
    expect(await get(container, AUTHENTICATE)(first.accessToken)).to.equal(undefined);
  });
});

describe('creating a client', () => {
  it('shows the secret once and keeps only its hash', async () => {
    const { container } = inMemory();
    const created = await get(
      container,
      CREATE_CLIENT,
    )({ name: 'Bilheteria', channelLink: 'canal-demo', scopes: ['sales'], active: true });
    if (created === 'duplicate') throw new Error('duplicate');
    const kept = await get(container, CLIENTS).find(created.client.clientId);
    expect(kept).to.deep.equal(created.client);
    expect(kept?.secretHashes).not.to.include(created.clientSecret);
  });

  it('with chosen credentials happens once: the secret in use is not replaced', async () => {
    const { container } = inMemory();
    const request = { name: 'Administrador', channelLink: null, scopes: ['admin' as const], active: true };
    const create = get(container, CREATE_CLIENT);
    expect(await create({ ...request, credentials: { clientId: 'root', clientSecret: 'first' } })).not.to.equal('duplicate');
    expect(await create({ ...request, credentials: { clientId: 'root', clientSecret: 'second' } })).to.equal('duplicate');
    expect(await get(container, GRANT_TOKENS).login({ clientId: 'root', clientSecret: 'second' })).to.deep.equal({
      kind: 'invalid_client',
    });
  });
});
