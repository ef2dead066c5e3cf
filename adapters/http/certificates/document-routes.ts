import type Router from '@koa/router';
import { html } from 'hono/html';
import type { OpenDocument } from '../../../application/certificates/open-document.ts';
import { standardErrorBody } from '../contract/answer-error.ts';
import { type Context, pathParameter, type State, type Step } from '../pipeline/context.ts';
import { setUnlisted, showPage } from './public-page.ts';

export interface DocumentParts {
  readonly openDocument: OpenDocument;
}

/** The answers for links without a document. */
const MISSING_DOCUMENTS = {
  unknown: [
    404,
    'Documento não encontrado',
    'Este endereço não abre nenhum documento. Confira se ele está completo.',
  ],
  expired: [
    410,
    'Link expirado',
    'Este link não vale mais. Peça um novo link, ou uma segunda via, a quem vendeu o seguro.',
  ],
  ended: [
    410,
    'Seguro cancelado',
    'O seguro deste documento foi cancelado, e o documento não vale mais.',
  ],
} as const;

/** Adds the route of document links. A link works without authentication until it expires. */
export const addDocumentRoutes = (
  router: Router<State>,
  { openDocument }: DocumentParts,
  limitNetwork: Step,
): void => {
  router.get('/documents/:link', limitNetwork, async function sendDocument(ctx) {
    const opened = await openDocument(pathParameter(ctx as Context, 'link'));
    if (typeof opened === 'string') {
      const [status, title, text] = MISSING_DOCUMENTS[opened];
      const content = html`<div class="sheet bad"><h1>${title}</h1><p>${text}</p></div>`;
      return showPage(ctx as Context, {
        status,
        title,
        content,
        data: standardErrorBody(status, `${title}. ${text}`),
      });
    }
    setUnlisted(ctx as Context);
    ctx.set('Cache-Control', 'private, max-age=60');
    ctx.attachment(opened.fileName);
    ctx.type = 'application/pdf';
    ctx.body = Buffer.from(opened.content);
  });
};
