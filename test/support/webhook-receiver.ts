import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it arrived. */
export interface Arrival {
  readonly path: string;
  readonly id: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  /** `performance.now()`. */
  readonly at: number;
}

type Answer = (response: ServerResponse, arrival: Arrival) => void;

const take: Answer = (response) => {
  response.end('ok');
};

/** A partner's server: it notes each webhook, then answers as the path says. */
export class WebhookReceiver {
  readonly arrivals: Arrival[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      const body = Buffer.concat(parts).toString();
      const id = String(headers['webhook-id']);
      const arrival = { path, id, body, headers, at: performance.now() };
      this.arrivals.push(arrival);
      (this.#answers.get(path) ?? take)(response, arrival);
    });
  });

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Answers webhooks to a path like this from now on. */
  answer(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  /** Answers webhooks to a path with 200 from now on. */
  recover(path: string): void {
    this.#answers.delete(path);
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): readonly Arrival[] {
    return this.arrivals.filter((arrival) => arrival.path === path);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
