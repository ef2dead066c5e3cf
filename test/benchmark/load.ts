import { connect, type Socket } from 'node:net';

/** What a request was like, in milliseconds, and how many there were. */
export interface Load {
  readonly perSecond: number;
  readonly median: number;
  readonly p99: number;
}

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const OK = 'HTTP/1.1 200 ';
const LENGTH = /\r\nContent-Length: (\d+)/i;

/**
 * Sends one request over and over on each connection, as soon as the last one has been answered, for so many seconds. It
 * does next to nothing itself: a load generator that parses answers takes the processor from what it measures.
 *
 * @throws Error at an answer that is not 200 with a length.
 */
export const load = async ({ url, headers, body }: Request, connections: number, seconds: number): Promise<Load> => {
  const { hostname, port, pathname } = new URL(url);
  const head = { Host: `${hostname}:${port}`, 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const times: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;

  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(Number(port), hostname);
      let answer = '';
      let sent = 0;
      const send = (): void => {
        answer = '';
        sent = performance.now();
        socket.write(request);
      };
      socket.setNoDelay(true).setEncoding('latin1');
      socket.on('connect', send).on('error', reject);
      socket.on('close', () => reject(new Error('the connection was closed')));
      socket.on('data', (chunk: string) => {
        answer += chunk;
        const end = answer.indexOf('\r\n\r\n');
        if (end < 0) return;
        const [, length] = LENGTH.exec(answer) ?? [];
        if (!answer.startsWith(OK) || length === undefined) return reject(new Error(answer.slice(0, 500)));
        if (answer.length < end + 4 + Number(length)) return;
        const now = performance.now();
        times.push(now - sent);
        if (now < until) return send();
        socket.removeAllListeners('close').destroy();
        resolve();
      });
    });

  await Promise.all(Array.from({ length: connections }, run));
  const took = (performance.now() - began) / 1000;
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / took, median: at(0.5), p99: at(0.99) };
};
