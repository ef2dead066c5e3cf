import { type Html, html } from '../kit/web/pages/html.ts';
import type { Answer, OwnVisit } from './visit.ts';

const PURPOSE = 'secret';

/**
 * Leads to the page of what a secret is for, which shows it once: a form that is sent again by the
 * browser would make another one.
 *
 * @param page below `/console`
 */
export const giveSecret = ({ keep }: OwnVisit, page: string, secret: string): Answer => {
  keep(PURPOSE, JSON.stringify({ page, secret }));
  return { goTo: `${page}?secret=new` };
};

/** The secret that was just made for this page, if it was not shown yet. */
export const showSecret = ({ query, take }: OwnVisit, page: string, name: string): Html => {
  const kept = query('secret') === 'new' ? take(PURPOSE) : undefined;
  const made = JSON.parse(kept ?? '{}') as { readonly page?: string; readonly secret?: string };
  if (made.page !== page) return html``;
  return html`<div class="done" role="status"><p>Guarde agora o segredo: ele não aparece de novo.</p>
<p>${name}: <span class="secret">${made.secret}</span></p></div>`;
};
