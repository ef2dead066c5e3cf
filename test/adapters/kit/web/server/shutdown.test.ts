import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import {
  closeConnections,
  waitUntilNoConnections,
} from '../../../../../adapters/kit/web/server/shutdown.ts';

const CLIENTS = 20;

describe('a port that is closed', () => {
  it('takes the connections that came while the process was kept waiting', async () => {
    const server = createServer((_, response) => response.end('served'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const quiet = waitUntilNoConnections(server);
    const clients = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'));
    const outcomes = clients.map(async (client) => {
      client.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const texts = await client.toArray().catch((error: Error) => [error.message]);
      return Buffer.concat(texts.map((text) => Buffer.from(text)))
        .toString()
        .slice(0, 15);
    });
    // As on a machine that is busy with something else.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);

    await quiet;
    await closeConnections(server, 1_000);
    expect(await Promise.all(outcomes)).to.deep.equal(Array(CLIENTS).fill('HTTP/1.1 200 OK'));
  });
});
