import { expect } from 'chai';
import { type Email, unwrap } from '#domain';
import { CONSOLE_CLIENT, OpenIdDouble } from '../../doubles/openid-provider.ts';
import { Api } from '../../support/api.ts';
import { ADMINISTRATOR } from '../../support/identity.ts';
import { ANA, peopleOver } from '../../support/people.ts';
import { Visitor } from '../../support/visitor.ts';

describe('signing in to the console by OpenID Connect', () => {
  let provider: OpenIdDouble;
  let api: Api;
  before(async () => {
    provider = await new OpenIdDouble().start();
    const consoleOpenId = { issuer: provider.issuer, ...CONSOLE_CLIENT };
    // The provider has the current time.
    api = await new Api({ now: new Date().toISOString(), fakes: { consoleOpenId } }).start();
    provider.serve(`${api.url}/console/openid-answer`);
    const { managePeople } = peopleOver(api.memory);
    unwrap(await managePeople.invite({ ...ANA, email: 'ana@example.com' as Email }, ADMINISTRATOR));
  });
  after(async () => {
    await api?.stop();
    await provider?.stop();
  });
  beforeEach(() => {
    provider.account = { email: 'ana@example.com', email_verified: true };
  });

  it('leads to the provider and back to the page that was asked for', async () => {
    const visitor = new Visitor(api.url);
    expect(await (await visitor.get('/console/sign-in')).text()).to.include('conta da empresa');
    const page = await visitor.follow('/console/openid?next=/people');
    expect([page.status, new URL(page.url).pathname]).to.deep.equal([200, '/console/people']);
    expect(await page.text()).to.include('Ana Lima');
    const [started] = await api.memory.auditLog.list({ action: 'session.started', limit: 1 });
    expect(started).to.deep.include({ reason: 'openid' });
  });

  it('lets in a person who was invited and whose e-mail is verified, and nobody else', async () => {
    for (const account of [
      { email: 'ana@example.com', email_verified: false },
      { email: 'eve@example.com', email_verified: true },
    ]) {
      provider.account = account;
      const visitor = new Visitor(api.url);
      const page = await visitor.follow('/console/openid');
      expect([page.status, page.headers.get('X-Error-Code')]).to.deep.equal([
        ...[401, 'unauthenticated'],
      ]);
      expect(visitor.cookies.has('console')).to.equal(false);
    }
  });

  it('takes an answer only in the browser that asked, once, and unaltered', async () => {
    /** Goes as far as the way back. */
    const answerFor = async (visitor: Visitor): Promise<string> => {
      let address = '/console/openid';
      while (!/^[^?]*openid-answer/.test(address)) {
        const base = address.startsWith('/console') ? api.url : provider.issuer;
        address = (await visitor.get(new URL(address, base).href)).headers.get('Location') ?? '';
      }
      return address;
    };
    const [visitor, thief] = [new Visitor(api.url), new Visitor(api.url)];
    const address = await answerFor(visitor);
    expect((await thief.get(address)).status, 'without the cookie').to.equal(401);
    await thief.get('/console/openid');
    expect((await thief.get(address)).status, 'of another state').to.equal(401);
    expect((await visitor.get(address)).status).to.equal(303);
    expect((await visitor.get(address)).status, 'a second time').to.equal(401);
    const altered = (await answerFor(visitor)).replace(/state=./, 'state=');
    expect((await visitor.get(altered)).status, 'altered').to.equal(401);
    visitor.keep('console-openid', 'forged');
    expect((await visitor.get(await answerFor(thief))).status, 'forged').to.equal(401);
    expect(
      (await new Visitor(api.url).get('/console/openid-answer?error=access_denied')).status,
    ).to.equal(401);
  });

  it('proves the person again at the provider, ten minutes after it authenticated there', async () => {
    const visitor = new Visitor(api.url);
    await visitor.follow('/console/openid');
    const before = visitor.cookies.get('console');
    api.memory.clock.advance(601);
    const people = await visitor.get('/console/people');
    expect(people.headers.get('Location')).to.equal('/console/prove?next=%2Fpeople');
    const prove = await visitor.get('/console/prove?next=%2Fpeople');
    const way = prove.headers.get('Location') ?? '';
    expect(way).to.equal('/console/openid?proof=1&next=%2Fpeople');
    const asked = new URL((await visitor.get(way)).headers.get('Location') ?? '');
    expect(asked.searchParams.get('max_age')).to.equal('600');
    expect(asked.searchParams.get('code_challenge_method')).to.equal('S256');
    // The way back begins a session in the place of the earlier one.
    await visitor.follow(asked.href).catch(() => {});
    expect(visitor.cookies.get('console')).not.to.equal(before);
    const stolen = new Visitor(api.url);
    stolen.keep('console', before ?? '');
    expect((await stolen.get('/console')).status).to.equal(303);
  });

  it('says that the provider is out of reach, and asks it again the next time', async () => {
    const dead = { ...CONSOLE_CLIENT, issuer: 'http://127.0.0.1:9' };
    const other = await new Api({ fakes: { consoleOpenId: dead } }).start();
    try {
      for (const _ of [1, 2]) {
        const page = await new Visitor(other.url).get('/console/openid');
        expect([page.status, page.headers.get('X-Error-Code')]).to.deep.equal([503, 'unavailable']);
      }
      expect((await new Visitor(other.url).get('/console/sign-in')).status).to.equal(200);
    } finally {
      await other.stop();
    }
  });
});
