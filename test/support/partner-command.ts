import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bareEnvironment, startChild } from './children.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

export interface CommandRun {
  /** The exit code. */
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** The partner's command in a process of its own, as `npm run -s partner --` runs it. */
export class PartnerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<CommandRun>;
  #out = '';
  #errors = '';

  constructor(args: readonly string[], environment: Readonly<Record<string, string>>) {
    this.#child = startChild(process.execPath, [`${ROOT}adapters/partner/main.ts`, ...args], {
      env: { ...bareEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.#out += chunk;
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.#errors += chunk;
    });
    this.#ended = once(this.#child, 'close').then(([code]) => {
      return { code, out: this.#out, errors: this.#errors };
    });
  }

  /** Waits until stdout or stderr has a text, at most 30 s. @returns what matched */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const found = pattern.exec(this.#out) ?? pattern.exec(this.#errors);
      if (found !== null) return found;
      if (performance.now() > deadline || this.#child.exitCode !== null)
        throw new Error(`nothing matches ${pattern}:\n${this.#out}\n${this.#errors}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Stops reading what it prints. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
  }

  ended(): Promise<CommandRun> {
    return this.#ended;
  }
}

/** Runs the partner's command to its end. */
export const runPartner = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandRun> => new PartnerProcess(args, environment).ended();

export interface StandInRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type AnswerRequest = (
  request: StandInRequest,
  response: ServerResponse,
  /** How many requests for this path came before. */
  earlier: number,
) => void;

/** A server that answers tokens, and everything else as a test says. It keeps the requests. */
export class StandInService {
  readonly requests: StandInRequest[] = [];
  readonly #server: Server;
  answer: AnswerRequest = (_, response) => response.end();

  constructor() {
    this.#server = createServer(async (request, response) => {
      const { url: path = '', headers } = request;
      const earlier = this.to(path).length;
      const body = await text(request);
      this.requests.push({ path, headers, body });
      if (path !== '/api/seguros/auth/token')
        return this.answer({ path, headers, body }, response, earlier);
      const isRight = new URLSearchParams(body).get('client_secret') === 'right';
      response.statusCode = isRight ? 200 : 401;
      response.end(JSON.stringify({ access_token: `token-${earlier}`, expires_in: 1_800 }));
    });
  }

  /** The requests for a path, as it begins. */
  to(path: string): readonly StandInRequest[] {
    return this.requests.filter((each) => each.path.startsWith(path));
  }

  async start(): Promise<Readonly<Record<string, string>>> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/api`;
    return { SALES_URL: url, CLIENT_ID: 'client', CLIENT_SECRET: 'right' };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
