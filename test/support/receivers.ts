import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { bareEnvironment, startChild, temporaryFolder } from './children.ts';
import { readReadme } from './readme.ts';

/** The longest wait for a receiver's start or for its output, ms. */
const TIMEOUT_MS = 30_000;

interface Language {
  /** The tag of a block in the guide, and the extension of a file. */
  readonly name: 'ts' | 'python' | 'php';
  readonly command: (file: string, port: number) => readonly [string, ...string[]];
}

/** The languages for which the guide prints a receiver. */
export const LANGUAGES: readonly Language[] = [
  { name: 'ts', command: (file) => [process.execPath, file] },
  { name: 'python', command: (file) => ['python3', file] },
  { name: 'php', command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file] },
];

/** The program that a page of the guide prints in a language. */
export const printedProgram = (page: string, { name }: Language): string => {
  const { blocks } = readReadme(`adapters/site/guide/en/${page}.md`);
  const [program, ...others] = blocks.filter(({ language }) => language === name);
  if (program === undefined || others.length > 0)
    throw new Error(`the page ${page} must have one ${name} block`);
  return program.text;
};

/** Whether this machine can run the language. */
export const isInstalled = ({ command }: Language): boolean =>
  spawnSync(command('', 0)[0], ['--version']).status === 0;

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** A receiver of the guide, in a process of its own. */
export class ReceiverProcess {
  readonly #process: ChildProcess;
  readonly #port: number;
  #printed = '';

  private constructor(child: ChildProcess, port: number) {
    this.#process = child;
    this.#port = port;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#printed += chunk;
      });
  }

  /** @param port A free one, if the receiver is not to be found at the port of an earlier one. */
  static async start(language: Language, secret: string, port?: number): Promise<ReceiverProcess> {
    const usedPort = port ?? (await findFreePort());
    const file = join(temporaryFolder(), `receiver.${language.name}`);
    writeFileSync(file, printedProgram('verify-signatures', language));
    const [command, ...args] = language.command(file, usedPort);
    const env = { ...bareEnvironment(), WEBHOOK_SECRET: secret, PORT: String(usedPort) };
    const child = startChild(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const receiver = new ReceiverProcess(child, usedPort);
    const deadline = performance.now() + TIMEOUT_MS;
    while (!(await isOpen(usedPort))) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`the receiver does not listen: ${receiver.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/events`;
  }

  get port(): number {
    return this.#port;
  }

  get printed(): string {
    return this.#printed;
  }

  /** Waits until it has printed a text. */
  async hasPrinted(text: string): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    while (!this.#printed.includes(text)) {
      if (performance.now() > deadline) throw new Error(`no "${text}" in ${this.#printed}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'close');
    this.#process.kill('SIGKILL');
    await ended;
  }
}
