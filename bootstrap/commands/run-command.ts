import { Command, CommanderError } from 'commander';
import type { Actor } from '../../application/audit/audit-log.ts';
import type { ChannelGroup } from '../../application/groups/groups.ts';
import type { Composed } from '../composition/compose.ts';
import { groups } from '../composition/ports.ts';
import { reason } from '../settings/opening.ts';
import type { AddCommands, WithStores } from './add-commands.ts';
import { alertCommands } from './alert-commands.ts';
import { clientCommands } from './client-commands.ts';
import { positive } from './command-arguments.ts';
import { gatewayCommands } from './gateway-commands.ts';
import { groupCommands } from './group-commands.ts';
import { keyCommands } from './key-commands.ts';
import { mailCommands } from './mail-commands.ts';
import { peopleCommands } from './people-commands.ts';
import { rebuildCommands } from './rebuild-commands.ts';

/** How a command is run: here, or in the service that has the data folder. */
export interface CommandRun {
  /** The user, as the audit log names it. */
  readonly user: string;
  readonly print: (answer: object) => void;
  /** Help texts. */
  readonly explain: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly withStores: WithStores;
  /** Passes the stores of a group of channels to `act`. @param service that of group 0 */
  readonly inGroup: (
    group: ChannelGroup,
    act: (service: Composed) => Promise<void>,
    service: Composed,
    more: Parameters<WithStores>[1],
  ) => Promise<void>;
}

const COMMANDS: readonly AddCommands[] = [
  clientCommands,
  peopleCommands,
  mailCommands,
  alertCommands,
  keyCommands,
  gatewayCommands,
  rebuildCommands,
  groupCommands,
];

/** The operator's commands. They run the API's use-cases and write to the same audit log. */
const createProgram = (run: CommandRun): Command => {
  const { user, print, explain, complain } = run;
  const actor: Actor = { kind: 'operator', name: user, address: null, requestId: null };
  const program = new Command('npm run admin --')
    .description(
      'Manages API clients, people of the console, mail that failed, published keys, sealed secrets and groups of channels, in the database that the environment names, and compares its sales with the payment gateway.',
    )
    .option('--json', 'print JSON, also on a terminal')
    .option(
      '--group <number>',
      'the group of channels whose data are meant; 0 by default',
      positive,
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: explain, writeErr: complain })
    .exitOverride();
  const withStores: WithStores = (act, more) =>
    run.withStores(async (service) => {
      const { group = 0 } = program.opts<{ readonly group?: number }>();
      const { groups: stored } = await service.get(groups).current();
      const found = stored.find(({ number }) => number === group);
      if (found !== undefined) return run.inGroup(found, act, service, more);
      if (group !== 0) throw new Error(`there is no group ${group}`);
      // Never silently: what is listed may be elsewhere.
      if (stored.length > 0)
        complain(
          `This is group 0, and what all groups share. Others: --group ${stored.map(({ number }) => number).join(', ')}\n`,
        );
      return act(service);
    }, more);
  for (const addCommands of COMMANDS) addCommands(program, actor, print, withStores, complain);
  return program;
};

/**
 * Runs the operator's command that the arguments name.
 *
 * @returns the exit code: 0 if it did its work
 */
export const runCommand = async (argv: readonly string[], run: CommandRun): Promise<number> => {
  try {
    await createProgram(run).parseAsync(argv);
    return 0;
  } catch (error) {
    // Commander has written its own message.
    if (error instanceof CommanderError) return error.exitCode;
    run.complain(`${reason(error)}\n`);
    return 1;
  }
};
