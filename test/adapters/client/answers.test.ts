import { expect } from 'chai';
import { isCode } from '../../../adapters/client/src/index.ts';
import { withApi } from '../../support/api.ts';
import { answerWith, clientOf, failureOf, LOGIN, Wire } from '../../support/client.ts';

const PRODUCTS = '/private/integration/products';
const REVOKE = '/seguros/auth/revoke';

describe("the client's care with answers", () => {
  withApi((api) => {
    it('give redirects a code, also the opaque ones of browsers, and repeat none', async () => {
      const opaque = Object.defineProperties(new Response(null), {
        status: { value: 0 },
        ok: { value: false },
        type: { value: 'opaqueredirect' },
      });
      for (const answer of [opaque, Response.redirect('https://elsewhere.example/', 302)]) {
        const wire = new Wire().disturb(PRODUCTS, async () => answer);
        const failure = await failureOf((await clientOf(api(), { wire })).listProducts());
        expect(isCode(failure, 'redirected') && failure.attempts).to.equal(1);
      }
    });

    it('accept no login without a token, and no answer that is not an object', async () => {
      for (const login of ['{}', '[]', '"x"', 'null', '{"access_token":"a\\n","expires_in":9}']) {
        const wire = new Wire().disturb(LOGIN, async () => new Response(login));
        const client = await clientOf(api(), { wire, retry: { attempts: 1 } });
        const failure = await failureOf(client.listProducts());
        expect(isCode(failure, 'unreadable_answer'), login).to.equal(true);
        expect(wire.to(PRODUCTS)).to.have.length(0);
      }
      const wire = new Wire().disturb(PRODUCTS, async () => new Response('null'));
      const client = await clientOf(api(), { wire, retry: { attempts: 1 } });
      expect(isCode(await failureOf(client.listProducts()), 'unreadable_answer')).to.equal(true);
    });

    it('quote no answer, and name the request that was sent', async () => {
      const wire = new Wire().disturb(PRODUCTS, async () => new Response('Maria <html>'));
      const client = await clientOf(api(), { wire, retry: { attempts: 1 } });
      const failure = await failureOf(client.listProducts());
      if (!isCode(failure, 'unreadable_answer')) throw failure;
      expect(failure.cause).to.equal(undefined);
      const requestId = wire.to(PRODUCTS)[0]?.headers.get('X-Request-Id');
      expect(failure.requestId).to.equal(requestId);
    });

    it('quote no message of fetch, which may have what was sent', async () => {
      const wire = new Wire().disturb(PRODUCTS, async () => {
        throw new TypeError('Failed to fetch with Bearer abc');
      });
      const client = await clientOf(api(), { wire, retry: { attempts: 1 } });
      expect(String(await failureOf(client.listProducts()))).not.to.include('Bearer');
    });

    it('keep a login whose revocation failed, and end a revocation with a signal', async () => {
      const wire = new Wire().disturb(REVOKE, async ({ pass }, earlier) =>
        earlier === 0 ? answerWith(503, 'unavailable') : pass(),
      );
      const client = await clientOf(api(), { wire });
      await client.listProducts();
      expect(isCode(await failureOf(client.revokeToken()), 'unavailable')).to.equal(true);
      const signal = AbortSignal.abort(new Error('enough'));
      expect(await failureOf(client.revokeToken({ signal }))).to.equal(signal.reason);
      await client.revokeToken();
      expect(wire.to(REVOKE)).to.have.length(2);
      await client.revokeToken();
      expect(wire.to(REVOKE)).to.have.length(2);
    });

    it('do not make an unknown outcome of a refusal, when little time is left', async () => {
      const wire = new Wire().disturb(PRODUCTS, async () =>
        answerWith(429, 'rate_limited', { 'Retry-After': '1' }),
      );
      const client = await clientOf(api(), { wire, retry: { totalMs: 1_150 } });
      const failure = await failureOf(client.listProducts());
      expect(isCode(failure, 'rate_limited') && failure.attempts).to.equal(1);
    });
  });
});
