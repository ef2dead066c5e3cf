import { isRefusal } from '#domain';
import type { SignIn } from '../../../application/people/sign-in.ts';
import { html } from '../../kit/web/pages/html.ts';
import type { OpenIdProvider, OpenIdVisit } from '../openid.ts';
import type { OpenPage, SentAnswer } from '../visit.ts';
import { wayOn } from './entry-pages.ts';

export interface OpenIdParts {
  readonly signIn: SignIn;
  /** Undefined where people sign in with a passphrase only. */
  readonly openId: OpenIdProvider | undefined;
}

/** What the browser keeps on the way. */
const PURPOSE = 'openid';

const NOT_SIGNED_IN: SentAnswer = {
  ...{ status: 401, errorCode: 'unauthenticated', title: 'Não foi possível entrar' },
  content: html`<h1>Não foi possível entrar</h1>
<p>A conta da empresa não confirmou quem você é, ou o e-mail dela não é o de uma pessoa convidada. Tente de novo, ou fale com quem administra o serviço.</p>
<p><a class="button" href="sign-in">Voltar</a></p>`,
};

/** The way to the provider and back. */
export const createOpenIdPages = ({ signIn, openId }: OpenIdParts): readonly OpenPage[] => {
  if (openId === undefined) return [];
  return [
    {
      ...{ method: 'get', path: '/openid', isOpen: true },
      async answer(visit) {
        const isProof = visit.query('proof') !== undefined;
        const begun = await openId.begin(wayOn(visit.query('next')), isProof, visit.now);
        visit.keep(PURPOSE, JSON.stringify(begun.visit));
        return { goOut: begun.address };
      },
    },
    {
      ...{ method: 'get', path: '/openid-answer', isOpen: true },
      async answer(visit) {
        const kept = visit.take(PURPOSE);
        if (kept === undefined) return NOT_SIGNED_IN;
        const begun = JSON.parse(kept) as OpenIdVisit;
        if (begun.until <= visit.now) return NOT_SIGNED_IN;
        const person = await openId.end(visit.search, begun);
        if (person === undefined) return NOT_SIGNED_IN;
        const started = await signIn.withOpenId(person.email, person.provedAt, visit.from);
        if (isRefusal(started)) return NOT_SIGNED_IN;
        visit.open(started);
        return { goTo: begun.next };
      },
    },
  ];
};
