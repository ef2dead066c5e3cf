import type Router from '@koa/router';
import { html } from 'hono/html';
import type { OpenDocument } from '../../../application/certificates/open-document.ts';
import { houseError } from '../contract/answer-error.ts';
import { type Context, parameter, type State, type Step } from '../pipeline/context.ts';
import { show, unlisted } from './public-page.ts';

export interface DocumentParts {
  readonly openDocument: OpenDocument;
}

/** Why a link opens nothing. */
const CLOSED = {
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

/** Documents under addresses that were given out for a while; whoever has the address has the document. */
export const documentRoutes = (
  router: Router<State>,
  { openDocument }: DocumentParts,
  limited: Step,
): void => {
  router.get('/documents/:link', limited, async (ctx) => {
    const opened = await openDocument(parameter(ctx as Context, 'link'));
    if (typeof opened === 'string') {
      const [status, title, text] = CLOSED[opened];
      const content = html`<div class="sheet bad"><h1>${title}</h1><p>${text}</p></div>`;
      return show(ctx as Context, {
        status,
        title,
        content,
        data: houseError(status, `${title}. ${text}`),
      });
    }
    unlisted(ctx as Context);
    ctx.set('Cache-Control', 'private, max-age=60');
    ctx.attachment(opened.fileName);
    ctx.type = 'application/pdf';
    ctx.body = Buffer.from(opened.content);
  });
};
