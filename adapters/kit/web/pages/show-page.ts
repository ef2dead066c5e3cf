import { errorCodeHeader, standardErrorBody } from '../../contract/answer-error.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { Context, ShowError, Step } from '../pipeline/context.ts';
import { renderSheet, type SheetPage } from './frame.ts';
import { html } from './html.ts';
import { prefersHtml, sendPage } from './send-page.ts';

/** An answer as a page and as JSON. */
interface PageAnswer extends SheetPage {
  readonly status: number;
  readonly data: object;
}

/** Answers with a page to clients that prefer HTML, such as browsers, and with JSON to others. */
export const showPage = (ctx: Context, { status, data, ...page }: PageAnswer): void => {
  ctx.vary('Accept');
  if (prefersHtml(ctx)) sendPage(ctx, status, renderSheet(page));
  else {
    ctx.status = status;
    ctx.set('X-Robots-Tag', 'noindex');
    ctx.body = data;
  }
};

interface ErrorPage extends Omit<PageAnswer, 'data'> {
  readonly code: ErrorCode;
  /** The text of the standard body for programs, and its further fields. */
  readonly response: string;
  readonly more?: object;
}

/** Answers with an error, as a page or in the standard body. */
export const showErrorPage = (ctx: Context, { code, response, more, ...page }: ErrorPage): void => {
  ctx.set(errorCodeHeader(code));
  showPage(ctx, { ...page, data: standardErrorBody(page.status, code, response, more) });
};

const TITLES: Readonly<Record<number, string>> = {
  401: 'Entre de novo',
  403: 'Acesso não permitido',
  404: 'Página não encontrada',
  405: 'Acesso não permitido',
  413: 'O formulário é grande demais',
  429: 'Muitas tentativas',
  500: 'Algo deu errado',
  503: 'Volte em instantes',
};

/**
 * Shows an error as a page to a person. Programs keep the JSON; so do requests with credentials,
 * because some libraries of programs prefer HTML too.
 */
const showErrorToPerson: ShowError = (ctx, { status, body }) => {
  ctx.vary('Accept');
  if (!prefersHtml(ctx) || ctx.get('Authorization') !== '') return;
  const { response } = body as { response?: unknown };
  const title = TITLES[status] ?? 'Não foi possível atender';
  const text = typeof response === 'string' ? response : '';
  const content = html`<div class="sheet bad"><h1>${title}</h1><p>${text}</p></div>`;
  sendPage(ctx, status, renderSheet({ title, content }));
};

/** Shows later errors of the request to persons as pages. */
export const showErrorsToPersons: Step = function showErrorsToPersons(ctx, next) {
  ctx.state.showError = showErrorToPerson;
  return next();
};
