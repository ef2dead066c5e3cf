import { addressOf } from '../../application/all-groups/group-addresses.ts';
import type { ChannelGroup } from '../../application/groups/groups.ts';
import { EMBEDDED } from '../composition/group-databases.ts';
import { addGroup } from '../composition/operator-use-cases.ts';
import { groups, secretSeal } from '../composition/ports.ts';
import type { AddCommands } from './add-commands.ts';

/** Adds the commands for groups of channels that have a database of their own. */
export const groupCommands: AddCommands = (program, actor, print, withStores) => {
  const command = program
    .command('group')
    .description('groups of channels, each with a database of its own');
  command
    .command('add')
    .description(
      'add a group, and make its tables; again with the same address: bring them up to date',
    )
    .argument('<address>', `postgres://…, or ${EMBEDDED}: a folder in DATA_DIR`)
    .action(async (address: string) => {
      await withStores(async (service) => {
        print(presentGroup(await service.get(addGroup)(address, actor), address));
      });
    });
  command
    .command('list')
    .description('show the groups, their databases and how many channels each has')
    .action(async () => {
      await withStores(async (service) => {
        const { groups: stored, placed } = await service.get(groups).current();
        const seal = service.get(secretSeal);
        print(
          stored.map((each) => ({
            ...presentGroup(each, addressOf(each, seal)),
            channels: [...placed.values()].filter((number) => number === each.number).length,
          })),
        );
      });
    });
};

/** Without user and password. */
const presentGroup = ({ number, isOpen, addedAt }: ChannelGroup, address: string): object => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return {
    group: number,
    database: url === undefined ? address : `${url.host}${url.pathname}`,
    takes_new_channels: isOpen,
    added_at: addedAt,
  };
};
