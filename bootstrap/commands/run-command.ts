import { Command, CommanderError } from 'commander';
import type { Actor } from '../../application/audit/audit-log.ts';
import { reason } from '../settings/opening.ts';
import type { AddCommands, WithStores } from './add-commands.ts';
import { alertCommands } from './alert-commands.ts';
import { clientCommands } from './client-commands.ts';
import { gatewayCommands } from './gateway-commands.ts';
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
}

const COMMANDS: readonly AddCommands[] = [
  clientCommands,
  peopleCommands,
  mailCommands,
  alertCommands,
  keyCommands,
  gatewayCommands,
  rebuildCommands,
];

/** The operator's commands. They run the API's use-cases and write to the same audit log. */
const createProgram = ({ user, print, explain, complain, withStores }: CommandRun): Command => {
  const actor: Actor = { kind: 'operator', name: user, address: null, requestId: null };
  const program = new Command('npm run admin --')
    .description(
      'Manages API clients, people of the console, mail that failed, published keys and sealed secrets, in the database that the environment names, and compares its sales with the payment gateway.',
    )
    .option('--json', 'print JSON, also on a terminal')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: explain, writeErr: complain })
    .exitOverride();
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
