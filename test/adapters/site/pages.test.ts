import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ERROR_CODES } from '../../../adapters/kit/contract/error-codes.ts';
import { PAGE_POLICY } from '../../../adapters/kit/web/pages/frame.ts';
import { LANGUAGES, type Language } from '../../../adapters/kit/web/pages/languages.ts';
import {
  GUIDE,
  guidePath,
  OPERATOR_PAGES,
  operatorPath,
} from '../../../adapters/site/site-pages.ts';
import { ALERT_KINDS } from '../../../application/alerts/alerts.ts';
import { withApi } from '../../support/api.ts';
import { anchorsOf, readReadme } from '../../support/readme.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Answers as they come: redirects are not followed. */
const ask = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(address, { headers, method, redirect: 'manual' });

const PAGES = [
  '',
  'docs/pt-BR',
  'docs/en/cancel',
  'docs/en/operator/alerts',
  'docs/api',
  'docs/api/admin',
];

/** The paths of all pages that are read in a language. */
const pagesIn = (language: Language): readonly string[] => [
  ...GUIDE.flatMap(({ pages }) => pages.map((page) => guidePath(language, page))),
  ...(language === 'en' ? OPERATOR_PAGES.map(operatorPath) : []),
];

describe('the pages', () => {
  withApi((api) => {
    const get = (path: string, headers: Record<string, string> = {}) =>
      ask(`${api().url}${path}`, headers);

    it('begin at /, as a page for browsers and as JSON for programs', async () => {
      const page = await get('/', HTML);
      expect(page.headers.get('Content-Type')).to.match(/^text\/html/);
      expect(page.headers.get('Vary')).to.match(/Accept/);
      expect(await page.text())
        .to.include('Em funcionamento')
        .and.include('href="/docs/en"')
        .and.include(`${api().url}/api/seguros/auth/token`);
      const { success, data } = (await (await get('/')).json()) as {
        success: boolean;
        data: { status: string; environment: string; links: Record<string, string> };
      };
      expect([success, data.status, data.environment]).to.deep.equal([true, 'ok', 'test']);
      for (const link of ['docs', 'reference', 'openapi', 'verify', 'authorization_server'])
        expect((await fetch(data.links[link] ?? '')).status, link).to.equal(200);
    });

    it('run no inline script or style, and load nothing from elsewhere', async () => {
      for (const path of PAGES) {
        const page = await get(`/${path}`, HTML);
        const policy = page.headers.get('Content-Security-Policy') ?? '';
        expect(policy, path).to.equal(PAGE_POLICY);
        expect(policy).not.to.match(/unsafe|https?:/);
        const text = await page.text();
        expect(text).not.to.match(
          /<script(?![^>]*\bsrc="\/docs\/assets\/)|<style| style="| on\w+="/,
        );
        expect([...text.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)])
          .to.have.length.above(0)
          .and.satisfy((found: string[][]) =>
            found.every(([, link]) => link?.startsWith('/docs/')),
          );
      }
    });

    it('choose the language of the guide by Accept-Language, whatever it holds', async () => {
      const CHOICES: Readonly<Record<string, string>> = {
        '': 'pt-BR',
        'en-US,en;q=0.9': 'en',
        'pt-PT, en;q=0.8': 'pt-BR',
        'en;q=0.2, pt;q=0.7': 'pt-BR',
        'de, fr;q=0.5': 'pt-BR',
        'de, en;q=0.5, *;q=0.1': 'en',
        'en;q=0': 'pt-BR',
        'en;q=9, en;q=x, ;;;,,,en': 'en',
        [`${'x-y;q=0.1,'.repeat(900)}en`]: 'pt-BR',
        '../../../etc/passwd': 'pt-BR',
      };
      for (const [header, language] of Object.entries(CHOICES)) {
        const answer = await get('/docs', { 'Accept-Language': header });
        expect(answer.status, header).to.equal(303);
        expect(answer.headers.get('Location'), header).to.equal(`/docs/${language}`);
        expect(answer.headers.get('Vary')).to.match(/Accept-Language/);
      }
    });

    it('show the guide with the anchors of GitHub, and this service as its address', async () => {
      for (const page of ['errors', 'first-sale', 'collect']) {
        const text = await (await get(`/docs/en/${page}`)).text();
        const readme = readReadme(`adapters/site/guide/en/${page}.md`);
        const headings = anchorsOf({
          ...readme,
          text: readme.text.replaceAll(/^```[\s\S]*?^```$/gm, ''),
        });
        const ids = [...text.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);
        expect(ids, page).to.deep.equal(headings);
        expect(text).not.to.match(
          /127\.0\.0\.1:3000|public-url\.invalid|base-path\.invalid|&lt;!--/,
        );
      }
      expect(await (await get('/docs/en/first-sale')).text()).to.include(`${api().url}/api`);
    });

    it('show the tables that are made from the code', async () => {
      const errors = await (await get('/docs/pt-BR/errors')).text();
      for (const code of Object.keys(ERROR_CODES))
        expect(errors).to.include(`<code>${code}</code>`);
      const alerts = await (await get('/docs/en/operator/alerts')).text();
      for (const kind of ALERT_KINDS) expect(alerts).to.include(`id="${kind}"`);
    });

    it('are there as Markdown, and listed for machines', async () => {
      const list = await get('/llms.txt');
      expect(list.headers.get('Content-Type')).to.equal('text/plain; charset=utf-8');
      const links = [...(await list.text()).matchAll(/\]\((.+?)\)/g)].map(([, link = '']) => link);
      expect(links.length).to.be.above(25);
      for (const link of links) expect((await fetch(link)).status, link).to.equal(200);
      const page = await get('/docs/pt-BR/errors.md');
      expect(page.headers.get('Content-Type')).to.equal('text/markdown; charset=utf-8');
      expect(await page.text())
        .to.match(/^# .+/)
        .and.include('| `card_declined` |');
    });

    it('show the changelog', async () => {
      const text = await (await get('/docs/changelog')).text();
      expect(text).to.include('Changelog').and.include('1.0.0');
    });

    it('link only to pages and headings that exist', async () => {
      const known = new Map<string, string>();
      const read = async (path: string): Promise<string> => {
        const text =
          known.get(path) ?? (await (await fetch(`${api().url}${path}`, { headers: HTML })).text());
        known.set(path, text);
        return text;
      };
      const broken: string[] = [];
      for (const language of LANGUAGES)
        for (const from of pagesIn(language)) {
          for (const [, link = ''] of (await read(from)).matchAll(/<a[^>]* href="([^"]+)"/g)) {
            if (link.startsWith('http')) continue;
            const [path = '', anchor] = link.split('#');
            const target = await read(path === '' ? from : path);
            const isThere = anchor === undefined || target.includes(`id="${anchor}"`);
            if (!isThere || target.includes('Página não encontrada'))
              broken.push(`${from}: ${link}`);
          }
        }
      expect(broken).to.deep.equal([]);
      expect(known.size).to.be.above(10);
    });

    it('answer a page that the browser has with 304, compressed or not', async () => {
      for (const path of PAGES.filter((each) => each !== '')) {
        const plain = await get(`/${path}`, { 'Accept-Encoding': 'identity' });
        const packed = await get(`/${path}`, { 'Accept-Encoding': 'gzip' });
        expect(packed.headers.get('Content-Encoding')).to.equal('gzip');
        expect(plain.headers.get('Content-Encoding')).to.equal(null);
        expect(await packed.text()).to.equal(await plain.text());
        const etag = plain.headers.get('ETag') ?? '';
        expect(etag).to.match(/^W\/"\w+"$/);
        expect(
          (await get(`/${path}`, { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })).status,
        ).to.equal(304);
      }
    });

    it('answer HEAD without a body, and other methods with 405', async () => {
      for (const path of ['/', '/docs/en', '/docs/api']) {
        const head = await ask(`${api().url}${path}`, HTML, 'HEAD');
        expect([head.status, await head.text()], path).to.deep.equal([200, '']);
        const post = await ask(`${api().url}${path}`, {}, 'POST');
        expect([post.status, post.headers.get('Allow')]).to.deep.equal([405, 'HEAD, GET']);
      }
    });

    it('serve their files for a year, and those of another release as the present ones', async () => {
      const text = await (await get('/docs/api')).text();
      const files = [...text.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
      expect(files).to.have.length.above(4);
      for (const file of files) {
        const answer = await get(file);
        expect(answer.status, file).to.equal(200);
        expect(answer.headers.get('Cache-Control')).to.match(/max-age=31536000, immutable/);
        expect(answer.headers.get('X-Content-Type-Options')).to.equal('nosniff');
        expect(await answer.text()).not.to.include('sourceMappingURL=');
      }
      const former = await get('/docs/assets/0123456789ab/pages.css');
      expect([former.status, former.headers.get('Cache-Control')]).to.deep.equal([200, 'no-cache']);
    });

    it('serve only the files of their list', async () => {
      const hostile = [
        ...['/docs/assets/x/page-routes.ts', '/docs/assets/x/..%2fpage-routes.ts'],
        ...['/docs/assets/x/constructor', '/docs/assets/x/__proto__', '/docs/assets/pages.css'],
        ...['/docs/en/..%2f..%2fREADME.md', '/docs/not found in en', '/docs/assets/x/%2e%2e'],
      ];
      for (const path of hostile) {
        const answer = await get(path);
        expect(answer.status, path).to.equal(404);
        expect(await answer.json()).to.include({ success: false });
      }
    });

    it('answer an unknown path with a page for browsers, in the language of the path', async () => {
      const CASES = { '/docs/en/nothing': 'Page not found', '/docs/x': 'Página não encontrada' };
      for (const [path, title] of Object.entries(CASES)) {
        const answer = await get(path, HTML);
        expect([answer.status, answer.headers.get('X-Error-Code')]).to.deep.equal([
          404,
          'not_found',
        ]);
        expect(answer.headers.get('Cache-Control')).to.equal('no-store');
        expect(await answer.text())
          .to.include(title)
          .and.include('role="search"');
      }
    });

    it('lead on from any unknown path, for browsers', async () => {
      for (const path of [
        '/nothing',
        '/guia',
        '/api',
        '/api/private/nothing',
        '/admin',
        '/docs/x',
      ]) {
        const answer = await get(path, { ...HTML, 'Accept-Language': 'pt-BR' });
        expect([answer.status, answer.headers.get('X-Error-Code')], path).to.deep.equal([
          404,
          'not_found',
        ]);
        expect(answer.headers.get('Vary'))
          .to.match(/\bAccept\b(?!-)/)
          .and.include('Accept-Language');
        expect(answer.headers.get('Cache-Control')).to.equal('no-store');
        const text = await answer.text();
        for (const link of ['/', '/docs/pt-BR', '/docs/api', '/verify'])
          expect(text, path).to.include(`href="${link}"`);
      }
      const english = await get('/nothing', { ...HTML, 'Accept-Language': 'en' });
      expect(await english.text())
        .to.include('Page not found')
        .and.include('href="/docs/en"');
    });

    it('answer an unknown path to HEAD like to GET', async () => {
      const head = await ask(`${api().url}/nothing`, HTML, 'HEAD');
      expect([head.status, await head.text()]).to.deep.equal([404, '']);
      expect(head.headers.get('Content-Type')).to.match(/^text\/html/);
    });

    it('answer unknown paths to programs with the standard error', async () => {
      const error = {
        success: false,
        response: 'Caminho não encontrado.',
        status_code: '404',
        code: 'not_found',
      };
      const programs: readonly [string, Record<string, string>][] = [
        ['GET', {}],
        ['GET', { Accept: '*/*' }],
        ['GET', { Accept: 'application/json' }],
        ['GET', { Accept: 'application/json, text/html' }],
        ['GET', { ...HTML, Authorization: 'Bearer x' }],
        ['POST', HTML],
        ['DELETE', HTML],
        ['PROPFIND', HTML],
      ];
      for (const path of ['/nothing', '/api/nothing', '/api/private/nothing', '/admin'])
        for (const [method, headers] of programs) {
          const answer = await ask(`${api().url}${path}`, headers, method);
          const shown = `${method} ${path} ${JSON.stringify(headers)}`;
          expect([answer.status, answer.headers.get('X-Error-Code')], shown).to.deep.equal([
            404,
            'not_found',
          ]);
          expect(await answer.json(), shown).to.deep.equal(error);
        }
    });

    it('answer an unknown path in full, whatever the browser says that it has', async () => {
      const page = await (await get('/docs/en/nothing', HTML)).text();
      const sought = { ...HTML, 'If-None-Match': '*', 'Cache-Control': 'max-age=0' };
      const answer = await get('/docs/en/nothing', sought);
      expect([answer.status, answer.headers.get('ETag')]).to.deep.equal([404, null]);
      expect(answer.headers.get('Content-Type')).to.match(/^text\/html/);
      expect(await answer.text()).to.equal(page);
    });

    it('list the sections for the search', async () => {
      const sections = (await (await get('/docs/en/search.json')).json()) as { id: string }[];
      expect(sections.map(({ id }) => id)).to.include.members([
        '/docs/en/limits#limits',
        '/docs/en/reconcile#what-counts',
        '/docs/en/access#refresh-and-revoke',
      ]);
    });

    it('let the reference send requests', async () => {
      expect(await (await get('/docs/api')).text()).to.include('data-try-out="on"');
    });
  });
});

describe('the pages in production', () => {
  withApi(
    (api) => {
      it('show the reference, and send no requests from it', async () => {
        const text = await (await ask(`${api().url}/docs/api`)).text();
        expect(text).to.include('data-try-out="off"').and.include('só mostra a referência');
        expect(await (await ask(`${api().url}/`, HTML)).text()).to.include('Ambiente de produção');
      });
    },
    { environment: 'production' },
  );
});

describe('the landing page of a service that cannot work', () => {
  withApi(
    (api) => {
      it('is shown, and says so', async () => {
        const page = await ask(`${api().url}/`, HTML);
        expect(page.status).to.equal(200);
        expect(await page.text()).to.include('Temporariamente indisponível');
        expect(await (await ask(`${api().url}/`)).json()).to.have.nested.property(
          'data.status',
          'unavailable',
        );
      });
    },
    { fakes: { checkReady: () => Promise.reject(new Error('no database')) } },
  );
});

describe('the pages under a rate limit', () => {
  withApi(
    (api) => {
      it('refuse a network past its limit', async () => {
        const statuses = [];
        for (let times = 0; times < 4; times += 1)
          statuses.push((await ask(`${api().url}/docs/en`)).status);
        expect(statuses).to.deep.equal([200, 200, 429, 429]);
      });
    },
    { rateLimit: 2 },
  );
});

describe('the script of the guide', () => {
  it('puts no text into the page as HTML', () => {
    const script = readFileSync(
      new URL('../../../adapters/site/assets/guide.js', import.meta.url),
      'utf8',
    );
    expect(script).not.to.match(/innerHTML|insertAdjacentHTML|document\.write/);
  });
});
