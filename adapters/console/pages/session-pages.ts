import type { KeepSessions } from '../../../application/people/keep-sessions.ts';
import type { Session, Sessions } from '../../../application/people/sessions.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { renderFaults, renderField, renderTable } from '../forms.ts';
import type { OwnPage, OwnVisit } from '../visit.ts';
import { browserOf, WAY_WORDS, whenOf } from '../words.ts';
import { FAULTY, wayOn } from './entry-pages.ts';

export interface SessionParts {
  readonly keepSessions: KeepSessions;
  readonly sessions: Sessions;
}

/** @param button what ends a session, at the end of its row */
export const renderSessions = (
  sessions: readonly Session[],
  visit: OwnVisit,
  button?: (session: Session) => Html,
): Html =>
  renderTable(
    'Sessões abertas',
    ['Navegador', 'Endereço', 'Entrou', 'Visto', ...(button ? ['Ação'] : [])],
    sessions.map((session) => [
      browserOf(session.browser),
      session.address ?? '',
      html`${whenOf(session.startedAt, visit.now)}<br><span class="soft">${WAY_WORDS[session.way]}</span>`,
      whenOf(session.seenAt, visit.now),
      ...(button ? [button(session)] : []),
    ]),
  );

const ownSessions = ({ keepSessions, sessions }: SessionParts): readonly OwnPage[] => [
  {
    ...{ method: 'get', path: '/sessions' },
    async answer(visit) {
      const { person, session } = visit.who;
      const open = await sessions.list(person.personId, visit.now);
      const others = open.length > 1;
      const button = ({ sessionId }: Session): Html =>
        sessionId === session.sessionId
          ? html`Esta`
          : html`<form method="post" action="${visit.at('/sessions')}"><button class="plain" name="sessionId" value="${sessionId}">Encerrar</button></form>`;
      return {
        title: 'Minhas sessões',
        content: html`<h1>Minhas sessões</h1>
<p>Uma sessão acaba depois de 30 minutos sem uso, e de 12 horas. Não conhece uma delas? Encerre-a e avise quem administra o serviço.</p>
${renderSessions(open, visit, button)}
${others && html`<form method="post" action="${visit.at('/sessions')}"><button class="bad" name="sessionId" value="others">Encerrar todas as outras</button></form>`}`,
      };
    },
  },
  {
    ...{ method: 'post', path: '/sessions' },
    async answer({ form, who: { person, session }, actor }) {
      const sessionId = form.one('sessionId') ?? '';
      const which = sessionId === 'others' ? { except: session.sessionId } : { sessionId };
      await keepSessions.end(person.personId, which, actor);
      return { goTo: '/sessions' };
    },
  },
];

const provePages = ({ keepSessions }: SessionParts): readonly OwnPage[] => {
  const render = (visit: OwnVisit, faults: Readonly<Record<string, string>>): Html => {
    const next = wayOn(visit.form.one('next') ?? visit.query('next'));
    return html`<div class="narrow"><h1>Confirme que é você</h1>
${renderFaults(faults)}
<p>O que vem a seguir pede de novo o segundo fator, dez minutos depois do último.</p>
<form method="post" action="${visit.at('/prove')}" novalidate>
<input type="hidden" name="next" value="${next}">
${renderField({ name: 'code', label: 'Código', hint: 'Os seis dígitos do seu aplicativo, ou um código de recuperação.', attributes: html`inputmode="numeric" autocomplete="one-time-code" maxlength="40" required` }, faults)}
<button>Confirmar</button>
</form></div>`;
  };
  return [
    {
      ...{ method: 'get', path: '/prove' },
      answer: (visit) =>
        visit.who.session.way === 'openid'
          ? { goTo: `/openid?proof=1&next=${encodeURIComponent(wayOn(visit.query('next')))}` }
          : { title: 'Confirme', content: render(visit, {}) },
    },
    {
      ...{ method: 'post', path: '/prove' },
      async answer(visit) {
        const { who, form, from } = visit;
        const proved = await keepSessions.prove(who, form.one('code') ?? '', from);
        if (proved === 'ended') return { goTo: '/sign-in' };
        if (proved !== 'wrong') {
          visit.open(proved);
          return { goTo: wayOn(form.one('next')) };
        }
        const faults = { code: 'O código não confere, ou já foi usado.' };
        return { title: 'Confirme', content: render(visit, faults), ...FAULTY };
      },
    },
  ];
};

/** The pages of one's own session. */
export const createSessionPages = (parts: SessionParts): readonly OwnPage[] => [
  ...ownSessions(parts),
  ...provePages(parts),
  {
    ...{ method: 'post', path: '/sign-out' },
    async answer(visit) {
      const { person, session } = visit.who;
      await parts.keepSessions.end(person.personId, session, visit.actor);
      visit.close();
      return { goTo: '/sign-in' };
    },
  },
];
