import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/children.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const each of started) each.kill('SIGKILL');
});

/** A server in a process of its own. It prints to a file: a pipe would cost the benchmark time. */
export class ServerProcess {
  readonly #process: ChildProcess;
  readonly #output = join(temporaryFolder(), 'output.log');
  readonly startedAt = performance.now();
  /** The address it listens on. */
  url = '';

  constructor(command: readonly string[], environment: Readonly<Record<string, string>>) {
    const { PATH = '', HOME = '' } = process.env;
    const file = openSync(this.#output, 'w');
    const env = { PATH, HOME, NODE_ENV: 'production', ...environment };
    this.#process = spawn(process.execPath, command, {
      cwd: ROOT,
      env,
      stdio: ['ignore', file, 'inherit'],
    });
    closeSync(file);
    started.add(this.#process);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get output(): string {
    return readFileSync(this.#output, 'utf8');
  }

  /** Waits for its address. @returns milliseconds since its start */
  async ready(announcement: RegExp): Promise<number> {
    for (;;) {
      const [, url] = announcement.exec(this.output) ?? [];
      if (url !== undefined) {
        this.url = url;
        return performance.now() - this.startedAt;
      }
      if (this.#process.exitCode !== null)
        throw new Error(`${this.#process.spawnargs.join(' ')} ended: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
    started.delete(this.#process);
  }
}
