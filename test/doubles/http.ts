import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: doubles read bodies of every shape
export type Body = any;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Body;
}

/**
 * A status and a body; `hang`: no answer, the connection stays open; `cut`: the connection ends.
 */
export type Told = { readonly status: number; readonly body?: unknown } | 'hang' | 'cut';

/** An HTTP server that answers with one function. */
export class Double {
  readonly #server: Server;
  url = '';

  constructor(answer: (asked: Asked) => Promise<Told> | Told) {
    this.#server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://double');
      const { method = '', headers } = request;
      const body = await bodyOf(request);
      tell(response, await answer({ method, path: pathname, query: searchParams, headers, body }));
    });
  }

  async start(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this.url;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const bodyOf = async (request: IncomingMessage): Promise<Body> => {
  const text = Buffer.concat(await Array.fromAsync(request)).toString();
  return text === '' ? undefined : JSON.parse(text);
};

const tell = (response: ServerResponse, told: Told): void => {
  if (told === 'hang') return;
  if (told === 'cut') return void response.destroy();
  const { status, body } = told;
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

/** Serves in a process of its own until it is killed; prints its address. */
export const serveAlone = async (double: {
  start(port?: number): Promise<string>;
}): Promise<void> => {
  const address = await double.start(Number(process.env['PORT'] ?? 0));
  process.stdout.write(`${JSON.stringify({ address })}\n`);
};
