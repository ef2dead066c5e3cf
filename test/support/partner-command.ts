import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const ROOT = new URL('../..', import.meta.url).pathname;

export interface CommandRun {
  /** The exit code. */
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Runs the partner's command in a process of its own, as `npm run -s partner --` does. */
export const runPartner = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandRun> =>
  new Promise((resolve, reject) => {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const child = spawn(process.execPath, [`${ROOT}bootstrap/partner.ts`, ...args], {
      env: { PATH, NODE_COMPILE_CACHE, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    child.once('error', reject);
    child.once('close', async (code) => {
      const [out, errors] = await printed;
      resolve({ code, out, errors });
    });
  });

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
      const isRight = JSON.parse(body).client_secret === 'right';
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
