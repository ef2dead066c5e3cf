import { type Email, isRefusal } from '#domain';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import type { PlainMailer } from '../../../application/mail/mailer.ts';
import type {
  Invited,
  ManagePeople,
  PeopleRefusal,
} from '../../../application/people/manage-people.ts';
import type { People, Person } from '../../../application/people/people.ts';
import type { Role } from '../../../application/people/roles.ts';
import type { Sessions } from '../../../application/people/sessions.ts';
import { html } from '../../kit/web/pages/html.ts';
import { fileOf } from '../columns.ts';
import type { Faults } from '../forms.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { FAULTY } from './entry-pages.ts';
import {
  channelsIn,
  faultsOf,
  invitationText,
  PEOPLE_COLUMNS,
  REFUSALS,
  readTyped,
  renderNew,
  renderPeople,
  renderPerson,
  seenOf,
  type Typed,
} from './people-forms.ts';

export interface PeopleParts {
  readonly people: People;
  readonly sessions: Sessions;
  readonly managePeople: ManagePeople;
  readonly catalogue: Catalogue;
  readonly mailServer: PlainMailer;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
}

const PEOPLE = { right: 'people', isDelicate: true } as const;

const NOBODY: Typed = { name: '', email: '', role: 'support', channelLink: null, isActive: true };

const UNKNOWN: Answer = {
  ...{ status: 404, errorCode: 'not_found', title: 'Pessoa não encontrada' },
  content: html`<h1>Pessoa não encontrada</h1><p>Ela não existe, ou não pode mais ser convidada.</p>`,
};

const statusOf = (faults: Faults): typeof FAULTY | undefined =>
  Object.keys(faults).length > 0 ? FAULTY : undefined;

const faultOf = ({ kind }: PeopleRefusal): Faults => Object.fromEntries([REFUSALS[kind]]);

const typedOf = (person: Person): Typed => ({ ...person, email: person.email ?? '' });

/** Equals no stored person, so that a change of a state that was not seen is refused. */
const NOT_SEEN = { name: '', role: 'support', channelLink: null, isActive: false } as const;

/** The pages on which administrators invite people. */
const invitingPages = (parts: PeopleParts): readonly OwnPage[] => {
  const { managePeople, mailServer, catalogue, publicUrl } = parts;

  const showNew = async (visit: OwnVisit, typed: Typed, faults: Faults): Promise<Answer> => {
    const form = { typed, faults, channels: await channelsIn(catalogue) };
    return { title: 'Convidar', content: renderNew(visit, form), ...statusOf(faults) };
  };

  /** Mails the link. @returns the page of the person, which says whether the mail went out */
  const mail = async ({ person, code }: Invited, { who }: OwnVisit): Promise<Answer> => {
    const url = `${publicUrl}/console/invitation/${code}`;
    const outcome = await mailServer.sendPlain({
      reference: `invitation-${person.personId}-${person.version}`,
      to: [person.email as Email],
      subject: 'Seu acesso ao console de seguros',
      text: invitationText(person, url, who.person.name),
    });
    const isSent = outcome.kind === 'sent' ? 1 : 0;
    return { goTo: `/people/${person.personId}?invited=${isSent}` };
  };

  return [
    {
      ...PEOPLE,
      method: 'get',
      path: '/people/new',
      answer: (visit) => showNew(visit, NOBODY, {}),
    },
    {
      ...{ ...PEOPLE, method: 'post', path: '/people/new' },
      async answer(visit) {
        const typed = readTyped(visit.form);
        const faults = faultsOf(typed, true);
        if (statusOf(faults)) return showNew(visit, typed, faults);
        const asked = { ...typed, role: typed.role as Role, email: typed.email as Email };
        const invited = await managePeople.invite(asked, visit.actor);
        return isRefusal(invited) ? showNew(visit, typed, faultOf(invited)) : mail(invited, visit);
      },
    },
    {
      ...{ ...PEOPLE, method: 'post', path: '/people/:id/invite' },
      async answer(visit) {
        const person = await parts.people.find('personId', visit.parameter('id'));
        if (!person?.email) return UNKNOWN;
        const invited = await managePeople.inviteAgain(person.personId, visit.actor);
        return isRefusal(invited) ? UNKNOWN : mail(invited, visit);
      },
    },
  ];
};

/** The pages on which administrators invite, see and change people. */
export const createPeoplePages = (parts: PeopleParts): readonly OwnPage[] => {
  const { people, sessions, managePeople, catalogue } = parts;

  const show = async (
    visit: OwnVisit,
    person: Person,
    typed: Typed,
    faults: Faults = {},
  ): Promise<Answer> => {
    const open = await sessions.list(person.personId, visit.now);
    const form = { typed, faults, channels: await channelsIn(catalogue) };
    const content = renderPerson(visit, person, form, open);
    return { title: 'Pessoa', content, ...statusOf(faults) };
  };

  const withPerson =
    (answer: (visit: OwnVisit, person: Person) => Promise<Answer>) =>
    async (visit: OwnVisit): Promise<Answer> => {
      const person = await people.find('personId', visit.parameter('id'));
      return person ? answer(visit, person) : UNKNOWN;
    };

  const change = async (visit: OwnVisit, person: Person): Promise<Answer> => {
    const typed = readTyped(visit.form);
    const faults = faultsOf(typed, false);
    if (statusOf(faults)) return show(visit, person, typed, faults);
    const by = { personId: visit.who.person.personId, actor: visit.actor };
    // A form that has shown something else, or nothing, decides about another person than this one.
    const seen = visit.form.one('seen') === seenOf(person) ? person : NOT_SEEN;
    const to = { ...typed, role: typed.role as Role, seen };
    const changed = await managePeople.change(person.personId, to, by);
    if (!isRefusal(changed)) return { goTo: '/people' };
    const shown = changed.kind === 'person_has_changed' ? typedOf(person) : typed;
    return show(visit, person, shown, faultOf(changed));
  };

  const signOut = async ({ actor }: OwnVisit, { personId }: Person): Promise<Answer> => {
    await managePeople.signOut(personId, actor);
    return { goTo: `/people/${personId}` };
  };

  return [
    {
      ...{ ...PEOPLE, method: 'get', path: '/people' },
      answer: async (visit) => ({
        title: 'Pessoas',
        content: renderPeople(await people.list(), visit),
      }),
    },
    {
      ...{ ...PEOPLE, method: 'get', path: '/people/file', isFile: true },
      answer: async (visit) => ({
        file: await fileOf('Pessoas', PEOPLE_COLUMNS, await people.list(), visit.query('form')),
      }),
    },
    ...invitingPages(parts),
    {
      ...{ ...PEOPLE, method: 'get', path: '/people/:id' },
      answer: withPerson((visit, person) => show(visit, person, typedOf(person))),
    },
    { ...PEOPLE, method: 'post', path: '/people/:id', answer: withPerson(change) },
    { ...PEOPLE, method: 'post', path: '/people/:id/sign-out', answer: withPerson(signOut) },
  ];
};
