import { expect } from 'chai';
import { type Email, unwrap } from '#domain';
import { ROLES, type Role } from '../../../application/people/roles.ts';
import { DEMO_CHANNEL } from '../../../bootstrap/processes/demo-catalogue.ts';
import { Api, withApi } from '../../support/api.ts';
import { ADMINISTRATOR } from '../../support/identity.ts';
import { ANA, codeOf, linkFor, PASSPHRASE, peopleOver } from '../../support/people.ts';
import { Visitor } from '../../support/visitor.ts';

/** Each page and act that needs a session, by the roles that may. `nobody` stands for any id. */
const PLACES: readonly (readonly [roles: readonly Role[], places: readonly string[]])[] = [
  [
    ROLES,
    [
      ...['GET /', 'GET /sessions', 'POST /sessions', 'GET /prove', 'POST /prove'],
      ...['POST /sign-out', 'GET /sales', 'POST /sales', 'GET /sales/1', 'GET /sales/file'],
    ],
  ],
  [
    ['admin', 'support', 'finance'],
    ['GET /sales/1/gateway', 'GET /sales/1/case', 'GET /alerts'],
  ],
  [
    ['admin', 'support', 'partner'],
    [
      ...['GET /sales/1/copy', 'POST /sales/1/copy', 'GET /sales/1/email', 'POST /sales/1/email'],
      ...['GET /sales/1/cancel', 'POST /sales/1/cancel', 'GET /sales/1/approval'],
      ...['POST /sales/1/approval', 'GET /requests', 'GET /readiness'],
    ],
  ],
  [
    ['admin', 'support'],
    [
      ...['GET /sales/1/give-up', 'POST /sales/1/give-up', 'GET /sales/1/decide'],
      ...['POST /sales/1/decide', 'GET /sales/1/retry', 'POST /sales/1/retry'],
      ...['GET /alerts/1', 'POST /alerts/1', 'POST /alerts/mails'],
    ],
  ],
  [
    ['admin', 'finance'],
    ['GET /refunds', 'GET /refunds/file', 'GET /sales/1/refund', 'POST /sales/1/refund'],
  ],
  [
    ['admin', 'finance', 'partner'],
    ['GET /statements', 'GET /statements/file'],
  ],
  [
    ['admin', 'partner'],
    [
      ...['GET /clients', 'GET /clients/new', 'POST /clients/new', 'GET /clients/nobody'],
      ...['rotate', 'activate', 'deactivate', 'revoke'].flatMap((act) => [
        ...[`GET /clients/nobody/${act}`, `POST /clients/nobody/${act}`],
      ]),
      ...['GET /webhooks', 'GET /webhooks/new', 'POST /webhooks/new', 'GET /webhooks/nobody'],
      ...['pause', 'activate', 'rotate', 'remove'].flatMap((act) => [
        ...[`GET /webhooks/nobody/${act}`, `POST /webhooks/nobody/${act}`],
      ]),
      ...['POST /webhooks/nobody/test', 'POST /webhooks/nobody/retry'],
    ],
  ],
  [
    ['admin'],
    [
      ...[
        'GET /people',
        'GET /people/file',
        'GET /people/new',
        'POST /people/new',
        'GET /people/nobody',
      ],
      ...['POST /people/nobody', 'POST /people/nobody/invite', 'POST /people/nobody/sign-out'],
      ...[
        'GET /audit',
        'GET /audit/file',
        'GET /catalogue',
        'GET /taxes',
        'GET /taxes/file',
        'POST /taxes',
      ],
      ...['products', 'channels'].flatMap((kind) =>
        ['change', 'withdraw'].flatMap((act) => [
          `GET /catalogue/${kind}/any/${act}`,
          `POST /catalogue/${kind}/any/${act}`,
        ]),
      ),
      ...['product', 'channel'].flatMap((kind) => [
        ...[`GET /catalogue/${kind}s/any`, `GET /catalogue/new-${kind}`],
        `POST /catalogue/new-${kind}`,
      ]),
    ],
  ],
];

const EVERY_PLACE = PLACES.flatMap(([, places]) => places);

/** What asks for the second factor again after ten minutes. */
const DELICATE = EVERY_PLACE.filter((place) =>
  /\/people|\/(clients|webhooks)\/(new|nobody\/(?!test|retry))/.test(place),
);

const addressOf = (place: string): string => `/console${place.split(' ')[1]}`;

const call = (visitor: Visitor, place: string): Promise<Response> =>
  place.startsWith('GET ') ? visitor.get(addressOf(place)) : visitor.post(addressOf(place));

describe('the console', () => {
  withApi((api) => {
    const visitor = (): Visitor => new Visitor(api().url);
    const codeIn = (response: Response): string | null => response.headers.get('X-Error-Code');
    const enter = async (role: Role = 'admin', name = 'Ana Lima'): Promise<Visitor> => {
      const channelLink = role === 'partner' ? DEMO_CHANNEL.channelLink : null;
      const entered = visitor();
      await entered.post(await linkFor(api().memory, { name, role, channelLink }));
      return entered;
    };
    /** Somebody with passphrase and app. */
    const join = async (email: string) => {
      const { managePeople, oneTimeCodes } = peopleOver(api().memory);
      const asked = { ...ANA, email: email as Email };
      const { code, person } = unwrap(await managePeople.invite(asked, ADMINISTRATOR));
      const codeSecret = oneTimeCodes.makeSecret();
      const now = (): string => codeOf(codeSecret, api().memory.clock.now());
      const page = await visitor().post(`/console/invitation/${code}`, {
        ...{ passphrase: PASSPHRASE, codeSecret, code: now() },
      });
      expect(page.status).to.equal(200);
      return { personId: person.personId, code: now };
    };

    it('shows nothing to somebody without a session, and goes on after signing in', async () => {
      for (const place of EVERY_PLACE) {
        const page = await call(visitor(), place);
        const next = place.startsWith('GET') ? encodeURIComponent(place.slice('GET '.length)) : '';
        expect(page.status, place).to.equal(303);
        expect(page.headers.get('Location')).to.equal(`/console/sign-in${next && `?next=${next}`}`);
        expect(await page.text()).not.to.include('Pessoas');
      }
    });

    it('refuses each page and act to each role that may not, by its address', async () => {
      for (const role of ROLES) {
        const own = await enter(role);
        // Signing out ends the session.
        for (const [roles, places] of PLACES)
          for (const place of places.filter((each) => each !== 'POST /sign-out')) {
            const page = await call(own, place);
            const refused = [403, 'insufficient_scope'];
            if (!roles.includes(role))
              expect([page.status, codeIn(page)], `${role} ${place}`).to.deep.equal(refused);
            else expect(page.status, `${role} ${place}`).not.to.be.oneOf([403, 500]);
          }
        const menu = await (await own.get('/console')).text();
        expect(menu.includes('/console/people'), role).to.equal(role === 'admin');
      }
    });

    it('takes a form only from a page of its own', async () => {
      const own = await enter();
      for (const headers of [
        {},
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'none' },
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: api().url, 'Sec-Fetch-Site': 'cross-site' },
      ])
        for (const place of EVERY_PLACE.filter((each) => each.startsWith('POST'))) {
          const page = await own.post(addressOf(place), {}, headers as Record<string, string>);
          expect([page.status, codeIn(page)], JSON.stringify(headers)).to.deep.equal([
            ...[403, 'foreign_origin'],
          ]);
        }
      const kept = await own.post('/console/sessions', {}, { Origin: api().url });
      expect(kept.status).to.equal(303);
    });

    it('gives the session a new secret each time, in a cookie that no script reads', async () => {
      const own = visitor();
      own.keep('console', 'chosen by an attacker');
      const entered = await own.post(await linkFor(api().memory));
      const [cookie = ''] = entered.headers.getSetCookie();
      expect(cookie).to.match(
        /^console=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
      );
      const first = own.cookies.get('console') ?? '';
      await own.post(await linkFor(api().memory));
      expect(own.cookies.get('console')).not.to.equal(first);
      const thief = visitor();
      thief.keep('console', first);
      expect((await thief.get('/console')).status, 'the session before').to.equal(303);
      expect(
        JSON.stringify(await api().memory.sessions.list('', api().memory.clock.now())),
      ).not.to.include(first);
    });

    it('looks the same for an e-mail that is known and one that is not', async () => {
      const { code } = await join('known@example.com');
      const given = { passphrase: 'wrong', code: code() };
      const pages = ['known@example.com', 'other@example.com'].map(async (email) => {
        const page = await visitor().post('/console/sign-in', { ...given, email });
        expect([page.status, codeIn(page)]).to.deep.equal([401, 'unauthenticated']);
        return (await page.text()).replaceAll(email, '');
      });
      const [known, unknown] = await Promise.all(pages);
      expect(known).to.equal(unknown).and.not.to.include('wrong');
    });

    it('takes a code once, and goes only to pages of its own afterwards', async () => {
      const { code } = await join('nextpage@example.com');
      const given = { email: 'nextpage@example.com', passphrase: PASSPHRASE };
      for (const [next, expected] of [
        ['/people', '/console/people'],
        ['//evil.example', '/console'],
        ['https://evil.example', '/console'],
        ['/\\evil.example', '/console'],
        ['/people/../../docs', '/console'],
      ] as const) {
        api().memory.clock.advance(61);
        const sent = { ...given, code: code(), next };
        const own = visitor();
        const page = await own.post('/console/sign-in', sent);
        expect([page.status, page.headers.get('Location')], next).to.deep.equal([303, expected]);
        expect((await visitor().post('/console/sign-in', sent)).status, 'again').to.equal(401);
      }
    });

    it('asks for the second factor again before delicate pages, and ends a session that guesses', async () => {
      const { code } = await join('proof@example.com');
      const own = visitor();
      api().memory.clock.advance(61);
      await own.post('/console/sign-in', {
        email: 'proof@example.com',
        passphrase: PASSPHRASE,
        code: code(),
      });
      expect((await own.get('/console/people')).status).to.equal(200);
      api().memory.clock.advance(600);
      for (const place of DELICATE) {
        const page = await call(own, place);
        if (place.startsWith('GET'))
          expect(page.headers.get('Location'), place).to.match(/^\/console\/prove\?next=/);
        // A redirect after a form may not lead on to a provider of OpenID Connect.
        else
          expect([page.status, await page.text()], place)
            .to.have.property('1')
            .that.includes('href="/console/prove?next=/');
      }
      const copied = visitor();
      copied.keep('console', own.cookies.get('console') ?? '');
      const proved = await own.post('/console/prove', { code: code(), next: '/people' });
      expect(proved.headers.get('Location')).to.equal('/console/people');
      expect((await own.get('/console/people')).status).to.equal(200);
      expect((await copied.get('/console')).status, 'a copy of the cookie').to.equal(303);
      for (let tries = 0; tries < 4; tries += 1)
        expect((await own.post('/console/prove', { code: '000000' })).status).to.equal(422);
      expect(
        (await own.post('/console/prove', { code: '000000' })).headers.get('Location'),
      ).to.equal('/console/sign-in');
      expect((await own.get('/console')).status).to.equal(303);
    });

    it('changes a person only as the form has shown it: of two at once the second is told', async () => {
      const { personId } = await join('twice@example.com');
      const own = await enter('admin', 'Dora');
      const seenIn = async () =>
        /name="seen" value="([^"]*)"/
          .exec(await (await own.get(`/console/people/${personId}`)).text())?.[1]
          ?.replaceAll('&quot;', '"') ?? '';
      const seen = await seenIn();
      const typed = { name: 'Ana Lima', role: 'support', seen };
      const change = (over: Record<string, string>) =>
        own.post(`/console/people/${personId}`, { ...typed, ...over });
      expect((await change({})).status).to.equal(303);
      for (const stale of [{ isActive: 'yes' }, { isActive: 'yes', seen: '' }]) {
        const told = await change(stale);
        expect(told.status).to.equal(422);
        expect(await told.text()).to.include('Outra pessoa mudou');
      }
      expect(await api().memory.people.find('personId', personId)).to.include({ isActive: false });
      expect((await change({ seen: await seenIn(), role: '' })).status, 'no role').to.equal(422);
      const demo = (await api().memory.people.list()).find(({ email }) => email === null);
      const invited = await own.post(`/console/people/${demo?.personId}/invite`);
      expect(invited.status, 'nobody has no e-mail').to.equal(404);
    });

    it('names the person in the audit log by name and id', async () => {
      const own = await enter('admin', 'Ana Lima');
      await own.post('/console/people/new', {
        name: 'X',
        email: 'x1@example.com',
        role: 'support',
      });
      const [added] = await api().memory.auditLog.list({ action: 'person.added', limit: 1 });
      expect(added?.actor).to.deep.include({ kind: 'person' });
      expect(added?.actor.name).to.match(/^Ana Lima \(.+\)$/);
    });

    it('lets nobody end the session of another person by its id', async () => {
      const [own, other] = [await enter('support', 'Bia'), await enter('admin', 'Caio')];
      const people = await api().memory.people.list();
      const caio = people.find(({ name }) => name === 'Caio');
      const [session] = await api().memory.sessions.list(
        caio?.personId ?? '',
        api().memory.clock.now(),
      );
      await own.post('/console/sessions', { sessionId: session?.sessionId ?? '' });
      expect((await other.get('/console')).status).to.equal(200);
      // An administrator ends those of others, at once.
      await other.post(
        `/console/people/${people.find(({ name }) => name === 'Bia')?.personId}/sign-out`,
      );
      expect((await own.get('/console')).status).to.equal(303);
    });

    it('ends with sign-out, and lets the browser forget what it has seen', async () => {
      const own = await enter();
      const secret = own.cookies.get('console') ?? '';
      const page = await own.get('/console/people');
      expect(page.headers.get('Cache-Control')).to.equal('no-store');
      const left = await own.post('/console/sign-out');
      expect(left.headers.get('Clear-Site-Data')).to.equal('"cache"');
      expect(own.cookies.has('console')).to.equal(false);
      own.keep('console', secret);
      expect((await own.get('/console')).status).to.equal(303);
    });

    it('keeps a link good until it is used: programs look at links in mails', async () => {
      const path = await linkFor(api().memory);
      for (let looks = 0; looks < 3; looks += 1)
        expect((await visitor().get(path)).status).to.equal(200);
      expect((await visitor().post(path)).status).to.equal(303);
      expect((await visitor().post(path)).status).to.equal(404);
      expect((await visitor().get('/console/invitation/none')).status).to.equal(404);
      // A path in the place of the code leads the form nowhere.
      const odd = await (await visitor().get('/console/enter/..%2Fpeople%2Fnew')).text();
      expect(odd).to.include('<form method="post">');
    });

    it('answers other paths, methods and bodies with a page, and nothing with a fault', async () => {
      const own = await enter();
      for (const [address, status] of [
        ['/console/none', 404],
        ['/console/', 200],
        ['/console/people/nobody', 404],
        ['/console/style.css', 200],
        ['/console/sessions?x=%00', 200],
      ] as const)
        expect((await own.get(address)).status, address).to.equal(status);
      const unknown = await visitor().get('/console/none');
      expect(await unknown.text()).to.include('Página não encontrada');
      const secret = own.cookies.get('console') ?? '';
      for (const [method, body, status] of [
        ['DELETE', undefined, 405],
        ['POST', 'x'.repeat(300_000), 413],
        ['POST', '%', 303],
        ['POST', '\ufffd', 400],
      ] as const) {
        const headers = {
          ...{ 'Sec-Fetch-Site': 'same-origin', cookie: `console=${secret}` },
          'Content-Type': 'application/x-www-form-urlencoded',
        };
        const init = { method, headers, redirect: 'manual', ...(body && { body }) } as const;
        const page = await fetch(`${api().url}/console/sessions`, init);
        expect(page.status, `${method} ${body?.slice(0, 5)}`).to.equal(status);
      }
      const typed = { name: '<script>x</script>', email: `a@b.com\r\nBcc: x@y.com`, role: 'king' };
      const page = await own.post('/console/people/new', typed);
      expect(page.status).to.equal(422);
      expect(await page.text())
        .to.include('&lt;script&gt;')
        .and.not.to.include('<script>');
    });

    it('writes no secret, e-mail or name to the log', async () => {
      const { lines } = api();
      const text = lines.join('\n');
      expect(text).to.include('/console/people');
      for (const secret of [
        PASSPHRASE,
        'known@example.com',
        'Ana Lima',
        '/console/enter/m',
        'Caio',
      ])
        expect(text, secret).not.to.include(secret);
      expect(text).not.to.match(/console\/(enter|invitation)\/[\w-]{43}/);
    });
  });

  it('has a cookie of the host alone, and no link for tests, in production behind HTTPS', async () => {
    const fakes = { publicUrl: 'https://sales.example/seguros', isTest: false };
    const production = await new Api({ environment: 'production', fakes }).start();
    try {
      const { memory, url } = production;
      const link = await linkFor(memory);
      expect((await new Visitor(url).post(link)).status).to.equal(404);
      const { managePeople, oneTimeCodes } = peopleOver(memory);
      const asked = { ...ANA, email: 'ana@example.com' as Email };
      const { code } = unwrap(await managePeople.invite(asked, ADMINISTRATOR));
      const codeSecret = oneTimeCodes.makeSecret();
      const joined = await new Visitor(url).post(`/console/invitation/${code}`, {
        ...{ passphrase: PASSPHRASE, codeSecret },
        code: codeOf(codeSecret, memory.clock.now()),
      });
      const [cookie = ''] = joined.headers.getSetCookie();
      expect(cookie).to.match(/^__Host-console=[\w-]{43}; Path=\/; .*; SameSite=Lax; Secure$/);
      expect(await joined.text())
        .to.include('href="/seguros/console"')
        .and.not.to.include('testes');
    } finally {
      await production.stop();
    }
  });
});
