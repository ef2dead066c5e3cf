import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { PostgresProxy } from './postgres-proxy.ts';

/** What stands between the service and the outside: at each thing done there, somebody may be killed before the answer comes. */
export class Boundaries {
  /** The steps since counting began, in order: what was done, and which time that was: `commit 2`. */
  readonly passed: string[] = [];
  #at: string | undefined;
  #kill: () => void = () => {};
  #isDead = false;

  /** From now on: at that step, where there is one, its answer is kept back and `kill` is called. */
  arm(at: string | undefined, kill: () => void): void {
    this.passed.length = 0;
    this.#at = at;
    this.#kill = kill;
    this.#isDead = false;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Something has been done; whether its answer may go on. */
  pass(what: string): boolean {
    if (this.#isDead) return false;
    const step = `${what} ${1 + this.passed.filter((each) => each.startsWith(`${what} `)).length}`;
    this.passed.push(step);
    if (step !== this.#at) return true;
    this.#isDead = true;
    this.#kill();
    return false;
  }
}

/** Statements of a sale's way. What the service does beside it, asking for work or for news, is none. */
const OF_A_SALE =
  /register-sale|insert into sale|save-sale|update sale set|claim-sale|answer-sale|release-sale|insert into payment_notice|settle-payment-notice/i;

/** A way to PostgreSQL on which each statement of a sale's way is a boundary, once the server has carried it out. */
export class TappedPostgres extends PostgresProxy {
  readonly #boundaries: Boundaries;

  constructor(target: string, boundaries: Boundaries) {
    super(target);
    this.#boundaries = boundaries;
  }

  protected override relay(client: Socket, server: Socket): void {
    let done: string | undefined;
    let isOfSale = false;
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      const found = OF_A_SALE.exec(text)?.[0];
      // A transaction is one of a sale's if a statement in it is.
      isOfSale = found !== undefined || (isOfSale && !/begin/i.test(text));
      done = found ?? (isOfSale ? /commit/i.exec(text)?.[0] : undefined) ?? done;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      const what = done;
      done = undefined;
      if (what === undefined || this.#boundaries.pass(what.toLowerCase())) client.write(chunk);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }
}

/** A way to a provider on which each request is a boundary, once the provider has done what was asked. */
export class TappedProvider {
  readonly #target: string;
  readonly #boundaries: Boundaries;
  #server: HttpServer | undefined;

  constructor(target: string, boundaries: Boundaries) {
    this.#target = target;
    this.#boundaries = boundaries;
  }

  async start(): Promise<string> {
    this.#server = createHttpServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const chunks = await Array.fromAsync(request).catch(() => []);
      const {
        host: _,
        connection: __,
        'content-length': ___,
        'transfer-encoding': ____,
        ...own
      } = headers;
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      const answer = await fetch(this.#target + url, {
        method,
        headers: own as Record<string, string>,
        ...body,
      }).catch(() => undefined);
      const text = await answer?.text();
      if (answer === undefined) return void response.destroy();
      if (!this.#boundaries.pass(`${method} ${url.replace(/\?.*|\d+-.*|pay_.*/, '')}`)) return;
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}
