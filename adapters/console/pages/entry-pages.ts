import { isRefusal } from '#domain';
import {
  type Chosen,
  type Join,
  type JoinFault,
  PASSPHRASE_LENGTH,
} from '../../../application/people/join.ts';
import type { Person } from '../../../application/people/people.ts';
import type { OneTimeCodes } from '../../../application/people/proofs.ts';
import type { SignIn, SignInRefusal } from '../../../application/people/sign-in.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { drawQrCode } from '../../kit/web/pages/qr-code.ts';
import { tooManyRequests } from '../../kit/web/pipeline/rate-limits.ts';
import { type Faults, renderFaults, renderField } from '../forms.ts';
import type { OpenIdProvider } from '../openid.ts';
import type { OpenPage, SentAnswer, Visit } from '../visit.ts';

export interface EntryParts {
  readonly signIn: SignIn;
  readonly join: Join;
  readonly oneTimeCodes: OneTimeCodes;
  readonly isTest: boolean;
  /** Undefined where people sign in with a passphrase only. */
  readonly openId: OpenIdProvider | undefined;
}

const CODE = html`inputmode="numeric" autocomplete="one-time-code" maxlength="40" required`;

/** A page of the console to go on with; the first page for anything else. */
export const wayOn = (given: string | undefined): string =>
  given !== undefined && /^(\/[\w-]+)*\/?$/.test(given) ? given : '/';

const renderSignIn = (visit: Visit, { openId }: EntryParts, problem?: string): Html => {
  const email = visit.form.one('email') ?? '';
  const next = wayOn(visit.form.one('next') ?? visit.query('next'));
  return html`<h1>Entrar</h1>
${problem && html`<div class="alert" role="alert"><p>${problem}</p></div>`}
${openId && html`<p><a class="button" href="${visit.at('/openid')}?next=${encodeURIComponent(next)}">Entrar com a conta da empresa</a></p><h2>Ou com senha e código</h2>`}
<form method="post" action="${visit.at('/sign-in')}" novalidate>
<input type="hidden" name="next" value="${next}">
${renderField({ name: 'email', label: 'E-mail', value: email, attributes: html`type="email" autocomplete="username" maxlength="254" required` }, {})}
${renderField({ name: 'passphrase', label: 'Senha', attributes: html`type="password" autocomplete="current-password" maxlength="400" required` }, {})}
${renderField({ name: 'code', label: 'Código', hint: 'Os seis dígitos do seu aplicativo, ou um código de recuperação.', attributes: CODE }, {})}
<button>Entrar</button>
</form>
<p class="soft">Esqueceu a senha, ou perdeu o aplicativo e os códigos? Peça um novo convite a quem administra o serviço.</p>`;
};

const SIGN_IN_REFUSED =
  'E-mail, senha e código não conferem. Cada código vale uma vez: se já usou este, espere o próximo.';

/** What a refusal is to the browser. @throws AnswerError 429 */
const refusedWith = (refusal: SignInRefusal, title: string, content: Html): SentAnswer => {
  if (refusal.kind === 'too_many_sign_ins')
    throw tooManyRequests('Muitas tentativas de entrar.', refusal.retryAfter);
  return { status: 401, errorCode: 'unauthenticated', title, content };
};

const { min, max } = PASSPHRASE_LENGTH;

const JOIN_FAULTS: Readonly<Record<JoinFault, readonly [field: string, message: string]>> = {
  passphrase_too_short: ['passphrase', `A senha precisa ter pelo menos ${min} caracteres.`],
  passphrase_too_long: ['passphrase', `A senha pode ter no máximo ${max} caracteres.`],
  code_wrong: ['code', 'O código não confere. Digite o que o aplicativo mostra agora.'],
};

const renderJoin = (
  person: Person,
  { codeSecret, uri, faults }: { codeSecret: string; uri: string; faults: Faults },
): Html => html`<h1>Bem-vindo, ${person.name}</h1>
${renderFaults(faults)}
<form method="post" novalidate>
<input type="hidden" name="username" autocomplete="username" value="${person.email ?? ''}">
<input type="hidden" name="codeSecret" value="${codeSecret}">
<h2>1. Escolha uma senha</h2>
${renderField({ name: 'passphrase', label: 'Senha', hint: `Pelo menos ${min} caracteres. Uma frase é boa de lembrar.`, attributes: html`type="password" autocomplete="new-password" maxlength="400" required` }, faults)}
<h2>2. Leia este código com um aplicativo de autenticação</h2>
<div class="qr">${drawQrCode(uri)}</div>
<p>Ou digite no aplicativo: <span class="secret">${codeSecret.replaceAll(/.{4}(?=.)/g, '$& ')}</span></p>
${renderField({ name: 'code', label: 'Código que o aplicativo mostra', attributes: CODE }, faults)}
<button>Entrar</button>
</form>`;

const renderRecovery = (
  visit: Visit,
  codes: readonly string[],
): Html => html`<h1>Guarde estes códigos</h1>
<p>Se perder o aplicativo, cada um vale uma vez no lugar do código de seis dígitos. Eles não são mostrados de novo.</p>
<ol class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ol>
<p><a class="button" href="${visit.at('/')}">Guardei, continuar</a></p>`;

const GONE: SentAnswer = {
  status: 404,
  errorCode: 'not_found',
  title: 'Link sem validade',
  content: html`<h1>Este link não vale mais</h1>
<p>Um link vale uma vez, por 24 horas, e até que outro seja enviado. Peça um novo a quem administra o serviço.</p>`,
};

/** The pages of a link for the test environment. Its page does not use it up: programs look at links. */
const linkPages = ({ signIn }: EntryParts): readonly OpenPage[] => [
  {
    ...{ method: 'get', path: '/enter/:code', isOpen: true },
    answer: () => ({
      title: 'Entrar',
      content: html`<h1>Entrar para testar</h1>
<p>Este link vale uma vez.</p>
<form method="post"><button>Entrar</button></form>`,
    }),
  },
  {
    ...{ method: 'post', path: '/enter/:code', isOpen: true },
    async answer(visit) {
      const started = await signIn.withLink(visit.parameter('code'), visit.from);
      if (isRefusal(started))
        return started.kind === 'sign_in_refused' ? GONE : refusedWith(started, '', html``);
      visit.open(started);
      return { goTo: '/' };
    },
  },
];

const invitationPages = ({ join, oneTimeCodes }: EntryParts): readonly OpenPage[] => {
  const show = (person: Person, codeSecret: string, faults: Faults): SentAnswer => {
    const uri = oneTimeCodes.uriOf(codeSecret, person.email ?? person.name);
    const content = renderJoin(person, { codeSecret, uri, faults });
    const isFaulty = Object.keys(faults).length > 0;
    return { title: 'Convite', content, ...(isFaulty && FAULTY) };
  };

  return [
    {
      ...{ method: 'get', path: '/invitation/:code', isOpen: true },
      async answer(visit) {
        const person = await join.read(visit.parameter('code'));
        return person ? show(person, oneTimeCodes.makeSecret(), {}) : GONE;
      },
    },
    {
      ...{ method: 'post', path: '/invitation/:code', isOpen: true },
      async answer(visit) {
        const { form } = visit;
        const sent = form.one('codeSecret') ?? '';
        const chosen: Chosen = {
          passphrase: form.all('passphrase')[0] ?? '',
          codeSecret: sent,
          code: form.one('code') ?? '',
        };
        const joined = await join.accept(visit.parameter('code'), chosen, visit.from);
        if (!isRefusal(joined)) {
          visit.open(joined);
          return { title: 'Códigos', content: renderRecovery(visit, joined.recoveryCodes) };
        }
        const person = await join.read(visit.parameter('code'));
        if (joined.kind === 'link_unknown' || person === undefined) return GONE;
        const secret = isCodeSecret(sent) ? sent : oneTimeCodes.makeSecret();
        const faults = Object.fromEntries(joined.faults.map((fault) => JOIN_FAULTS[fault]));
        return show(person, secret, faults);
      },
    },
  ];
};

export const FAULTY = { status: 422, errorCode: 'validation_failed' } as const;

/** The secret goes with the form to and fro, so that a repeated try needs no second scan. */
const isCodeSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** How people come in. */
export const createEntryPages = (parts: EntryParts): readonly OpenPage[] => [
  {
    ...{ method: 'get', path: '/sign-in', isOpen: true },
    answer: (visit) => ({ title: 'Entrar', content: renderSignIn(visit, parts) }),
  },
  {
    ...{ method: 'post', path: '/sign-in', isOpen: true },
    async answer(visit) {
      const { form } = visit;
      const given = {
        email: form.one('email') ?? '',
        passphrase: form.all('passphrase')[0] ?? '',
        code: form.one('code') ?? '',
      };
      const started = await parts.signIn.withPassphrase(given, visit.from);
      if (isRefusal(started))
        return refusedWith(started, 'Entrar', renderSignIn(visit, parts, SIGN_IN_REFUSED));
      visit.open(started);
      return { goTo: wayOn(form.one('next')) };
    },
  },
  ...invitationPages(parts),
  ...(parts.isTest ? linkPages(parts) : []),
];
