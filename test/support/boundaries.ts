import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { PostgresProxy } from './postgres-proxy.ts';

/** Counts the steps of a service at its providers and database, and can kill it after any step. */
export class Boundaries {
  /** The steps in order, each with its count: `commit 2`. */
  readonly passed: string[] = [];
  #at: string | undefined;
  #kill: () => void = () => {};
  #isDead = false;

  /** Starts counting. After the step `at`, holds back its answer and calls `kill`. */
  arm(at: string | undefined, kill: () => void): void {
    this.passed.length = 0;
    this.#at = at;
    this.#kill = kill;
    this.#isDead = false;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Counts a step. @returns whether its answer may reach the service */
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

/** Statements that advance a sale. Polls for jobs and for changes are not counted. */
const OF_A_SALE =
  /register-sale|insert into sale|save-sale|update sale set|claim-sale|answer-sale|release-sale|insert into payment_notice|settle-payment-notice/i;

/**
 * A proxy to PostgreSQL: each statement that advances a sale is a step, after PostgreSQL ran it.
 */
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
      // COMMIT counts where the transaction has a statement that counts.
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

/** A proxy to a provider: each request is a step, after the provider did it. */
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
