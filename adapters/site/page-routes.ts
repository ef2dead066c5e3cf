import type Router from '@koa/router';
import { errorCodeHeader, notFound } from '../kit/contract/answer-error.ts';
import { chooseLanguage, LANGUAGES } from '../kit/web/pages/languages.ts';
import {
  prefersHtml,
  publicPath,
  sendKept,
  sendOnce,
  sendPage,
} from '../kit/web/pages/send-page.ts';
import type { Context, State, Step } from '../kit/web/pipeline/context.ts';
import { landingData, renderLanding } from './landing-page.ts';
import { type Environment, SiteFiles } from './site-files.ts';

export interface PageParts {
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
  readonly environment: Environment;
  /** Resolves if the service can work, and rejects if it cannot. Asked for each request. */
  readonly checkReady: () => Promise<void>;
  /** The folder of the site; makes it where it is missing. */
  readonly findSite: () => Promise<string>;
}

const BRIEFLY = 'public, max-age=300';
const FOR_A_YEAR = 'public, max-age=31536000, immutable';

/** The routes of the pages. */
export const createPageRoutes =
  ({ sitePages }: { readonly sitePages: Pages }) =>
  (router: Router<State>, limitNetwork: Step): void => {
    router.get('/', limitNetwork, (ctx) => sitePages.sendLanding(ctx as Context));
    router.get(['/llms.txt', '/docs', '/docs/{*rest}'], limitNetwork, (ctx) =>
      sitePages.sendDocs(ctx as Context),
    );
  };

/** The landing page, the unknown paths, and the files of the site. */
export class Pages {
  readonly #parts: PageParts;
  readonly #base: string;
  readonly #files: SiteFiles;

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.#base = publicPath(parts.publicUrl);
    this.#files = new SiteFiles(parts.findSite, parts.publicUrl, this.#base);
  }

  async sendLanding(ctx: Context): Promise<void> {
    const { publicUrl, environment, checkReady } = this.#parts;
    const status = await checkReady().then(
      () => 'ok' as const,
      () => 'unavailable' as const,
    );
    ctx.vary('Accept');
    if (prefersHtml(ctx)) {
      const site = { publicUrl, base: this.#base, assets: await this.#files.assets() };
      sendPage(ctx, 200, renderLanding(site, environment, status));
    } else ctx.body = landingData(publicUrl, environment, status);
  }

  async sendDocs(ctx: Context): Promise<void> {
    const path = ctx.path.replace(/\/$/, '');
    if (path === '/docs') return this.#redirect(ctx);
    if (path.startsWith('/docs/assets/')) return this.#sendAsset(ctx, path);

    const page =
      (await this.#files.find(path)) ??
      (await this.#files.find(`${this.#parts.environment} ${path}`));
    if (page === undefined) return this.#sendNotFound(ctx, path);
    sendKept(ctx, page, BRIEFLY);
  }

  #redirect(ctx: Context): void {
    ctx.vary('Accept-Language');
    ctx.status = 303;
    ctx.redirect(`${this.#base}/docs/${chooseLanguage(ctx)}`);
  }

  /** A page of another release may ask for a former file: the present one is sent. */
  async #sendAsset(ctx: Context, path: string): Promise<void> {
    const assets = await this.#files.assets();
    const [, name = ''] = /^\/docs\/assets\/[^/]+\/([^/]+)$/.exec(path) ?? [];
    if (!Object.hasOwn(assets, name)) throw notFound('Arquivo não encontrado.');
    const address = assets[name]?.slice(this.#base.length) ?? '';
    const found = await this.#files.find(address);
    if (found === undefined) throw notFound('Arquivo não encontrado.');
    sendKept(ctx, found, address === path ? FOR_A_YEAR : 'no-cache');
  }

  /**
   * A step that shows browsers where to go from an unknown path. Programs get the standard 404; so
   * do requests with credentials, because some libraries of programs prefer HTML too.
   */
  readonly answerUnknownPath: Step = async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || ctx.get('Authorization') !== '') return next();
    return this.#sendNotFound(ctx as Context, ctx.path);
  };

  /**
   * Answers programs with the standard 404, and browsers with a page in the language of the path.
   */
  async #sendNotFound(ctx: Context, path: string): Promise<void> {
    ctx.vary('Accept');
    if (!prefersHtml(ctx)) throw notFound('Caminho não encontrado.');
    const named = LANGUAGES.find((each) => path.startsWith(`/docs/${each}/`));
    if (named === undefined) ctx.vary('Accept-Language');
    const page = await this.#files.find(`404 ${named ?? chooseLanguage(ctx)}`);
    if (page === undefined) throw notFound('Caminho não encontrado.');
    ctx.set(errorCodeHeader('not_found'));
    sendOnce(ctx, 404, page);
  }
}
