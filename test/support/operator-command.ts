import { operate } from '../../bootstrap/commands/operate.ts';

interface CommandRun {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs an operator's command, as `npm run -s admin --` does, in the test's own process.
 *
 * @param terminal the terminal that stdout is; undefined: a pipe
 */
export const runOperator = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  terminal?: { readonly columns: number },
): Promise<CommandRun> => {
  let [output, errors] = ['', ''];
  const isTTY = terminal !== undefined;
  const stdout = { isTTY, ...terminal, write: (text: string) => (output += text) };
  const stderr = { write: (text: string) => (errors += text) };
  const code = await operate(['node', 'admin', ...args], environment, { stdout, stderr });
  return { code, output, errors };
};
