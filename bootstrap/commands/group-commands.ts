import { addressOf } from '../../application/all-groups/group-addresses.ts';
import type { ChannelGroup } from '../../application/groups/groups.ts';
import { EMBEDDED } from '../composition/group-databases.ts';
import { addGroup, moveGroup } from '../composition/operator-use-cases.ts';
import { groups, secretSeal } from '../composition/ports.ts';
import type { AddCommands } from './add-commands.ts';
import { positive } from './command-arguments.ts';

/** Adds the commands for groups of channels that have a database of their own. */
export const groupCommands: AddCommands = (program, actor, print, withStores, tell) => {
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
    .command('move')
    .description(
      'move a group to an empty database while it sells; again: go on; with its present address: give the move up',
    )
    .argument('<number>', 'the group', positive)
    .argument('<address>', 'postgres://…')
    .action(async (number: number, address: string) => {
      await withStores(async (service) => {
        const moved = await service.get(moveGroup)(number, address, actor, (at) => {
          const megabytes = (at.bytesBehind / 1e6).toFixed(1);
          const failures =
            at.failures > 0 ? `, ${at.failures} tries failed (log of the target)` : '';
          tell(`${at.copiedTables} of ${at.tables} tables, ${megabytes} MB behind${failures}\n`);
        });
        print(presentGroup(moved, address));
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
            moves: each.move?.phase ?? null,
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
