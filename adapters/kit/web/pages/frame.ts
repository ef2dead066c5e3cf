import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, raw } from './html.ts';
import type { Language } from './languages.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The colours of every page, light and dark, and what all elements share. */
export const TOKENS = read('tokens.css');

const SHEET_STYLE = `\n${TOKENS}${read('sheet.css')}`;
const COPY_SCRIPT = `\n${read('copy-code.js')}`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The content security policy of every page: styles, scripts, requests and forms only from and to the
 * service itself, and the style and script that `renderSheet` writes into a page. Swagger UI has
 * `data:` icons.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'self' ${hashOf(SHEET_STYLE)}`,
  `script-src 'self' ${hashOf(COPY_SCRIPT)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Frame {
  readonly title: string;
  readonly language: Language;
  /** Whether the page stays light in a dark browser, because a part of it has light colours only. */
  readonly isLight?: boolean;
  /** Styles and scripts. */
  readonly head: Html;
  /** Attributes of the body, with a blank before each. */
  readonly attributes?: Html;
  readonly body: Html;
}

/** Writes a whole page. */
export const renderFrame = ({ title, language, isLight, head, attributes, body }: Frame): string =>
  html`<!doctype html>
<html lang="${language}"${isLight ? raw(' class="light"') : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body${attributes}>
${body}
</body>
</html>
`.toString();

/** A page of sheets, which loads nothing. */
export interface SheetPage {
  readonly title: string;
  /** Stands above the page. */
  readonly note?: string;
  readonly content: Html;
  /** Whether it has buttons that copy a code. */
  readonly copies?: boolean;
}

/** Writes a page of sheets, in Portuguese. */
export const renderSheet = ({ title, note, content, copies }: SheetPage): string =>
  renderFrame({
    title,
    language: 'pt-BR',
    head: html`<style>${raw(SHEET_STYLE)}</style>`,
    body: html`${note && html`<header><p class="note">${note}</p></header>\n`}<main>${content}</main>${copies && html`\n<script>${raw(COPY_SCRIPT)}</script>`}`,
  });
