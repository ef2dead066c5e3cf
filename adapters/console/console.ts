import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Clock } from '../../application/clock.ts';
import {
  auditName,
  isProved,
  type KeepSessions,
  type SignedIn,
} from '../../application/people/keep-sessions.ts';
import { may } from '../../application/people/roles.ts';
import type { SecretSeal } from '../../application/webhooks/webhook-sender.ts';
import { errorCodeHeader, standardError } from '../kit/contract/answer-error.ts';
import { html } from '../kit/web/pages/html.ts';
import { prepareSent, publicPath, sendKept, sendPage } from '../kit/web/pages/send-page.ts';
import { actorOf, type Context, type State, type Step } from '../kit/web/pipeline/context.ts';
import { isFromOwnPage } from '../kit/web/pipeline/form.ts';
import {
  readCallersForm,
  readFormBody,
  refuseCompressedBody,
} from '../kit/web/pipeline/request-body.ts';
import { noteRoute } from '../kit/web/pipeline/request-log.ts';
import { readBrowser } from './browser.ts';
import { renderConsole, STYLE } from './layout.ts';
import { createPages, type PageParts } from './pages/all-pages.ts';
import type { Page, SentAnswer } from './visit.ts';

export interface ConsoleParts extends PageParts {
  readonly secretSeal: SecretSeal;
  readonly keepSessions: KeepSessions;
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
  const frame = { isTest: parts.isTest, styleUrl: `${at('/style.css')}?${style.hash}`, pages, at };

  /** The page with the form, or the first of its room where forms have no page of their own. */
  const backOf = (ctx: Context, { path }: Page): string =>
    pages.some((each) => each.method === 'get' && each.path === path)
      ? ownPath(ctx)
      : `/${path.split('/')[1]}`;

  const send = (ctx: Context, answer: SentAnswer, path: string, who?: SignedIn): void => {
    if ('file' in answer) {
      const { name, type, bytes } = answer.file;
      ctx.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
      ctx.body = bytes instanceof Buffer ? bytes : Readable.from(bytes);
      return;
    }
    if (!('content' in answer)) {
      goTo(ctx, 'goTo' in answer ? at(answer.goTo) : answer.goOut);
      return;
    }
    const { status = 200, errorCode, ...page } = answer;
    if (errorCode !== undefined) ctx.set(errorCodeHeader(errorCode));
    sendPage(ctx, status, renderConsole({ ...frame, ...page, path, who }));
  };

  const leave = (ctx: Context, { person, session }: SignedIn): Promise<void> => {
    ctx.state.person = auditName(person);
    return parts.keepSessions.end(person.personId, session, actorOf(ctx));
  };

  const stepOf = (page: Page): Step =>
    async function answerPage(ctx) {
      ctx.state.route = `${ROOT}${page.path}`;
      noteRoute(ctx.state.route);
      if (page.method === 'post') {
        if (!isFromOwnPage(ctx, parts.publicUrl)) throw foreignOrigin();
        refuseCompressedBody(ctx);
      }
      const secret = secretOf(ctx);
      const who = secret ? await parts.keepSessions.recognize(secret) : undefined;
      if (page.method === 'post') await (who ? readCallersForm : readFormBody)(ctx);
      const visit = visitOf(ctx);
      if (page.isOpen) {
        const answer = await page.answer(visit);
        // A browser has one session: who signs in again leaves the earlier one.
        if (visit.started && who) await leave(ctx, who);
        return send(ctx, answer, page.path);
      }
      // A form is not sent again, so only a page can be gone on with.
      const next = page.method === 'get' ? `?next=${encodeURIComponent(ownPath(ctx))}` : '';
      if (who === undefined) return goTo(ctx, at(`/sign-in${next}`));
      ctx.state.person = auditName(who.person);
      if (page.right && !may(who.person.role, page.right))
        return send(ctx, FORBIDDEN, page.path, who);
      const isLate = page.isDelicate && !isProved(who.session, visit.now);
      const answer = isLate
        ? ({ proveFirst: true } as const)
        : await page.answer({ ...visit, who, actor: actorOf(ctx) });
      if (!('proveFirst' in answer)) return send(ctx, answer, page.path, who);
      return page.method === 'get'
        ? goTo(ctx, at(`/prove${next}`))
        : send(ctx, proofFirst(at(`/prove?next=${backOf(ctx, page)}`)), page.path, who);
    };

  const router = new Router<State>({ sensitive: true, prefix: ROOT });
  router.get('/style.css', (ctx) =>
    sendKept(ctx as Context, style, 'public, max-age=31536000, immutable'),
  );
  for (const page of pages) router[page.method](page.path, stepOf(page));
  return router.routes() as Step;
};

/** What of the console a request asks for: `/people`. */
const ownPath = (ctx: Context): string => ctx.path.slice(ROOT.length) || '/';

const goTo = (ctx: Context, address: string): void => {
  ctx.status = 303;
  ctx.redirect(address);
};

/**
 * A form that came too late for the last proof. A redirect after a form may not lead to a provider of
 * OpenID Connect: browsers apply `form-action` to it.
 */
const proofFirst = (address: string): SentAnswer => ({
  ...{ status: 401, errorCode: 'unauthenticated', title: 'Confirme que é você' },
  content: html`<h1>Confirme que é você</h1>
<p>Passaram-se dez minutos desde o último código: nada foi mudado.</p>
<p><a class="button" href="${address}">Confirmar e voltar</a></p>`,
});

const FORBIDDEN: SentAnswer = {
  ...{ status: 403, errorCode: 'insufficient_scope', title: 'Sem acesso' },
  content: html`<h1>Sem acesso</h1><p>O seu papel não dá acesso a esta página.</p>`,
};

const foreignOrigin = () =>
  standardError(
    403,
    'foreign_origin',
    'O formulário não foi enviado por uma página deste serviço.',
  );
