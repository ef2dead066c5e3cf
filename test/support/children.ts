import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const children = new Set<ChildProcess>();
const folders = new Set<string>();

/** What a child gets of this process's environment: no settings, but a shifted clock (libfaketime). */
const INHERITED = /^(PATH|HOME|NODE_COMPILE_CACHE|LD_PRELOAD|FAKETIME\w*)$/;

/** The environment of a child process, without the variables that could change its settings. */
export const bareEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = '']) =>
      INHERITED.test(name) ? [[name, value]] : [],
    ),
  );

/** Sends a signal to a child and to the processes that it has started. */
export const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
};

/** Starts a process in a group of its own, which ends with the test process at the latest. */
export const startChild = (
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess => {
  const child = spawn(command, args, { ...options, detached: true });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};

/** Creates a folder that is removed when the test process ends. */
export const temporaryFolder = (prefix = 'insurance-sales-'): string => {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.add(folder);
  return folder;
};

export const removeFolder = (folder: string): void => {
  // A process that was just killed may still write a file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  folders.delete(folder);
};

process.once('exit', () => {
  for (const child of children) signalGroup(child, 'SIGKILL');
  for (const folder of folders) removeFolder(folder);
});

/** Exit codes of a process that ends on a signal: 128 and the signal's number. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ends this process on a signal, with all that it has started. A worker of `mocha --parallel` also
 * ends with mocha's main process, because their channel closes.
 */
export const endOnSignals = (): void => {
  for (const [signal, code] of Object.entries(EXIT_CODES))
    process.once(signal, () => process.exit(code));
};
