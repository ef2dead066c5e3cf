import { CommanderError } from 'commander';
import type { Actor } from '../../application/audit/audit-log.ts';
import { reason } from '../processes/opening.ts';
import type { WithStores } from './add-commands.ts';
import { operatorCommands } from './operator-commands.ts';

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

/**
 * Runs the operator's command that the arguments name.
 *
 * @returns the exit code: 0 if it did its work
 */
export const runCommand = async (
  argv: readonly string[],
  { user, print, explain, complain, withStores }: CommandRun,
): Promise<number> => {
  const actor: Actor = { kind: 'operator', name: user, address: null, requestId: null };
  try {
    const program = operatorCommands(actor, print, withStores);
    for (const each of [program, ...program.commands])
      each.configureOutput({ writeOut: explain, writeErr: complain });
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    // Commander has written its own message.
    if (error instanceof CommanderError) return error.exitCode;
    complain(`${reason(error)}\n`);
    return 1;
  }
};
