import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { errorCodeHeader, standardErrorBody } from '../../contract/answer-error.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { Context } from '../pipeline/context.ts';

/** A piece of a page, escaped. */
export type Html = ReturnType<typeof html>;

/** The only style of the pages. They load no other resources. */
const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef2f6; color: #1c2430; font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: 1rem; }
.sheet { background: #fff; border: 1px solid #cfd6de; border-radius: .75rem; padding: 1.25rem; margin-bottom: 1rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem; }
p { margin: .5rem 0; }
dl { margin: 1rem 0 0; }
dt { color: #55606f; font-size: .875rem; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
.good { border-left: .375rem solid #1b6b3a; }
.bad { border-left: .375rem solid #b3261e; }
label { display: block; font-weight: 600; }
input { width: 100%; padding: .625rem .75rem; font: inherit; border: 1px solid #7a8594; border-radius: .375rem; margin: .25rem 0 .75rem; }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; border: 0; border-radius: .5rem; background: #0b5cad; color: #fff; }
:focus-visible { outline: 3px solid #ffb000; outline-offset: 2px; }
@media (min-width: 40rem) { dl { display: grid; grid-template-columns: auto 1fr; gap: .375rem 1.25rem; } dd { margin: 0; } main { padding: 2rem 1rem; } .sheet { padding: 1.75rem; } }
`;

const hash = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const renderPage = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>${content}</main>
</body>
</html>
`.toString();

/** Keeps these pages out of search engines, and their URLs out of `Referer` headers. */
const UNLISTED_HEADERS = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };

/** An answer as a page and as JSON. */
interface PageAnswer {
  readonly status: number;
  readonly title: string;
  readonly content: Html;
  readonly data: object;
}

/** Answers with a page to clients that prefer HTML, such as browsers, and with JSON to others. */
export const showPage = (ctx: Context, { status, title, content, data }: PageAnswer): void => {
  ctx.status = status;
  ctx.vary('Accept');
  ctx.set(UNLISTED_HEADERS);
  if (ctx.accepts('json', 'html') !== 'html') {
    ctx.body = data;
    return;
  }
  ctx.set('Content-Security-Policy', POLICY);
  ctx.type = 'html';
  ctx.body = renderPage(title, content);
};

interface ErrorPage extends Omit<PageAnswer, 'data'> {
  readonly code: ErrorCode;
  /** For programs: the text of the standard body, and its further fields. */
  readonly response: string;
  readonly more?: object;
}

/** Answers with an error, as a page or in the standard body. */
export const showErrorPage = (ctx: Context, { code, response, more, ...page }: ErrorPage): void => {
  ctx.set(errorCodeHeader(code));
  showPage(ctx, { ...page, data: standardErrorBody(page.status, code, response, more) });
};

export const setUnlisted = (ctx: Context): void => ctx.set(UNLISTED_HEADERS);
