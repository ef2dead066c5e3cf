import type { Catalogue } from '../../application/catalogue/catalogue.ts';
import type { SignedIn } from '../../application/people/keep-sessions.ts';
import { may } from '../../application/people/roles.ts';
import { html } from '../kit/web/pages/html.ts';
import type { OwnPage, OwnVisit, Page, SentAnswer } from './visit.ts';

/** Below this the pages are as the partners of a channel see them. */
export const LOOKING = '/as/:as';

/** Who sees a page, which channel it shows, and where its links lead. */
type Shown = Pick<OwnVisit, 'who' | 'channelLink' | 'isLooking' | 'at'>;

interface Needs {
  readonly pages: readonly Page[];
  readonly catalogue: Pick<Catalogue, 'current'>;
  at(path: string): string;
}

/** Says whether a person may see a page, and as whom. */
export const createAccess = ({ pages, catalogue, at }: Needs) => {
  // The page that shows a form counts, too: some ask the gateway what the form would do.
  const acts = new Set(
    pages.flatMap((page) =>
      page.method === 'post' && !page.isOpen && !page.isQuestion ? [page.path] : [],
    ),
  );

  const lookAs = (who: SignedIn, channelLink: string): Shown => {
    const prefix = LOOKING.replace(':as', encodeURIComponent(channelLink));
    const person = { ...who.person, role: 'partner' as const, channelLink };
    return {
      ...{ who: { ...who, person }, channelLink, isLooking: true },
      at: (path) => at(path === '/' ? prefix : `${prefix}${path}`),
    };
  };

  const showTo = ({ person, session }: SignedIn): Shown => ({
    ...{ who: { person, session }, at },
    // No channel has an empty name: a partner without a channel sees none.
    ...(person.role === 'partner' && { channelLink: person.channelLink ?? '' }),
  });

  /** @param as the channel as which an administrator looks; empty: none */
  return async function access(
    page: OwnPage,
    who: SignedIn,
    as: string,
  ): Promise<{ readonly shown: Shown; readonly refusal?: SentAnswer }> {
    const isKnown = as === '' || (await catalogue.current()).channels.has(as);
    if (!isKnown || (as !== '' && !may(who.person.role, 'look')))
      return { shown: showTo(who), refusal: NOTHING_TO_SEE };
    const shown = as === '' ? showTo(who) : lookAs(who, as);
    const isLost = shown.channelLink === '';
    if (page.right && (isLost || !may(shown.who.person.role, page.right)))
      return { shown, refusal: FORBIDDEN };
    return as !== '' && acts.has(page.path) ? { shown, refusal: ONLY_LOOKING } : { shown };
  };
};

/**
 * A form that came too late for the last proof. A redirect after a form may not lead to a provider of
 * OpenID Connect: browsers apply `form-action` to it.
 */
export const proofFirst = (address: string): SentAnswer => ({
  ...{ status: 401, errorCode: 'unauthenticated', title: 'Confirme que é você' },
  content: html`<h1>Confirme que é você</h1>
<p>Passaram-se dez minutos desde o último código: nada foi mudado.</p>
<p><a class="button" href="${address}">Confirmar e voltar</a></p>`,
});

const NOTHING_TO_SEE: SentAnswer = {
  ...{ status: 404, errorCode: 'not_found', title: 'Canal não encontrado' },
  content: html`<h1>Canal não encontrado</h1><p>Não há canal com este nome, ou o seu papel não o mostra.</p>`,
};

const ONLY_LOOKING: SentAnswer = {
  ...{ status: 403, errorCode: 'insufficient_scope', title: 'Só para ver' },
  content: html`<h1>Só para ver</h1><p>Quem vê como o canal não muda nada. Volte à administração para agir.</p>`,
};

const FORBIDDEN: SentAnswer = {
  ...{ status: 403, errorCode: 'insufficient_scope', title: 'Sem acesso' },
  content: html`<h1>Sem acesso</h1><p>O seu papel não dá acesso a esta página.</p>`,
};
