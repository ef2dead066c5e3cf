import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bareEnvironment } from '../../../support/children.ts';
import { LocalService } from '../../../support/service.ts';
import { sharedPostgres } from '../../../support/shared.ts';

const HERE = import.meta.dirname;
const START_TIMEOUT_MS = 60_000;

/** What each program prints, whatever its language. */
const PRINTED = `logged in
products ARTISTA CELULAR INGRESSO LUA_DE_MEL
INGRESSO paid
repeated true the same sale
faulty 422 cpfCnpj=invalid_tax_id
corrected paid
ARTISTA issued
CELULAR awaiting_payment
CELULAR issued, paid at the link
declined 422 card_declined
CELULAR issued by card
LUA_DE_MEL paid
cancelled everything goes back
feed artist corrected phone-card phone-declined phone-link ticket trip
`;

const PROGRAMS = [
  { name: 'Python', command: 'python3', file: 'sell.py' },
  { name: 'PHP', command: 'php', file: 'sell.php' },
  { name: 'TypeScript', command: process.execPath, file: 'sell.ts' },
  { name: 'TypeScript with the client', command: process.execPath, file: 'sell-with-client.ts' },
];

/** A proxy that answers the first sale with 502 and a page, and passes every other request on. */
const startProxy = async (target: string): Promise<Server> => {
  let hasFailed = false;
  const proxy = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = Buffer.concat(await Array.fromAsync(request));
    if (!hasFailed && url.endsWith('/create')) {
      hasFailed = true;
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>Bad Gateway</html>');
      return;
    }
    const { host: _, connection: __, ...rest } = headers;
    const answer = await fetch(new URL(url, target), {
      method,
      headers: { ...(rest as Record<string, string>), 'accept-encoding': 'identity' },
      ...(body.length > 0 && { body }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    const forwarded = new Headers(answer.headers);
    // These are about the connection to the service, not about the one to the stranger.
    for (const name of ['connection', 'keep-alive', 'transfer-encoding']) forwarded.delete(name);
    response.writeHead(answer.status, Object.fromEntries(forwarded)).end(content);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
};

/** Programs of developers who had nothing but the address, credentials and the partner's guide. */
describe('a stranger sells all four products', () => {
  let service: LocalService;
  let environment: Record<string, string> = {};

  before(async () => {
    const DATABASE_URL = await sharedPostgres.migratedDatabase();
    service = await LocalService.start({ DATABASE_URL, DATA_DIR: 'memory:' });
    const { client_id = '', client_secret = '' } = service.credentials('Demo partner') ?? {};
    environment = {
      ...{ ...bareEnvironment(), PYTHONIOENCODING: 'utf-8' },
      ...{ API: service.baseUrl, CHANNEL_LINK: 'canal-demo' },
      ...{ CLIENT_ID: client_id, CLIENT_SECRET: client_secret },
    };
  });
  after(() => service.end());

  for (const { name, command, file } of PROGRAMS)
    it(`in ${name}`, async function () {
      if (spawnSync(command, ['--version']).status !== 0) {
        process.stderr.write(`${command} is not installed here: ${name} does not sell.\n`);
        this.skip();
      }
      const target = new URL(environment['API'] ?? '');
      const proxy = await startProxy(target.origin);
      try {
        const { port } = proxy.address() as AddressInfo;
        const API = `http://127.0.0.1:${port}${target.pathname.replace(/\/$/, '')}`;
        const { stdout } = await promisify(execFile)(command, [join(HERE, file)], {
          env: { ...environment, API },
          timeout: START_TIMEOUT_MS,
        });
        expect(stdout).to.equal(PRINTED);
      } finally {
        proxy.close();
        proxy.closeAllConnections();
      }
    });
});
