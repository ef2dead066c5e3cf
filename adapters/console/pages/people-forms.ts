import { parseEmail } from '#domain';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import { timelinesOf } from '../../../application/catalogue/versions.ts';
import type { PeopleRefusal, Standing } from '../../../application/people/manage-people.ts';
import type { Person } from '../../../application/people/people.ts';
import { ROLES, type Role } from '../../../application/people/roles.ts';
import type { Session } from '../../../application/people/sessions.ts';
import { wallClockOf } from '../../kit/sheets/wall-clock.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { type Column, renderFileLinks, renderItems } from '../columns.ts';
import { type Faults, renderFaults, renderField, renderSelect } from '../forms.ts';
import type { OwnVisit } from '../visit.ts';
import { ROLE_WORDS, whenOf } from '../words.ts';
import { renderSessions } from './session-pages.ts';

const MAX_NAME_LENGTH = 100;

/** The field that a refusal is about, and what is wrong with it. */
export const REFUSALS: Readonly<
  Record<PeopleRefusal['kind'], readonly [field: string, message: string]>
> = {
  person_unknown: ['name', 'Esta pessoa não existe, não está ativa ou não tem e-mail.'],
  person_email_taken: ['email', 'Já existe uma pessoa com este e-mail.'],
  person_channel_unknown: ['channelLink', 'Escolha o canal do parceiro.'],
  person_has_changed: [
    'name',
    'Outra pessoa mudou estes dados enquanto você os via. Confira os de agora, e mude de novo.',
  ],
  own_person: ['role', 'Ninguém tira de si mesmo o papel de administração: peça a outra pessoa.'],
};

/** What was typed into a form about a person. */
export interface Typed {
  readonly name: string;
  readonly email: string;
  /** Undefined if none was chosen. */
  readonly role: Role | undefined;
  readonly channelLink: string | null;
  readonly isActive: boolean;
}

export const readTyped = (form: Form): Typed => ({
  name: (form.one('name') ?? '').replaceAll(/\s+/g, ' '),
  email: form.one('email') ?? '',
  role: ROLES.find((role) => role === form.one('role')),
  channelLink: form.one('channelLink') || null,
  isActive: form.has('isActive'),
});

/** What a form has shown of a person, to be compared with what is stored. */
export const seenOf = ({ name, role, channelLink, isActive }: Standing): string =>
  JSON.stringify({ name, role, channelLink, isActive });

/** @param isNew whether an e-mail is typed, too */
export const faultsOf = ({ name, email, role, channelLink }: Typed, isNew: boolean): Faults => ({
  ...((name === '' || name.length > MAX_NAME_LENGTH) && {
    name: `Escreva o nome, com até ${MAX_NAME_LENGTH} caracteres.`,
  }),
  ...(isNew && !parseEmail(email) && { email: 'Escreva um e-mail, como ana@empresa.com.br.' }),
  ...(role === undefined && { role: 'Escolha o papel.' }),
  ...(role === 'partner' && !channelLink && { channelLink: REFUSALS.person_channel_unknown[1] }),
});

const stateOf = ({ isActive, credentials, link }: Person): string => {
  if (!isActive) return 'Inativa';
  if (link?.kind === 'invitation') return 'Convidada';
  return credentials === null && link !== null ? 'Link não usado' : 'Ativa';
};

export const PEOPLE_COLUMNS: readonly Column<Person>[] = [
  {
    ...{ header: 'Nome', width: 30, cell: ({ name }) => name },
    show: ({ name, personId }, { at }) => html`<a href="${at(`/people/${personId}`)}">${name}</a>`,
  },
  {
    ...{ header: 'E-mail', width: 30, cell: ({ email }) => email },
    show: ({ email }) => html`<span class="long">${email ?? ''}</span>`,
  },
  { header: 'Papel', width: 16, cell: ({ role }) => ROLE_WORDS[role] },
  { header: 'Canal', width: 20, cell: ({ channelLink }) => channelLink },
  { header: 'Situação', width: 16, cell: stateOf },
  {
    ...{ header: 'Desde', width: 18, format: 'dd/mm/yyyy hh:mm' },
    cell: ({ createdAt }) => wallClockOf(createdAt),
    show: ({ createdAt }, { now }) => whenOf(createdAt, now),
  },
];

export const renderPeople = (
  people: readonly Person[],
  visit: OwnVisit,
): Html => html`<h1>Pessoas</h1>
<p><a class="button" href="${visit.at('/people/new')}">Convidar uma pessoa</a></p>
${renderItems('Quem pode entrar', PEOPLE_COLUMNS, people, visit)}
${renderFileLinks(visit.at('/people/file'))}`;

/** The channels that a partner can be of, by name. */
export const channelsIn = async (catalogue: Catalogue): Promise<readonly string[]> => {
  const { versions } = await catalogue.load();
  return [...timelinesOf(versions).channels.keys()].sort();
};

/** What a form shows: what was typed, what is wrong with it, and the channels to choose from. */
export interface PersonForm {
  readonly typed: Typed;
  readonly faults: Faults;
  readonly channels: readonly string[];
}

/** The fields that new and known people have. */
const renderFields = ({ typed, faults, channels }: PersonForm): Html => {
  const options = [['', 'Nenhum'], ...channels.map((each) => [each, each] as const)] as const;
  const roles = ROLES.map((role) => [role, ROLE_WORDS[role]] as const);
  return html`${renderField({ name: 'name', label: 'Nome', value: typed.name, attributes: html`maxlength="${MAX_NAME_LENGTH}" autocomplete="off" required` }, faults)}
${renderSelect({ name: 'role', label: 'Papel', value: typed.role ?? '' }, roles, faults)}
${renderSelect({ name: 'channelLink', label: 'Canal', hint: 'Só para parceiros: é o único canal que a pessoa vê.', value: typed.channelLink ?? '' }, options, faults)}`;
};

export const renderNew = (visit: OwnVisit, form: PersonForm): Html => {
  const { typed, faults } = form;
  return html`<div class="narrow"><h1>Convidar uma pessoa</h1>
${renderFaults(faults)}
<form method="post" action="${visit.at('/people/new')}" novalidate>
${renderField({ name: 'email', label: 'E-mail', hint: 'Recebe o convite, que vale 24 horas.', value: typed.email, attributes: html`type="email" maxlength="254" autocomplete="off" required` }, faults)}
${renderFields(form)}
<button>Convidar</button></form></div>`;
};

/** Says whether the mail of an invitation went out. */
const renderInvited = ({ query }: OwnVisit, { email, personId }: Person): Html => {
  if (query('invited') === '1')
    return html`<p class="done" role="status">Convite enviado para ${email}. O link vale 24 horas.</p>`;
  return html`${query('invited') === '0' && html`<p class="alert" role="alert">O convite não pôde ser enviado por e-mail. Envie-o de novo daqui a pouco, ou copie o link que <code>npm run admin -- people invite-again ${personId}</code> mostra.</p>`}`;
};

export const renderPerson = (
  visit: OwnVisit,
  person: Person,
  form: PersonForm,
  open: readonly Session[],
): Html => {
  const address = visit.at(`/people/${person.personId}`);
  return html`<div class="narrow"><h1>${person.name}</h1>
${renderInvited(visit, person)}
${renderFaults(form.faults)}
<p>${person.email ?? 'Sem e-mail: pessoa do ambiente de testes'} · ${stateOf(person)}</p>
<form method="post" action="${address}" novalidate>
<input type="hidden" name="seen" value="${seenOf(person)}">
${renderFields(form)}
<p class="check"><input type="checkbox" id="isActive" name="isActive" value="yes"${form.typed.isActive && html` checked`}><label for="isActive">Pode entrar</label></p>
<p class="hint">Quem deixa de poder entrar perde na hora as sessões abertas.</p>
<button>Salvar</button></form>
${
  person.email &&
  person.isActive &&
  html`<h2>Senha esquecida ou aplicativo perdido</h2>
<form method="post" action="${address}/invite"><button class="plain">Enviar novo convite</button></form>`
}
</div>
<h2>Sessões</h2>
${open.length === 0 ? html`<p class="soft">Nenhuma sessão aberta.</p>` : renderSessions(open, visit)}
${open.length > 0 && html`<form method="post" action="${address}/sign-out"><button class="bad">Encerrar todas</button></form>`}`;
};

/** The text of the mail with the link. @param by the name of the person who invites */
export const invitationText = (person: Person, url: string, by: string): string =>
  `Olá, ${person.name}.

${by} deu a você acesso ao console de seguros, no papel de ${ROLE_WORDS[person.role]}.

Escolha uma senha e ligue um aplicativo de autenticação em:
${url}

O link vale uma vez, por 24 horas. Não o repasse: quem o abre entra no seu lugar.
`;
