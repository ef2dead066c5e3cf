import type Router from '@koa/router';
import { errorCodeHeader, notFound } from '../kit/contract/answer-error.ts';
import { chooseLanguage, LANGUAGES } from '../kit/web/pages/languages.ts';
import {
  prefersHtml,
  prepareSent,
  publicPath,
  type Sent,
  sendKept,
  sendOnce,
  sendPage,
} from '../kit/web/pages/send-page.ts';
import type { Context, State, Step } from '../kit/web/pipeline/context.ts';
import { Assets } from './assets.ts';
import { Guide, renderGuide } from './guide.ts';
import type { Site } from './page-frame.ts';
import type { Environment } from './reference-page.ts';

export interface PageParts {
  /** Without `/api`. */
  readonly publicUrl: string;
  readonly environment: Environment;
  /** Resolves if the service can work, and rejects if it cannot. Asked for each request. */
  readonly checkReady: () => Promise<void>;
}

const BRIEFLY = 'public, max-age=300';
const FOR_A_YEAR = 'public, max-age=31536000, immutable';

const HTML = 'text/html; charset=utf-8';

/** The routes of the pages. */
export const createPageRoutes =
  ({ sitePages }: { readonly sitePages: Pages }) =>
  (router: Router<State>, limitNetwork: Step): void => {
    router.get('/', limitNetwork, (ctx) => sitePages.sendLanding(ctx as Context));
    router.get(['/docs', '/docs/{*rest}'], limitNetwork, (ctx) =>
      sitePages.sendDocs(ctx as Context),
    );
  };

/** The landing page, the guide and the reference, which load their libraries when asked for. */
export class Pages {
  readonly #parts: PageParts;
  readonly #base: string;
  readonly #assets: Assets;
  readonly #guide: Guide;
  /** The pages that are rendered one by one, by their paths or names. */
  readonly #rendered = new Map<string, Promise<Sent>>();

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.#base = publicPath(parts.publicUrl);
    this.#assets = new Assets(this.#base);
    this.#guide = new Guide(async () => renderGuide(await this.#site()));
  }

  async sendLanding(ctx: Context): Promise<void> {
    const { publicUrl, environment, checkReady } = this.#parts;
    const { landingData, renderLanding } = await import('./landing-page.ts');
    const status = await checkReady().then(
      () => 'ok' as const,
      () => 'unavailable' as const,
    );
    ctx.vary('Accept');
    if (prefersHtml(ctx)) {
      sendPage(ctx, 200, renderLanding(await this.#site(), environment, status));
    } else ctx.body = landingData(publicUrl, environment, status);
  }

  async sendDocs(ctx: Context): Promise<void> {
    const path = ctx.path.replace(/\/$/, '');
    if (path === '/docs') return this.#redirect(ctx);

    const asset = /^\/docs\/assets\/([^/]+)\/([^/]+)$/.exec(path);
    if (asset !== null) return this.#sendAsset(ctx, asset[1] ?? '', asset[2] ?? '');

    const page = (await this.#reference(path)) ?? (await this.#guide.find(path));
    if (page === undefined) return this.#sendNotFound(ctx, path);
    sendKept(ctx, page, BRIEFLY);
  }

  #redirect(ctx: Context): void {
    ctx.vary('Accept-Language');
    ctx.status = 303;
    ctx.redirect(`${this.#base}/docs/${chooseLanguage(ctx)}`);
  }

  async #sendAsset(ctx: Context, hash: string, name: string): Promise<void> {
    const found = await this.#assets.find(hash, name);
    if (found === undefined) throw notFound('Arquivo não encontrado.');
    sendKept(ctx, found.sent, found.isCurrent ? FOR_A_YEAR : 'no-cache');
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

  /** For programs the standard 404; for browsers a page in the language of its path. */
  async #sendNotFound(ctx: Context, path: string): Promise<void> {
    ctx.vary('Accept');
    if (!prefersHtml(ctx)) throw notFound('Caminho não encontrado.');
    const named = LANGUAGES.find((each) => path.startsWith(`/docs/${each}/`));
    if (named === undefined) ctx.vary('Accept-Language');
    const language = named ?? chooseLanguage(ctx);
    const page = await this.#once(`not found in ${language}`, async (site) => {
      const { renderNotFound } = await import('./not-found-page.ts');
      return renderNotFound(language, site);
    });
    ctx.set(errorCodeHeader('not_found'));
    sendOnce(ctx, 404, page);
  }

  async #reference(path: string): Promise<Sent | undefined> {
    const { isReferencePath, renderReference } = await import('./reference-page.ts');
    if (!isReferencePath(path)) return undefined;
    const { environment } = this.#parts;
    return this.#once(path, (site) =>
      renderReference(path, site, { assets: this.#assets, environment }),
    );
  }

  /** Renders a page when it is first asked for. A page that could not be rendered is tried again. */
  #once(name: string, render: (site: Site) => Promise<Buffer>): Promise<Sent> {
    const known = this.#rendered.get(name);
    if (known !== undefined) return known;

    const rendering = this.#site().then(async (site) => prepareSent(HTML, await render(site)));
    this.#rendered.set(name, rendering);
    rendering.catch(() => this.#rendered.delete(name));
    return rendering;
  }

  async #site(): Promise<Site> {
    const { readSite } = await import('./page-frame.ts');
    return readSite(this.#parts.publicUrl, this.#base, this.#assets);
  }
}
