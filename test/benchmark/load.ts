import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** Requests per second, and latencies in ms. */
export interface Load {
  readonly perSecond: number;
  readonly median: number;
  readonly p99: number;
  readonly count: number;
}

/** A request to send, again and again. */
export interface LoadRequest {
  readonly url: string;
  readonly method?: 'GET';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A placeholder in a request, replaced by a new name each time it is sent. */
export const ANY_NAME = '{{another-name-each-time}}';

const OK = /^HTTP\/1\.1 20[01] /;
const LENGTH = /\r\nContent-Length: (\d+)/i;

export interface Wire {
  readonly bytes: Buffer;
  /** Positions of the placeholders. */
  readonly names: readonly number[];
}

/** The bytes of a request. */
export const wireOf = ({ url, method, headers, body }: LoadRequest): Wire => {
  const { host, pathname } = new URL(url);
  const head = {
    Host: host,
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(
    `${method ?? 'POST'} ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`,
  );
  const names = [];
  for (let at = bytes.indexOf(ANY_NAME); at >= 0; at = bytes.indexOf(ANY_NAME, at + 1))
    names.push(at);
  return { bytes, names };
};

/**
 * Divides the requests among the connections, and sends each one after the answer to the previous
 * one, for some seconds. It parses almost nothing, to leave the processor to the server.
 *
 * @throws Error at an answer that is not 200 or 201 with a length.
 */
export const load = async (
  requests: readonly LoadRequest[],
  connections: number,
  seconds: number,
): Promise<Load> => {
  const { hostname, port } = new URL(requests[0]?.url ?? '');
  const times: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;

  const run = (first: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const own =
        requests.length < connections
          ? requests
          : requests.filter((_, index) => index % connections === first);
      const wires = own.map(wireOf);
      const socket: Socket = connect(Number(port), hostname);
      let answer = '';
      let sent = 0;
      let turn = 0;
      const send = (): void => {
        answer = '';
        const { bytes, names } = wires[turn++ % wires.length] as (typeof wires)[number];
        if (names.length > 0) {
          const name = randomBytes(ANY_NAME.length / 2).toString('hex');
          for (const at of names) bytes.write(name, at, 'latin1');
        }
        sent = performance.now();
        socket.write(bytes);
      };
      socket.setNoDelay(true).setEncoding('latin1');
      socket.on('connect', send).on('error', reject);
      socket.on('close', () => reject(new Error('the connection was closed')));
      socket.on('data', (chunk: string) => {
        answer += chunk;
        const end = answer.indexOf('\r\n\r\n');
        if (end < 0) return;
        const [, length] = LENGTH.exec(answer) ?? [];
        if (!OK.test(answer) || length === undefined)
          return reject(new Error(answer.slice(0, 500)));
        if (answer.length < end + 4 + Number(length)) return;
        const now = performance.now();
        times.push(now - sent);
        if (now < until) return send();
        socket.removeAllListeners('close').destroy();
        resolve();
      });
    });

  await Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
  return summaryOf(times, (performance.now() - began) / 1_000);
};

/** @param times latencies in ms @param took seconds */
export const summaryOf = (times: number[], took: number): Load => {
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / took, median: at(0.5), p99: at(0.99), count: times.length };
};
