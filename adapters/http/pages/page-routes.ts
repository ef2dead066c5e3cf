import { setUnlisted } from '../certificates/public-page.ts';
import { notFound } from '../contract/answer-error.ts';
import type { AddOpenRoutes } from '../open-routes.ts';
import type { Context } from '../pipeline/context.ts';
import { publicPath } from '../pipeline/public-path.ts';
import { Assets } from './assets.ts';
import { LANGUAGES, type Language } from './chapters.ts';
import { Guide, renderGuide } from './guide.ts';
import type { Site } from './page-frame.ts';
import type { Environment } from './reference-page.ts';
import { prepareSent, type Sent } from './sent.ts';

export interface PageParts {
  /** Without `/api`. */
  readonly publicUrl: string;
  readonly environment: Environment;
  /** Resolves if the service can work, and rejects if it cannot. Asked for each request. */
  readonly checkReady: () => Promise<void>;
}

/** Scripts, styles and requests only from and to the service itself. Swagger UI has `data:` icons. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const BRIEFLY = 'public, max-age=300';
const FOR_A_YEAR = 'public, max-age=31536000, immutable';

/** The landing page, the guide and the reference, which load their libraries when asked for. */
export const createPages =
  (parts: PageParts): AddOpenRoutes =>
  (router, limitNetwork) => {
    const pages = new Pages(parts);

    router.get('/', limitNetwork, (ctx) => pages.sendLanding(ctx as Context));
    router.get(['/docs', '/docs/{*rest}'], limitNetwork, (ctx) => pages.sendDocs(ctx as Context));
  };

class Pages {
  readonly #parts: PageParts;
  readonly #base: string;
  readonly #assets: Assets;
  readonly #guide: Guide;
  readonly #references = new Map<string, Promise<Sent>>();

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
    setUnlisted(ctx);
    if (prefersHtml(ctx)) {
      ctx.set('Content-Security-Policy', POLICY);
      ctx.type = 'html';
      ctx.body = renderLanding(await this.#site(), environment, status);
    } else ctx.body = landingData(publicUrl, environment, status);
  }

  async sendDocs(ctx: Context): Promise<void> {
    const path = ctx.path.replace(/\/$/, '');
    if (path === '/docs') return this.#redirect(ctx);

    const asset = /^\/docs\/assets\/([^/]+)\/([^/]+)$/.exec(path);
    if (asset !== null) return this.#sendAsset(ctx, asset[1] ?? '', asset[2] ?? '');

    const page = (await this.#reference(path)) ?? (await this.#guide.find(path));
    if (page === undefined) return this.#sendNotFound(ctx, path);
    setUnlisted(ctx);
    send(ctx, page, BRIEFLY);
  }

  #redirect(ctx: Context): void {
    ctx.vary('Accept-Language');
    ctx.status = 303;
    ctx.redirect(`${this.#base}/docs/${chooseLanguage(ctx)}`);
  }

  async #sendAsset(ctx: Context, hash: string, name: string): Promise<void> {
    const found = await this.#assets.find(hash, name);
    if (found === undefined) throw notFound('Arquivo não encontrado.');
    send(ctx, found.sent, found.isCurrent ? FOR_A_YEAR : 'no-cache');
  }

  /** For programs the standard 404; for browsers a page in the language of its path. */
  async #sendNotFound(ctx: Context, path: string): Promise<void> {
    ctx.vary('Accept');
    if (!prefersHtml(ctx)) throw notFound('Caminho não encontrado.');
    const named = LANGUAGES.find((each) => path.startsWith(`/docs/${each}/`));
    const language: Language = named ?? chooseLanguage(ctx);
    setUnlisted(ctx);
    ctx.set('X-Error-Code', 'not_found');
    const page = await this.#guide.notFound(language);
    ctx.status = 404;
    setPolicy(ctx, page);
    ctx.set('Cache-Control', 'no-store');
    writeBody(ctx, page);
  }

  async #reference(path: string): Promise<Sent | undefined> {
    const { isReferencePath, renderReference } = await import('./reference-page.ts');
    if (!isReferencePath(path)) return undefined;
    const known = this.#references.get(path);
    if (known !== undefined) return known;
    const { environment } = this.#parts;
    const rendering = this.#site().then(async (site) => {
      const plain = await renderReference(path, site, { assets: this.#assets, environment });
      return prepareSent('text/html; charset=utf-8', plain);
    });
    this.#references.set(path, rendering);
    rendering.catch(() => this.#references.delete(path));
    return rendering;
  }

  async #site(): Promise<Site> {
    const { readSite } = await import('./page-frame.ts');
    return readSite(this.#parts.publicUrl, this.#base, this.#assets);
  }
}

/** Characters. No browser sends more, and reading 16 kB of languages takes milliseconds. */
const MAX_LANGUAGES_LENGTH = 500;

/** The language of the guide for an `Accept-Language` header; Portuguese unless English is preferred. */
const chooseLanguage = (ctx: Context): Language => {
  if (ctx.get('Accept-Language').length > MAX_LANGUAGES_LENGTH) return 'pt-BR';
  return ctx.acceptsLanguages('pt-BR', 'pt', 'en') === 'en' ? 'en' : 'pt-BR';
};

/** Programs that accept anything, such as curl, get JSON. */
const prefersHtml = (ctx: Context): boolean => ctx.accepts('json', 'html') === 'html';

/** Answers 200, or 304 to whoever has the content. */
const send = (ctx: Context, sent: Sent, cacheControl: string): void => {
  ctx.status = 200;
  // Weak, because it names both encodings.
  ctx.set({ 'Cache-Control': cacheControl, ETag: `W/"${sent.hash}"` });
  setPolicy(ctx, sent);
  if (ctx.fresh) {
    ctx.vary('Accept-Encoding');
    ctx.status = 304;
  } else writeBody(ctx, sent);
};

const setPolicy = (ctx: Context, { type }: Sent): void => {
  if (type.startsWith('text/html')) ctx.set('Content-Security-Policy', POLICY);
};

const writeBody = (ctx: Context, { type, plain, gzipped }: Sent): void => {
  ctx.vary('Accept-Encoding');
  ctx.set('Content-Type', type);
  const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzip) ctx.set('Content-Encoding', 'gzip');
  const { buffer, byteOffset, byteLength } = isGzip ? gzipped : plain;
  ctx.body = Buffer.from(buffer, byteOffset, byteLength);
};
