import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import { expect } from 'chai';
import { pino } from 'pino';
import type { Instant } from '#domain';
import { PAGE_POLICY, TOKENS } from '../../../../adapters/kit/web/pages/frame.ts';
import { showErrorsToPersons } from '../../../../adapters/kit/web/pages/show-page.ts';
import { answerErrors } from '../../../../adapters/kit/web/pipeline/answers.ts';
import { actorOf, type State, type Step } from '../../../../adapters/kit/web/pipeline/context.ts';
import type { Endpoint } from '../../../../adapters/kit/web/pipeline/endpoint.ts';
import { formOf } from '../../../../adapters/kit/web/pipeline/form.ts';
import { KoaApp } from '../../../../adapters/kit/web/pipeline/koa-app.ts';
import { runRoute } from '../../../../adapters/kit/web/pipeline/stack.ts';
import { listen } from '../../../../adapters/kit/web/server/listen.ts';
import { Unavailable } from '../../../../application/unavailable.ts';

const APPLICANT: State['applicant'] = {
  address: '127.0.0.1',
  network: '127.0.0.1',
  requestId: 'r-1',
};
const CALLER = { clientId: 'console', channelLink: null, scopes: ['admin'] } as const;
const FORM = 'application/x-www-form-urlencoded';
const HTML = { Accept: 'text/html' };

const show: Endpoint['handle'] = (ctx) => {
  const form = formOf(ctx);
  ctx.body = { plans: form.all('plans'), note: form.one('note'), has: form.has('note') };
};

/** What a console will have: endpoints whose caller is a person with a form. */
const ENDPOINTS: readonly Endpoint[] = [
  { method: 'post', path: '/products', scope: 'admin', reads: 'form', handle: show },
  { method: 'post', path: '/open', reads: 'form', handle: show },
  {
    ...{ method: 'post', path: '/both', scope: 'admin', reads: 'json', form: true },
    handle: (ctx) => {
      ctx.body = ctx.request.body;
    },
  },
  {
    ...{ method: 'get', path: '/ending' },
    deprecated: {
      since: '2027-01-01T00:00:00.000Z' as Instant,
      ends: '2028-01-01T00:00:00.000Z' as Instant,
    },
    handle: (ctx) => {
      ctx.body = {};
    },
  },
  {
    ...{ method: 'get', path: '/broken', scope: 'admin' },
    handle: () => {
      throw new Unavailable('database out of reach');
    },
  },
];

describe('an endpoint for persons', () => {
  let url = '';
  let actor: object | undefined;
  before(async () => {
    const router = new Router<State>();
    for (const endpoint of ENDPOINTS)
      router[endpoint.method](
        endpoint.path,
        showErrorsToPersons,
        runRoute(endpoint, (ctx) => {
          Object.assign(ctx.state, { caller: CALLER, person: 'maria' });
          actor = actorOf(ctx);
        }),
      );
    const app = new KoaApp();
    const begin: Step = (ctx, next) => {
      ctx.state.applicant = APPLICANT;
      return next();
    };
    app
      .use(begin)
      .use(answerErrors(pino({ level: 'silent' })))
      .use(router.routes() as Step);
    const server = await listen({ port: 0, host: '127.0.0.1' });
    server.serve(app.callback());
    url = server.address;
    after(() => server.stop());
  });

  const post = (path: string, body: string | Uint8Array, headers: object = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      ...{ method: 'POST', body },
      headers: { 'Content-Type': FORM, ...headers },
    });

  it('reads a form of its caller: check boxes, empty fields, and the texts of a product', async () => {
    const answer = await post('/products', 'plans=1&plans=2&note=');
    expect(await answer.json()).to.deep.equal({ plans: ['1', '2'], note: '', has: true });
    expect(actor).to.deep.equal({
      ...{ kind: 'person', name: 'maria', address: '127.0.0.1', requestId: 'r-1' },
    });
    const long = await post('/products', `note=${'x'.repeat(200_000)}`);
    expect(long.status).to.equal(200);
    expect(await (await post('/products', '')).json()).to.deep.equal({ plans: [], has: false });
  });

  it('says when a deprecated endpoint ends', async () => {
    const { headers } = await fetch(`${url}/ending`);
    expect(headers.get('Deprecation')).to.equal('@1798761600');
    expect(headers.get('Sunset')).to.equal('Sat, 01 Jan 2028 00:00:00 GMT');
  });

  it('takes a small form without a caller, and no other body', async () => {
    expect((await post('/open', 'note=a&note=b')).status).to.equal(200);
    const cases = [
      [413, `note=${'x'.repeat(20_000)}`, {}],
      [415, '{}', { 'Content-Type': 'application/json' }],
      [415, 'note=1', { 'Content-Encoding': 'gzip' }],
      [400, Buffer.from('note=\xff', 'latin1'), {}],
      [400, 'note=1&'.repeat(64), {}],
    ] as const;
    for (const [status, body, headers] of cases)
      expect((await post('/open', body, headers)).status, String(status)).to.equal(status);
  });

  it('takes a flat form or JSON of its caller, where it names both', async () => {
    for (const [body, type] of [
      ['note=1', FORM],
      ['{"note":"1"}', 'application/json'],
    ] as const) {
      const answer = await post('/both', body, { 'Content-Type': type });
      expect(await answer.json()).to.deep.equal({ note: '1' });
    }
    expect((await post('/both', 'note=1&note=2')).status).to.equal(400);
  });

  it('shows its errors as pages to browsers, and as JSON to programs', async () => {
    const page = await fetch(`${url}/broken`, { headers: HTML });
    expect([page.status, page.headers.get('Retry-After')]).to.deep.equal([503, '2']);
    expect(page.headers.get('Content-Security-Policy')).to.equal(PAGE_POLICY);
    expect(page.headers.get('Referrer-Policy'), 'or browsers send Origin: null').to.equal(
      'same-origin',
    );
    expect(await page.text()).to.include('<h1>Volte em instantes</h1>');
    for (const headers of [{}, { ...HTML, Authorization: 'Bearer x' }]) {
      const answer = await fetch(`${url}/broken`, { headers });
      expect(((await answer.json()) as { code: string }).code).to.equal('unavailable');
    }
  });
});

describe('the style of pages', () => {
  const namesIn = (css: string, pattern: RegExp): readonly string[] =>
    [...css.matchAll(pattern)].map(([, name = '']) => name);
  const [light = '', dark = ''] = TOKENS.split('@media');

  it('has each colour for light and for dark', () => {
    const colours = namesIn(light, /(--[\w-]+):/g);
    expect(colours).to.have.length.above(15);
    expect(namesIn(dark, /(--[\w-]+):/g)).to.deep.equal(colours);
  });

  it('uses no colour that it does not name', () => {
    const folder = new URL('../../../../adapters/', import.meta.url);
    for (const file of ['kit/web/pages/sheet.css', 'site/assets/pages.css']) {
      const css = readFileSync(new URL(file, folder), 'utf8');
      const known = namesIn(`${light}${css}`, /(--[\w-]+):/g);
      expect(known, file).to.include.members([...new Set(namesIn(css, /var\((--[\w-]+)/g))]);
      expect(css.replaceAll('background: #fff;', ''), file).not.to.match(/#[\da-f]{3,8}\b/);
    }
  });
});
