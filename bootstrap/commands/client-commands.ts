import { Argument, InvalidArgumentError, Option } from 'commander';
import { closest } from 'fastest-levenshtein';
import { isRefusal, refuse } from '#domain';
import {
  client,
  clientWithSecret,
  readClientRequest,
} from '../../adapters/http/admin/client-shapes.ts';
import { type FieldFaults, messagesOf } from '../../adapters/kit/contract/field-faults.ts';
import type { Actor } from '../../application/audit/audit-log.ts';
import { MOST_GRACE, USUAL_GRACE } from '../../application/identity/client-lifecycle.ts';
import { CLIENT_STATUSES, type ClientStatus } from '../../application/identity/clients.ts';
import type {
  ClientRefusal,
  NoSuchChannel,
  StatusChange,
} from '../../application/identity/manage-clients.ts';
import { manageClients } from '../composition/channel-use-cases.ts';
import { clients, clock } from '../composition/ports.ts';
import type { AddCommands, WithStores } from './add-commands.ts';
import { count } from './command-arguments.ts';

const REFUSALS: Readonly<Record<ClientRefusal['kind'], string>> = {
  client_unknown: 'there is no such client',
  client_id_taken: 'a generated client id was taken',
  client_revoked: 'the client has been revoked, and that is final',
  own_client: 'a client cannot do this to itself',
};

/** @throws Error with the words for a refusal. */
const accepted = <Outcome extends object>(outcome: Outcome | ClientRefusal): Outcome => {
  if (!isRefusal(outcome)) return outcome as Outcome;
  throw new Error(REFUSALS[(outcome as ClientRefusal).kind]);
};

const hours = (text: string): number => {
  if (!/^\d{1,3}$/.test(text) || Number(text) > MOST_GRACE)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST_GRACE}.`);
  return Number(text);
};

const clientId = (): Argument => new Argument('<client_id>');
const STATUS_CHANGES: readonly [StatusChange, string][] = [
  ['activate', 'let a client in again'],
  [
    'deactivate',
    'keep a client out until it is activated; its tokens end within a second, for good',
  ],
  ['revoke', 'end a client for good'],
];

const sentencesOf = (faults: FieldFaults): string =>
  Object.values(messagesOf(faults)).flat().join('\n');

const explainChannel = ({ channelLink, channels }: NoSuchChannel): string => {
  const nearest = channels.length > 0 ? `: the nearest is ${closest(channelLink, channels)}` : '';
  return `there is no channel ${channelLink}${nearest}. Create a new one first, with PUT /admin/channels/${channelLink}`;
};

interface NewClientOptions {
  readonly name: string;
  readonly channel?: string;
  readonly scope?: string[];
  readonly inactive?: true;
}

const createClient = async (
  { name, channel, scope, inactive }: NewClientOptions,
  actor: Actor,
  print: (answer: object) => void,
  withStores: WithStores,
): Promise<void> => {
  const sells = scope === undefined || scope.includes('sales');
  if (sells !== (channel !== undefined))
    throw new Error(`--channel is ${sells ? 'needed' : 'not'} for this scope`);
  const request = readClientRequest({
    name,
    channelLink: channel,
    scopes: scope,
    active: inactive !== true,
  });
  if ('faults' in request) throw new Error(sentencesOf(request.faults));
  await withStores(async (service) => {
    const outcome = await service.get(manageClients).create(request, actor);
    if ('channels' in outcome) throw new Error(explainChannel(outcome));
    const created = accepted(outcome);
    print(clientWithSecret.present({ ...created, now: service.get(clock).now() }));
  });
};

const addClientChanges: AddCommands = (program, actor, print, withStores) => {
  for (const [change, description] of STATUS_CHANGES) {
    program
      .command(change)
      .description(description)
      .addArgument(clientId())
      .action(async (id: string) => {
        await withStores(async (service) => {
          const record = accepted(await service.get(manageClients).changeStatus(id, change, actor));
          print(client.present({ ...record, now: service.get(clock).now() }));
        });
      });
  }

  program
    .command('rotate')
    .description('give a client a new secret, shown this once')
    .addArgument(clientId())
    .option(
      '--grace-hours <hours>',
      'how long the old one goes on; 0 ends it and every login now',
      hours,
      USUAL_GRACE,
    )
    .action(async (id: string, { graceHours }: { graceHours: number }) => {
      await withStores(async (service) => {
        const rotated = accepted(
          await service.get(manageClients).rotateSecret(id, graceHours, actor),
        );
        print(clientWithSecret.present({ ...rotated, now: service.get(clock).now() }));
      });
    });
};

/** Adds the commands that make, list and change clients. */
export const clientCommands: AddCommands = (program, actor, print, withStores, tell) => {
  program
    .command('create-client')
    .description('make credentials; the secret is shown this once')
    .requiredOption('--name <name>', 'who will use them')
    .option('--channel <channelLink>', 'the channel to sell for')
    .addOption(
      new Option('--scope <scopes...>', 'sales (default) and/or admin').choices(['sales', 'admin']),
    )
    .option('--inactive', 'not to be used until activated')
    .action((options: NewClientOptions) => createClient(options, actor, print, withStores));

  program
    .command('list')
    .description('list clients, the oldest first')
    .addOption(new Option('--status <status>', 'only these').choices(CLIENT_STATUSES))
    .option('--after <client_id>', 'only those created after this one')
    .option('--limit <count>', 'so many at most', count, 100)
    .action(async (query: { status?: ClientStatus; after?: string; limit: number }) => {
      await withStores(async (service) => {
        const now = service.get(clock).now();
        print(
          (await service.get(clients).list(query)).map((record) =>
            client.present({ ...record, now }),
          ),
        );
      });
    });

  program
    .command('show')
    .description('show a client')
    .addArgument(clientId())
    .action(async (id: string) => {
      await withStores(async (service) => {
        const record = accepted((await service.get(clients).load(id)) ?? refuse('client_unknown'));
        print(client.present({ ...record, now: service.get(clock).now() }));
      });
    });

  addClientChanges(program, actor, print, withStores, tell);
};
