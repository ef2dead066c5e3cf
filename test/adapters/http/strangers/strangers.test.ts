import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ServiceProcess } from '../../../support/service.ts';

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

/** Programs of developers who had nothing but the address, credentials and the partner's guide. */
describe('a stranger sells all four products', () => {
  let service: ServiceProcess;
  let environment: Record<string, string> = {};

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    service = new ServiceProcess({ DATA_DIR: 'memory:' });
    const baseUrl = await service.ready();
    const { client_id = '', client_secret = '' } = service.credentials('Demo partner') ?? {};
    environment = {
      ...{ PATH: process.env['PATH'] ?? '', PYTHONIOENCODING: 'utf-8' },
      ...{ API: baseUrl, CHANNEL_LINK: 'canal-demo' },
      ...{ CLIENT_ID: client_id, CLIENT_SECRET: client_secret },
    };
  });
  after(() => service.end('SIGKILL'));

  for (const { name, command, file } of PROGRAMS)
    it(`in ${name}`, async function () {
      this.timeout(START_TIMEOUT_MS);
      if (spawnSync(command, ['--version']).status !== 0) {
        process.stderr.write(`${command} is not installed here: ${name} does not sell.\n`);
        this.skip();
      }
      const { stdout } = await promisify(execFile)(command, [join(HERE, file)], {
        env: environment,
        timeout: START_TIMEOUT_MS,
      });
      expect(stdout).to.equal(PRINTED);
    });
});
