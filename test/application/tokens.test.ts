import { expect } from 'chai';
import { refuse, unwrap } from '#domain';
import type { MemoryClock } from '../../adapters/memory/clock.ts';
import type { LogIn } from '../../application/identity/log-in.ts';
import type { ClientRequest, NewSecret } from '../../application/identity/manage-clients.ts';
import type { RefreshLogin } from '../../application/identity/refresh-login.ts';
import type { TokenGrant } from '../../application/identity/token-grant.ts';
import type { TokenRefusal } from '../../application/identity/token-refusals.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR, APPLICANT } from '../support/identity.ts';
import { channelWorld } from '../support/selling.ts';

const granted = (outcome: TokenGrant | TokenRefusal): TokenGrant => {
  if (outcome.kind !== 'granted') throw new Error(outcome.kind);
  return outcome;
};

describe('tokens', () => {
  let memory: MemoryService;
  let clock: MemoryClock;
  let tokens: { readonly login: LogIn; readonly refresh: RefreshLogin };

  beforeEach(async () => {
    memory = await channelWorld();
    clock = memory.clock;
    tokens = {
      login: (...asked) => memory.useCases.logIn(...asked),
      refresh: (...asked) => memory.useCases.refreshLogin(...asked),
    };
  });

  const client = async (over: Partial<ClientRequest> = {}): Promise<NewSecret> => {
    const request = {
      name: 'Bilheteria',
      channelLink: 'canal-demo',
      scopes: ['sales'] as const,
      active: true,
      ...over,
    };
    const created = unwrap(await memory.useCases.manageClients.create(request, ADMINISTRATOR));
    return created;
  };

  const login = async ({ client: { clientId }, clientSecret }: NewSecret, scope?: string) =>
    tokens.login({ clientId, clientSecret }, APPLICANT, scope);

  const refresh = (token: string, options?: Parameters<RefreshLogin>[2]) =>
    tokens.refresh(token, APPLICANT, options);

  const auditEntries = async (action: string) =>
    (await memory.auditLog.list({ limit: 200 })).filter((each) => each.action === action);

  it('grants an access token for 30 minutes and a refresh token for 7 days', async () => {
    const grant = granted(await login(await client()));
    expect(grant).to.include({ expiresIn: 1_800, refreshExpiresIn: 604_800 });
    const caller = await memory.useCases.authenticate(grant.accessToken);
    expect(caller).to.deep.equal({
      clientId: grant.clientId,
      channelLink: 'canal-demo',
      scopes: ['sales'],
    });
  });

  it('refuses an unknown client, a wrong secret and an inactive client alike', async () => {
    const known = await client();
    const inactive = await client({ active: false });
    const { clientId } = known.client;
    for (const attempt of [
      tokens.login({ clientId: 'nobody', clientSecret: known.clientSecret }, APPLICANT),
      tokens.login({ clientId, clientSecret: `${known.clientSecret}x` }, APPLICANT),
      tokens.login({ clientId, clientSecret: '' }, APPLICANT),
      login(inactive),
    ]) {
      expect(await attempt).to.deep.equal(refuse('invalid_client'));
    }
  });

  it('grants the requested scopes, but none that the client lacks', async () => {
    const both = await client({ channelLink: null, scopes: ['sales', 'admin'] });
    expect(granted(await login(both)).scopes).to.deep.equal(['sales', 'admin']);
    expect(granted(await login(both, 'admin')).scopes).to.deep.equal(['admin']);
    expect(granted(await login(both, ' admin  sales ')).scopes).to.deep.equal(['sales', 'admin']);
    expect(granted(await login(both, ' ')).scopes).to.deep.equal(['sales', 'admin']);
    expect(await login(await client(), 'sales admin')).to.deep.equal(refuse('invalid_scope'));
    expect(await login(await client(), 'SALES')).to.deep.equal(refuse('invalid_scope'));
  });

  it('refreshes without credentials until 7 days after the login', async () => {
    const first = granted(await login(await client()));
    clock.advance(3_600);
    const second = granted(await refresh(first.refreshToken));
    expect(second.refreshToken).not.to.equal(first.refreshToken);
    expect(second.refreshExpiresIn).to.equal(604_800 - 3_600);
    expect(await memory.useCases.authenticate(second.accessToken)).to.include({
      clientId: first.clientId,
    });
    clock.advance(604_800 - 3_600);
    expect(await refresh(second.refreshToken)).to.deep.equal(refuse('invalid_grant'));
  });

  it('returns the same successor for 60 s, because an answer may be lost', async () => {
    const first = granted(await login(await client()));
    const second = granted(await refresh(first.refreshToken));
    clock.advance(60);
    expect(granted(await refresh(first.refreshToken)).refreshToken).to.equal(second.refreshToken);
    expect(granted(await refresh(second.refreshToken)).refreshToken).not.to.equal(
      second.refreshToken,
    );
  });

  it('returns one successor to a hundred simultaneous refreshes', async () => {
    const first = granted(await login(await client()));
    const grants = await Promise.all(
      Array.from({ length: 100 }, () => refresh(first.refreshToken)),
    );
    expect(new Set(grants.map((each) => granted(each).refreshToken)).size).to.equal(1);
  });

  it('ends the whole login if a rotated refresh token is used after 60 s', async () => {
    const first = granted(await login(await client()));
    const second = granted(await refresh(first.refreshToken));
    clock.advance(61);
    const replay = await refresh(first.refreshToken);
    expect(replay).to.deep.equal(refuse('invalid_grant'));
    const [reuse, ...others] = await auditEntries('token.reused');
    expect(reuse).to.deep.include({
      subject: `api-client/${first.clientId}`,
      reason: 'used_again',
    });
    expect(reuse?.actor).to.deep.include({
      kind: 'unknown',
      address: APPLICANT.address,
      requestId: APPLICANT.requestId,
    });
    expect(others).to.deep.equal([]);
    expect(
      await memory.useCases.authenticate(first.accessToken),
      'the access tokens end as well',
    ).to.equal(undefined);
    expect(await refresh(second.refreshToken)).to.deep.equal(refuse('invalid_grant'));
  });

  it('keeps the other logins of a client when one login ends', async () => {
    const known = await client();
    const [one, other] = [granted(await login(known)), granted(await login(known))];
    await refresh(one.refreshToken);
    clock.advance(61);
    await refresh(one.refreshToken);
    expect(granted(await refresh(other.refreshToken)).clientId).to.equal(other.clientId);
  });

  it('refuses wrong credentials, and ends a login that another client refreshes', async () => {
    const [mine, other] = [await client(), await client()];
    const first = granted(await login(mine));
    const wrong = { clientId: mine.client.clientId, clientSecret: 'wrong' };
    expect(await refresh(first.refreshToken, { credentials: wrong })).to.deep.equal(
      refuse('invalid_client'),
    );
    const theirs = { clientId: other.client.clientId, clientSecret: other.clientSecret };
    expect(await refresh(first.refreshToken, { credentials: theirs })).to.include(
      refuse('invalid_grant'),
    );
    expect(await refresh(first.refreshToken)).to.deep.equal(refuse('invalid_grant'));
  });

  it('refreshes with the credentials of the client', async () => {
    const mine = await client();
    const first = granted(await login(mine));
    const credentials = { clientId: mine.client.clientId, clientSecret: mine.clientSecret };
    expect(granted(await refresh(first.refreshToken, { credentials })).scopes).to.deep.equal([
      'sales',
    ]);
  });

  it('refreshes with fewer scopes on request, never with more than the login has', async () => {
    const first = granted(
      await login(await client({ channelLink: null, scopes: ['sales', 'admin'] })),
    );
    const narrow = granted(await refresh(first.refreshToken, { scope: 'sales' }));
    expect(narrow.scopes).to.deep.equal(['sales']);
    expect(granted(await refresh(narrow.refreshToken)).scopes).to.deep.equal(['sales', 'admin']);
    const partner = granted(await login(await client()));
    expect(await refresh(partner.refreshToken, { scope: 'admin' })).to.deep.equal(
      refuse('invalid_scope'),
    );
    expect(granted(await refresh(partner.refreshToken)).scopes).to.deep.equal(['sales']);
  });

  it('refuses made-up tokens', async () => {
    expect(await refresh('made up')).to.deep.equal(refuse('invalid_grant'));
    expect(await memory.useCases.authenticate('made up')).to.equal(undefined);
  });

  it('applies the client’s current status and scopes to tokens issued before', async () => {
    const first = granted(
      await login(await client({ channelLink: null, scopes: ['sales', 'admin'] })),
    );
    const clients = memory.clients;
    const known = await clients.find(first.clientId);
    if (known === undefined) throw new Error('client not found');

    clients.find = async () => ({ ...known, scopes: ['sales'] });
    expect((await memory.useCases.authenticate(first.accessToken))?.scopes).to.deep.equal([
      'sales',
    ]);
    clients.find = async () => ({ ...known, status: 'revoked' });
    expect(await memory.useCases.authenticate(first.accessToken)).to.equal(undefined);
    expect(await refresh(first.refreshToken)).to.deep.equal(refuse('invalid_grant'));
    clients.find = async () => undefined;
    expect(await memory.useCases.authenticate(first.accessToken)).to.equal(undefined);
  });

  it('grants a client of a channel no scope of administrators, though it was stored so', async () => {
    const odd = await client({ scopes: ['sales', 'admin'] });
    expect(granted(await login(odd)).scopes).to.deep.equal(['sales']);
    expect(await login(odd, 'admin')).to.deep.equal(refuse('invalid_scope'));
  });

  it('takes the same steps for each wrong login, so that timing reveals nothing', async () => {
    const known = await client();
    const rotated = await client();
    await memory.useCases.manageClients.rotateSecret(rotated.client.clientId, 24, ADMINISTRATOR);
    const inactive = await client({ active: false });
    const secrets = memory.secrets;
    const { matches } = secrets;
    let compared = 0;
    secrets.matches = (secret, hashes) => {
      compared += hashes.length;
      return matches.call(secrets, secret, hashes);
    };
    const steps = async (clientId: string, clientSecret: string) => {
      compared = 0;
      const before = (await auditEntries('token.refused')).length;
      await tokens.login({ clientId, clientSecret }, APPLICANT);
      return { compared, entries: (await auditEntries('token.refused')).length - before };
    };
    const attempts = [
      await steps('nobody', 'x'),
      await steps(known.client.clientId, 'x'),
      await steps(rotated.client.clientId, 'x'),
      await steps(inactive.client.clientId, inactive.clientSecret),
    ];
    expect(new Set(attempts.map((each) => JSON.stringify(each)))).to.deep.equal(
      new Set(['{"compared":2,"entries":1}']),
    );
  });

  it('audits refusals, but no unknown client id, because it may be a secret', async () => {
    const known = await client();
    await tokens.login({ clientId: known.client.clientId, clientSecret: 'guess' }, APPLICANT);
    await tokens.login(
      { clientId: known.clientSecret, clientSecret: known.clientSecret },
      APPLICANT,
    );
    await login(known, 'admin');
    await refresh('made up');
    const subject = `api-client/${known.client.clientId}`;
    const { address, requestId } = APPLICANT;
    const actor = { kind: 'unknown', name: null, address, requestId };
    const entries = (await auditEntries('token.refused')).map(
      ({ number: _, at: __, ...rest }) => rest,
    );
    expect(entries).to.deep.equal(
      [
        { subject: null, reason: 'invalid_grant' },
        { subject, reason: 'invalid_scope' },
        { subject: null, reason: 'invalid_client' },
        { subject, reason: 'invalid_client' },
      ].map((each) => ({ action: 'token.refused', actor, changes: [], ...each })),
    );
    expect(JSON.stringify(await auditEntries('token.refused'))).not.to.include(known.clientSecret);
  });

  describe('under attack', () => {
    const guess = () => tokens.login({ clientId: 'nobody', clientSecret: 'guess' }, APPLICANT);
    const outcomes = async (count: number) => Promise.all(Array.from({ length: count }, guess));

    it('makes a network wait after 30 failures in a minute', async () => {
      expect(new Set((await outcomes(30)).map(({ kind }) => kind))).to.deep.equal(
        new Set(['invalid_client']),
      );
      clock.advance(20);
      expect(await guess()).to.deep.equal({ ...refuse('too_many_failures'), retryAfter: 40 });
      expect(await refresh('made up')).to.deep.equal({
        ...refuse('too_many_failures'),
        retryAfter: 40,
      });
      clock.advance(40);
      expect(await guess()).to.deep.equal(refuse('invalid_client'));
    });

    it('still serves valid clients in that network, and all other networks', async () => {
      const known = await client();
      const first = granted(await login(known));
      await outcomes(100);
      expect(granted(await login(known)).clientId).to.equal(known.client.clientId);
      expect(granted(await refresh(first.refreshToken)).clientId).to.equal(known.client.clientId);
      const elsewhere = { ...APPLICANT, network: '198.51.100.9' };
      const wrong = { clientId: known.client.clientId, clientSecret: 'x' };
      expect(await tokens.login(wrong, elsewhere)).to.deep.equal(refuse('invalid_client'));
    });

    it('writes 30 refusals of a network and one summary entry to the audit log', async () => {
      await outcomes(1_000);
      expect(await auditEntries('token.refused')).to.have.length(30);
      expect(await auditEntries('token.attempts_limited')).to.have.length(1);
    });

    it('ends a stolen login even if its network has to wait', async () => {
      const first = granted(await login(await client()));
      const second = granted(await refresh(first.refreshToken));
      clock.advance(61);
      await outcomes(31);
      await refresh(first.refreshToken);
      expect(await auditEntries('token.reused')).to.have.length(1);
      expect(await memory.useCases.authenticate(second.accessToken)).to.equal(undefined);
    });

    it('writes at most 1,000 refusals per minute for all networks together', async () => {
      const guesses = Array.from({ length: 1_500 }, (_, index) =>
        tokens.login(
          { clientId: 'nobody', clientSecret: 'guess' },
          { ...APPLICANT, network: `network ${index}` },
        ),
      );
      expect(new Set((await Promise.all(guesses)).map(({ kind }) => kind))).to.deep.equal(
        new Set(['invalid_client']),
      );
      const log = await memory.auditLog.list({ limit: 5_000 });
      expect(log.filter(({ action }) => action === 'token.refused')).to.have.length(1_000);
      expect(log.filter(({ action }) => action === 'token.attempts_limited')).to.have.length(1);
    });

    it('makes a client wait after 30 requests for a scope that it lacks', async () => {
      const known = await client();
      const asked = await Promise.all(Array.from({ length: 31 }, () => login(known, 'admin')));
      expect(asked.slice(0, 30).map(({ kind }) => kind)).to.deep.equal(
        Array(30).fill('invalid_scope'),
      );
      expect(asked[30]).to.deep.equal({ ...refuse('too_many_failures'), retryAfter: 60 });
      expect(granted(await login(known)).scopes).to.deep.equal(['sales']);
    });
  });

  it('keeps a refresh token valid after a refresh with a refused scope', async () => {
    const first = granted(await login(await client()));
    expect(await refresh(first.refreshToken, { scope: 'admin' })).to.deep.equal(
      refuse('invalid_scope'),
    );
    clock.advance(61);
    expect(granted(await refresh(first.refreshToken)).scopes).to.deep.equal(['sales']);
  });

  describe('for a client past its request limit', () => {
    beforeEach(async () => {
      memory = await channelWorld({ requestsPerMinute: 5 });
      clock = memory.clock;
    });

    it('refuses logins and refreshes until the minute ends', async () => {
      const known = await client();
      const { clientId } = known.client;
      const again = () => tokens.login({ clientId, clientSecret: known.clientSecret }, APPLICANT);
      const first = granted(await again());
      for (let count = 0; count < 4; count += 1) granted(await again());
      expect(await again()).to.deep.equal({
        ...refuse('too_many_requests'),
        clientId,
        retryAfter: 60,
      });
      expect(await tokens.refresh(first.refreshToken, APPLICANT)).to.deep.include({
        ...refuse('too_many_requests'),
        clientId,
        retryAfter: 60,
      });
      clock.advance(61);
      granted(await tokens.refresh(first.refreshToken, APPLICANT));
    });
  });
});
