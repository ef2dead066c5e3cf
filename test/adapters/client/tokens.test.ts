import { expect } from 'chai';
import { isCode } from '../../../adapters/client/src/index.ts';
import { Tokens } from '../../../adapters/client/src/tokens.ts';
import { withApi } from '../../support/api.ts';
import { answerWith, clientOf, failureOf, LOGIN, Wire } from '../../support/client.ts';

const PRODUCTS = '/private/integration/products';

describe("the client's token", () => {
  withApi((api) => {
    it('is shared by calls that begin together', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire });
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.listProducts()));
      expect(answers.map(({ data }) => data.length)).to.deep.equal(Array(20).fill(4));
      expect(wire.to(LOGIN)).to.have.length(1);
      await client.listProducts();
      expect(wire.to(LOGIN)).to.have.length(1);
    });

    it('is replaced by one login when the service has revoked it', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire });
      await client.listProducts();
      const token = wire.to(PRODUCTS)[0]?.headers.get('Authorization')?.replace('Bearer ', '');
      // Another process of the partner ends the login.
      const { status } = await api().post('/seguros/auth/revoke', {
        ...Object.fromEntries(new URLSearchParams(wire.to(LOGIN)[0]?.body)),
        grant_type: undefined,
        token,
      });
      expect(status).to.equal(200);

      await Promise.all(Array.from({ length: 5 }, () => client.listProducts()));
      expect(wire.to(LOGIN)).to.have.length(2);
      expect(wire.to(PRODUCTS).length).to.be.within(7, 11);
    });

    it('is not asked for again and again if every answer is 401', async () => {
      const wire = new Wire().disturb(PRODUCTS, async () => answerWith(401, 'unauthenticated'));
      const client = await clientOf(api(), { wire });
      const failure = await failureOf(client.listProducts());
      expect(isCode(failure, 'unauthenticated') && failure.attempts).to.equal(2);
      expect(wire.to(LOGIN)).to.have.length(2);
    });

    it('is refused with wrong credentials, which are sent once', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire, clientSecret: 'wrong' });
      const failure = await failureOf(client.listProducts());
      expect(isCode(failure, 'invalid_client') && failure.status).to.equal(401);
      expect(String(failure)).not.to.include('wrong');
      expect([wire.to(LOGIN).length, wire.to(PRODUCTS).length]).to.deep.equal([1, 0]);
    });

    it('is asked for again after a failed connection, for a request that is never repeated', async () => {
      const wire = new Wire().disturb(LOGIN, async ({ pass }, earlier) => {
        if (earlier === 0) throw new TypeError('fetch failed');
        return pass();
      });
      const client = await clientOf(api(), { wire });
      const failure = await failureOf(client.deleteWebhook('whe_unknown'));
      expect(isCode(failure, 'not_found') && failure.attempts).to.equal(2);
    });

    it('ends with revokeToken, and the next call logs in', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire });
      await client.revokeToken();
      expect(wire.sent).to.have.length(0);
      await client.listProducts();
      const headers = { Authorization: wire.to(PRODUCTS)[0]?.headers.get('Authorization') ?? '' };
      await client.revokeToken();
      expect((await api().get(PRODUCTS, headers)).status).to.equal(401);
      await client.listProducts();
      expect(wire.to(LOGIN)).to.have.length(2);
    });

    it('is renewed by the refresh token before it expires', async () => {
      const { client_id, client_secret } = await api().client('canal-demo');
      const grants: string[] = [];
      let now = 0;
      const tokens = new Tokens(
        async (grant) => {
          grants.push(grant['grant_type'] ?? '');
          return (await api().post(LOGIN, { ...grant, client_id, client_secret })).body;
        },
        () => now,
      );
      const first = await tokens.current();
      now += 1_739_000;
      expect(await tokens.current()).to.equal(first);
      now += 1_001;
      const [second, third] = await Promise.all([tokens.current(), tokens.current()]);
      expect(second).to.equal(third).and.not.equal(first);
      expect(grants).to.deep.equal(['client_credentials', 'refresh_token']);
      const headers = { Authorization: `Bearer ${second}` };
      expect((await api().get(PRODUCTS, headers)).status).to.equal(200);
    });
  });

  it('is asked for by a login if it cannot be renewed', async () => {
    const grants: string[] = [];
    let now = 0;
    const tokens = new Tokens(
      async (grant) => {
        grants.push(grant['grant_type'] ?? '');
        if (grant['refresh_token'] !== undefined) throw new Error('ended');
        const token = `token ${grants.length}`;
        return {
          ...{ access_token: token, token_type: 'Bearer', expires_in: 1_800 },
          ...{ refresh_token: 'refresh', refresh_expires_in: 604_800, scope: 'sales' },
        };
      },
      () => now,
    );
    expect(await tokens.current()).to.equal('token 1');
    now += 1_800_000;
    expect(await tokens.current()).to.equal('token 3');
    expect(grants).to.deep.equal(['client_credentials', 'refresh_token', 'client_credentials']);
  });
});
