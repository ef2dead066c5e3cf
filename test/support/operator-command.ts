import { operate } from '../../bootstrap/commands/operate.ts';

interface CommandRun {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs an operator's command, as `npm run -s admin --` does, in the test's own process. */
export const runOperator = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandRun> => {
  let [output, errors] = ['', ''];
  const stdout = { write: (text: string) => (output += text) };
  const stderr = { write: (text: string) => (errors += text) };
  const code = await operate(['node', 'admin', ...args], environment, { stdout, stderr });
  return { code, output, errors };
};
