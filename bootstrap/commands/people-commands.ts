import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Email, isRefusal, parseEmail } from '#domain';
import type { Actor } from '../../application/audit/audit-log.ts';
import type {
  Invited,
  ManagePeople,
  PeopleRefusal,
} from '../../application/people/manage-people.ts';
import type { Person } from '../../application/people/people.ts';
import { ROLES, type Role } from '../../application/people/roles.ts';
import type { Composed } from '../composition/compose.ts';
import { PEOPLE_NEEDS } from '../composition/console-needs.ts';
import { composePeople, managePeople } from '../composition/people.ts';
import { catalogue, people, publicUrl } from '../composition/ports.ts';
import { DEMO_CHANNEL_LINK } from '../settings/demo.ts';
import type { AddCommands, WithStores } from './add-commands.ts';

const REFUSALS: Readonly<Record<PeopleRefusal['kind'], string>> = {
  person_unknown: 'there is no such person, or it is not active',
  person_email_taken: 'there is a person with this e-mail: invite it again, by its id',
  person_channel_unknown: 'a partner needs --channel, with a channel that exists',
  person_has_changed: 'somebody else has changed this person',
  own_person: 'nobody can do this to itself',
};

const show = ({ personId, name, email, role, channelLink, isActive, credentials }: Person) => ({
  ...{ person_id: personId, name, email, role, channel_link: channelLink, active: isActive },
  joined: credentials !== null,
});

/**
 * Makes a link and describes it.
 *
 * @throws Error for a refusal; without a public URL before anything is stored
 */
const showLink = async (
  service: Composed,
  make: (manage: ManagePeople) => Promise<Invited | PeopleRefusal>,
): Promise<object> => {
  const base = service.get(publicUrl);
  if (base === '') throw new Error('PUBLIC_URL is missing: the link begins with it');
  const outcome = await make(composePeople(service.pick(PEOPLE_NEEDS)).get(managePeople));
  if (isRefusal(outcome)) throw new Error(REFUSALS[outcome.kind]);
  const { person, code } = outcome;
  const way = person.link?.kind === 'demo' ? 'enter' : 'invitation';
  return { ...show(person), link: `${base}/console/${way}/${code}` };
};

const email = (text: string): Email => {
  const parsed = parseEmail(text);
  if (parsed === undefined) throw new InvalidArgumentError('It must be an e-mail address.');
  return parsed;
};

const role = (): Option => new Option('--role <role>', 'what the person may do').choices(ROLES);

interface Asked {
  readonly name?: string;
  readonly email?: Email;
  readonly role: Role;
  readonly channel?: string;
}

/** Adds the command that makes a link for the test environment. */
const addLinkCommand = (
  group: Command,
  actor: Actor,
  print: (answer: object) => void,
  withStores: WithStores,
): void => {
  group
    .command('link')
    .description(
      'print a link that enters the console of a test environment, once, as a new person',
    )
    .addOption(role().default('admin'))
    .option('--name <name>', 'the name of the person')
    .option('--channel <channelLink>', 'the channel of a partner')
    .action(async (asked: Asked) => {
      await withStores(async (service) => {
        // A database with the demo catalogue is refused in production.
        const { channels } = await service.get(catalogue).current();
        if (!channels.has(DEMO_CHANNEL_LINK))
          throw new Error('links are for the test environment: invite a person instead');
        const known = (await service.get(people).list()).filter((each) => each.email === null);
        const name = asked.name ?? `Demonstração ${known.length + 1}`;
        const described = { name, role: asked.role, channelLink: asked.channel ?? null };
        print(await showLink(service, (manage) => manage.addWithLink(described, actor)));
      });
    });
};

/** Adds the commands for people of the console. */
export const peopleCommands: AddCommands = (program, actor, print, withStores) => {
  const group = program.command('people').description('people who may sign in to the console');

  group
    .command('list')
    .description('list them, the oldest first')
    .action(() =>
      withStores(async (service) => print((await service.get(people).list()).map(show))),
    );

  group
    .command('invite')
    .description('print a link with which a person chooses a passphrase; it works once, for a day')
    .requiredOption('--name <name>', 'the name of the person')
    .requiredOption('--email <email>', 'the e-mail with which it signs in', email)
    .addOption(role().makeOptionMandatory())
    .option('--channel <channelLink>', 'the channel of a partner')
    .action(async (asked: Required<Asked>) => {
      await withStores(async (service) => {
        const described = { ...asked, channelLink: asked.channel ?? null };
        print(await showLink(service, (manage) => manage.invite(described, actor)));
      });
    });

  group
    .command('invite-again')
    .description('print a new link, for a person that has lost its passphrase or its app')
    .argument('<person_id>')
    .action(async (personId: string) => {
      await withStores(async (service) => {
        print(await showLink(service, (manage) => manage.inviteAgain(personId, actor)));
      });
    });

  addLinkCommand(group, actor, print, withStores);
};
