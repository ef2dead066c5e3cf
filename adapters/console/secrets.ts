import type { Instant } from '#domain';
import { later } from '../../application/clock.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import type { Answer, OwnVisit } from './visit.ts';

const PURPOSE = 'secret';

/** The browser opens the page at once; after this time the page shows no secret. */
const SHOWN_WITHIN_MS = 60_000;

/** What the browser keeps, sealed: for one page, session and minute. */
interface Kept {
  readonly page: string;
  readonly secret: string;
  readonly sessionId: string;
  readonly until: Instant;
}

/**
 * Leads to the page of what a secret is for, which shows it once: a form that is sent again by the
 * browser would make another one.
 *
 * @param page below `/console`
 */
export const giveSecret = (
  { keep, now, who: { session } }: OwnVisit,
  page: string,
  secret: string,
): Answer => {
  const { sessionId } = session;
  const kept: Kept = { page, secret, sessionId, until: later(now, SHOWN_WITHIN_MS) };
  keep(PURPOSE, JSON.stringify(kept));
  return { goTo: `${page}?secret=new` };
};

/** The secret that was just made for this page, if it was not shown yet. */
export const showSecret = (
  { query, take, now, who: { session } }: OwnVisit,
  page: string,
  name: string,
  example?: (secret: string) => Html,
): Html => {
  const kept = query('secret') === 'new' ? take(PURPOSE) : undefined;
  const made = JSON.parse(kept ?? '{}') as Partial<Kept>;
  const isOwn = made.page === page && made.sessionId === session.sessionId;
  if (!isOwn || (made.until ?? now) <= now) return html``;
  return html`<div class="done" role="status"><p>Guarde agora o segredo: ele não aparece de novo.</p>
<p>${name}: <span class="secret">${made.secret}</span></p>${example?.(made.secret ?? '')}</div>`;
};
