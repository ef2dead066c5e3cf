import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Clock } from '../../application/clock.ts';
import {
  auditName,
  isProved,
  type KeepSessions,
  type SignedIn,
} from '../../application/people/keep-sessions.ts';
import type { SecretSeal } from '../../application/webhooks/webhook-sender.ts';
import { errorCodeHeader, standardError } from '../kit/contract/answer-error.ts';
import { html } from '../kit/web/pages/html.ts';
import { prepareSent, publicPath, sendKept, sendPage } from '../kit/web/pages/send-page.ts';
import { actorOf, type Context, type State, type Step } from '../kit/web/pipeline/context.ts';
import { isFromOwnPage } from '../kit/web/pipeline/form.ts';
import { LongRequests } from '../kit/web/pipeline/long-requests.ts';
import {
  readCallersForm,
  readFormBody,
  refuseCompressedBody,
} from '../kit/web/pipeline/request-body.ts';
import { noteRoute } from '../kit/web/pipeline/request-log.ts';
import { createAccess, LOOKING, proofFirst } from './access.ts';
import { readBrowser } from './browser.ts';
import { answerInGroup, type ConsoleGroups } from './in-groups.ts';
import { type Frame, renderConsole, STYLE } from './layout.ts';
import { createPages, type PageParts } from './pages/all-pages.ts';
import type { Page, SentAnswer } from './visit.ts';

export interface ConsoleParts extends PageParts {
  readonly secretSeal: SecretSeal;
  readonly keepSessions: KeepSessions;
  readonly groups: ConsoleGroups;
  readonly clock: Clock;
}

const ROOT = '/console';

/** The pages for people who work with the service. */
export const createConsole = async (parts: ConsoleParts): Promise<Step> => {
  const pages = createPages(parts);
  const style = await prepareSent('text/css; charset=utf-8', Buffer.from(STYLE));
  const base = `${publicPath(parts.publicUrl)}${ROOT}`;
  const at = (path: string): string => (path === '/' ? base : `${base}${path}`);
  const { visitOf, secretOf } = readBrowser({ ...parts, at });
  const styleUrl = `${at('/style.css')}?${style.hash}`;
  const send = createSend({ isTest: parts.isTest, styleUrl, pages, home: at('/') });

  const inGroup = answerInGroup(pages, parts.groups);
  const access = createAccess({ ...parts, pages, at });
  const files = new LongRequests('arquivos');

  const recognize = async (ctx: Context): Promise<SignedIn | undefined> => {
    const secret = secretOf(ctx);
    return secret ? parts.keepSessions.recognize(secret) : undefined;
  };

  const leave = (ctx: Context, { person, session }: SignedIn): Promise<void> => {
    ctx.state.person = auditName(person);
    return parts.keepSessions.end(person.personId, session, actorOf(ctx));
  };

  /** @param prefix of the address, in which an administrator looks as a partner */
  const stepOf = (page: Page, prefix: string): Step =>
    async function answerPage(ctx) {
      ctx.state.route = `${ROOT}${prefix}${page.path}`;
      noteRoute(ctx.state.route);
      if (page.method === 'post') {
        if (!isFromOwnPage(ctx, parts.publicUrl)) throw foreignOrigin();
        refuseCompressedBody(ctx);
      }
      const who = await recognize(ctx);
      if (page.method === 'post') await (who ? readCallersForm : readFormBody)(ctx);
      const visit = visitOf(ctx);
      if (page.isOpen) {
        const answer = await page.answer(visit);
        // A browser has one session: signing in again ends the earlier one.
        if (visit.started && who) await leave(ctx, who);
        return send(ctx, answer, page.path, { at });
      }
      // A form is not sent again, so only a page can be gone on with.
      const next = page.method === 'get' ? `?next=${encodeURIComponent(ownPath(ctx))}` : '';
      if (who === undefined) return goTo(ctx, at(`/sign-in${next}`));
      ctx.state.person = auditName(who.person);
      const { shown, refusal } = await access(page, who, visit.parameter('as'));
      if (refusal !== undefined) return send(ctx, refusal, page.path, shown);
      if (page.isFile) takeTurn(ctx, files, shown.who);
      const isLate = page.isDelicate && !isProved(who.session, visit.now);
      const answer = isLate
        ? ({ proveFirst: true } as const)
        : await inGroup(page, { ...visit, ...shown, actor: actorOf(ctx) });
      if (!('proveFirst' in answer)) return send(ctx, answer, page.path, shown);
      return page.method === 'get'
        ? goTo(ctx, at(`/prove${next}`))
        : send(ctx, proofFirst(at(`/prove?next=${backOf(pages, ctx, page)}`)), page.path, shown);
    };

  const router = new Router<State>({ sensitive: true, prefix: ROOT });
  router.get('/style.css', (ctx) =>
    sendKept(ctx as Context, style, 'public, max-age=31536000, immutable'),
  );
  for (const page of pages) {
    router[page.method](page.path, stepOf(page, ''));
    const path = `${LOOKING}${page.path === '/' ? '' : page.path}`;
    if (!page.isOpen) router[page.method](path, stepOf(page, LOOKING));
  }
  const routes = router.routes() as Step;
  return (ctx, next) =>
    routes(ctx, async () => {
      // Another method of a page is answered as by other routes.
      if (ctx.method !== 'GET' || isKnown(ctx)) return next();
      return send(ctx, NO_PAGE, '', { at, who: await recognize(ctx) });
    });
};

/** The page with the form, or the first of its room where forms have no page of their own. */
const backOf = (pages: readonly Page[], ctx: Context, { path }: Page): string =>
  pages.some((each) => each.method === 'get' && each.path === path)
    ? ownPath(ctx)
    : `/${path.split('/')[1]}`;

/** Waits for nothing: where too many files are being made or read, the answer is 429. */
const takeTurn = (ctx: Context, files: LongRequests, { person }: SignedIn): void => {
  const { personId: clientId, channelLink } = person;
  ctx.res.once('close', files.take({ clientId, channelLink }, ctx.res));
};

/** Whether a page has the path. */
const isKnown = (ctx: object): boolean =>
  ((ctx as { readonly matched?: readonly unknown[] }).matched ?? []).length > 0;

const NO_PAGE: SentAnswer = {
  ...{ status: 404, errorCode: 'not_found', title: 'Página não encontrada' },
  content: html`<h1>Página não encontrada</h1><p>Este endereço não existe. Confira se está completo, ou comece pelo menu.</p>`,
};

/** Sends what a page answers. */
const createSend =
  (frame: Pick<Frame, 'isTest' | 'styleUrl' | 'pages' | 'home'>) =>
  (
    ctx: Context,
    answer: SentAnswer,
    path: string,
    by: Pick<Frame, 'who' | 'isLooking' | 'at'>,
  ): void => {
    if ('file' in answer) {
      const { name, type, bytes } = answer.file;
      ctx.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
      ctx.body = bytes instanceof Buffer ? bytes : Readable.from(bytes);
      return;
    }
    if (!('content' in answer)) {
      goTo(ctx, 'goTo' in answer ? by.at(answer.goTo) : answer.goOut);
      return;
    }
    const { status = 200, errorCode, ...page } = answer;
    if (errorCode !== undefined) ctx.set(errorCodeHeader(errorCode));
    sendPage(ctx, status, renderConsole({ ...frame, ...page, ...by, path }));
  };

/** What of the console a request asks for: `/people`. */
const ownPath = (ctx: Context): string => ctx.path.slice(ROOT.length) || '/';

const goTo = (ctx: Context, address: string): void => {
  ctx.status = 303;
  ctx.redirect(address);
};

const foreignOrigin = () =>
  standardError(
    403,
    'foreign_origin',
    'O formulário não foi enviado por uma página deste serviço.',
  );
