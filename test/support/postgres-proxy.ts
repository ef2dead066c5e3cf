import { connect, createServer, type Server, type Socket } from 'node:net';

const SYNC = 'S'.charCodeAt(0);
const SIMPLE_QUERY = 'Q'.charCodeAt(0);

/** A TCP proxy between clients and a PostgreSQL server. */
export abstract class PostgresProxy {
  #target: URL;
  protected readonly sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** @returns the URL of the database through the proxy */
  async start(): Promise<string> {
    this.#server = createServer((client) => {
      const server = connect(Number(this.#target.port), this.#target.hostname);
      for (const socket of [client, server]) {
        this.sockets.add(socket.on('error', () => {}));
        socket.once('close', () => this.sockets.delete(socket));
      }
      this.relay(client, server);
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as { port: number }).port);
    return url.href;
  }

  /** Sends new connections to another server. */
  pointAt(target: string): void {
    this.#target = new URL(target);
  }

  /** Closes all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.#server?.close();
  }

  protected abstract relay(client: Socket, server: Socket): void;
}

/** Counts round trips: each Sync or simple Query message makes the client wait. */
export class CountingProxy extends PostgresProxy {
  roundTrips = 0;

  protected override relay(client: Socket, server: Socket): void {
    let unread = Buffer.alloc(0);
    let greeted = false;
    client.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      // The start-up message has a length but no type; each later message has both.
      for (;;) {
        const header = greeted ? 1 : 0;
        if (unread.length < header + 4) return;
        const length = header + unread.readInt32BE(header);
        if (unread.length < length) return;
        if (greeted && (unread[0] === SYNC || unread[0] === SIMPLE_QUERY)) this.roundTrips += 1;
        greeted = true;
        unread = unread.subarray(length);
      }
    });
    client.pipe(server).pipe(client);
  }
}

/** Passes all data on, until `hang`. */
export class Relay extends PostgresProxy {
  /** Keeps the connections open but passes no data, as if the host lost its network. */
  hang(): void {
    for (const socket of this.sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  protected override relay(client: Socket, server: Socket): void {
    client.pipe(server).pipe(client);
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }
}

type Break = (to: Socket, from: Socket, chunk: Buffer) => void;

/** How a connection breaks when the proxy has a chunk of data for one of its ends. */
export const BREAKS: Readonly<Record<string, Break>> = {
  'closed before it': (to) => to.destroy(),
  'reset after it': (to, _, chunk) => to.write(chunk, () => to.resetAndDestroy()),
  'half-closed in the middle of it': (to, _, chunk) => to.end(chunk.subarray(0, chunk.length / 2)),
  'half-closed after it': (to, _, chunk) => to.end(chunk),
  'half-closed towards its sender': (to, from, chunk) => {
    from.end();
    to.write(chunk);
  },
};

/** Breaks one connection at a chunk of data, counted from `breakAt` on. */
export class BreakingProxy extends PostgresProxy {
  #left = Number.POSITIVE_INFINITY;
  #break: Break = () => {};

  /** @param chunk of what clients and server send: 1 is the next one */
  breakAt(chunk: number, how: Break): void {
    [this.#left, this.#break] = [chunk, how];
  }

  /** Whether no connection has broken since `breakAt`. */
  mend(): boolean {
    const isWhole = this.#left > 0;
    this.#left = Number.POSITIVE_INFINITY;
    return isWhole;
  }

  protected override relay(client: Socket, server: Socket): void {
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (chunk) => {
        this.#left -= 1;
        if (this.#left === 0) return this.#break(to, from, chunk);
        if (to.writable) to.write(chunk);
      });
      from.once('close', () => to.destroy());
    };
    pass(client, server);
    pass(server, client);
  }
}
