import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { TEXT_FORMAT } from './exposition.ts';

/** Scrapers are few. */
const MAX_CONNECTIONS = 32;

interface MetricsPort {
  readonly host: string;
  readonly port: number;
  /** Whether a `Host` header may name this server: a page elsewhere must not read it (DNS rebinding). */
  readonly isOwnHost: (host: string) => boolean;
}

/** Names that no foreign name server has: single ones, and those of private networks. */
const PRIVATE_NAME = /^[a-z\d_-]+(:\d*)?$|\.(local|internal|localhost|svc|home\.arpa)(:\d*)?$/i;

/**
 * Serves `/metrics` on a port of its own, without login.
 *
 * @param read returns the metrics in Prometheus's text format
 * @returns the address, without path
 * @throws Error if the port cannot be had
 */
export const serveMetrics = async (
  { host, port, isOwnHost }: MetricsPort,
  read: () => Promise<string>,
): Promise<string> => {
  const server = createServer(
    (request, response) => void answer(request, response, { read, isOwnHost }),
  );
  server.maxConnections = MAX_CONNECTIONS;
  // The metrics alone must not keep a process alive.
  server.unref();
  server.listen(port, host);
  await once(server, 'listening');
  return addressOf(server);
};

const addressOf = (server: Server): string => {
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
};

const answer = async (
  { method = '', url = '', headers: { host = '' } }: IncomingMessage,
  response: ServerResponse,
  { read, isOwnHost }: Pick<MetricsPort, 'isOwnHost'> & { readonly read: () => Promise<string> },
): Promise<void> => {
  const send = (status: number, text: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    });
    response.end(method === 'HEAD' ? undefined : text);
  };

  if (!isOwnHost(host) && !PRIVATE_NAME.test(host))
    return send(421, 'This server does not answer to that name (Host).\n');
  if (url.replace(/\?.*$/s, '') !== '/metrics') return send(404, 'Only /metrics is here.\n');
  if (method !== 'GET' && method !== 'HEAD')
    return send(405, 'Only GET and HEAD.\n', { Allow: 'GET, HEAD' });
  try {
    send(200, await read(), { 'Content-Type': TEXT_FORMAT });
  } catch {
    send(503, 'The metrics could not be read.\n');
  }
};
