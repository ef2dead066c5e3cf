import { isRefusal } from '#domain';
import type {
  DocumentRefusal,
  OpenDocument,
} from '../../../application/certificates/document-links.ts';
import { answerOf } from '../../kit/contract/refusal-answers.ts';
import { html } from '../../kit/web/pages/html.ts';
import { showErrorPage, showErrorsToPersons } from '../../kit/web/pages/show-page.ts';
import { type Context, pathParameter } from '../../kit/web/pipeline/context.ts';
import type { AddOpenRoutes } from '../open-routes.ts';

export interface DocumentParts {
  readonly openDocument: OpenDocument;
}

/** The route of document links. A link works without authentication until it expires. */
export const createDocumentRoutes =
  ({ openDocument }: DocumentParts): AddOpenRoutes =>
  (router, limitNetwork) => {
    router.get(
      '/documents/:link',
      showErrorsToPersons,
      limitNetwork,
      async function sendDocument(ctx) {
        const opened = await openDocument(pathParameter(ctx as Context, 'link'));
        if (isRefusal(opened)) return showRefusal(ctx as Context, opened);

        ctx.set({ 'Cache-Control': 'private, max-age=60', 'X-Robots-Tag': 'noindex' });
        // A browser shows the document, and saves it under this name.
        ctx.attachment(opened.fileName, { type: 'inline' });
        ctx.type = 'application/pdf';
        ctx.body = Buffer.from(opened.content);
      },
    );
  };

/** A page whose title is the first sentence of the refusal. */
const showRefusal = (ctx: Context, refusal: DocumentRefusal) => {
  const { status, code, message } = answerOf(refusal);
  const [, title = message, text = ''] = /^([^.]+)\. (.*)$/.exec(message) ?? [];
  const content = html`<div class="sheet bad"><h1>${title}</h1><p>${text}</p></div>`;
  return showErrorPage(ctx, { status, code, title, content, response: message });
};
