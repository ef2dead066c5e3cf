import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { blocks } from './support/readme.ts';
import { bash, ServiceProcess, temporaryFolder } from './support/service.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const README = readFileSync(`${ROOT}README.md`, 'utf8');

const VOLATILE = [
  ...['access_token', 'refresh_token', 'ticket', 'client_id', 'client_secret', 'created_at', 'updated_at', 'expires_at'],
  'registered_at',
  ...['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'number', 'at', 'request_id', 'link', 'id', 'reference'],
  ...['quotation_no', 'proposal_no', 'policy_no'],
];

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** What is different at each run. */
const settled = (json: string): unknown =>
  JSON.parse(json, (name, value) => (VOLATILE.includes(name) || ULID.test(value) ? typeof value : value));

describe('the README', () => {
  let service: ServiceProcess | undefined;
  after(() => service?.end('SIGKILL'));

  it('has a tour whose every line works, with the output that it shows', async () => {
    const folder = temporaryFolder();
    service = new ServiceProcess({ DATA_DIR: 'memory:' });
    const baseUrl = await service.ready();
    const partner = service.credentials('Demo partner');
    const administrator = service.credentials('Administrator');
    const tour = blocks(README, 'bash', 'json');
    const commands = tour.filter(({ language }) => language === 'bash').map(({ text }) => text.replaceAll('/tmp/', `${folder}/`));
    const shown = tour.filter(({ language }) => language === 'json').flatMap(({ text }) => text.trim().split('\n').map(settled));
    const script = [
      `API=${baseUrl}`,
      `CLIENT_ID=${partner?.client_id} CLIENT_SECRET=${partner?.client_secret}`,
      `ADMIN_ID=${administrator?.client_id} ADMIN_SECRET=${administrator?.client_secret}`,
      ...commands.map((each) => `${each}\necho`),
    ];
    const printed = (await bash(script.join('\n'))).trim().split('\n').map(settled);
    expect(shown).to.have.length.above(4);
    expect(printed).to.deep.equal(shown);
  });

  it('is not needed for the lines that the first start prints: they work as they are', async () => {
    const lines = service?.output.slice(service.output.indexOf('Try it:')).split('\n') ?? [];
    const script = lines.filter((line) => !/^(Try it:|A new product|\{"level")/.test(line)).join('\n');
    const answers = (await bash(script))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).to.have.length(5);
    for (const answer of answers)
      expect(answer).to.satisfy(({ success, message }: Record<string, unknown>) => success === true || message);
    expect(answers[4].data).to.deep.include({ external_sale_id: 'rex-1', status: 'paid' });
  });

  it('has an example in memory that prints what it shows', async () => {
    const [example] = blocks(README, 'ts');
    const [expected] = blocks(README, 'text');
    const file = join(temporaryFolder(), 'example.ts');
    writeFileSync(file, example?.text.replaceAll("from './", `from '${ROOT}`) ?? '');
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).to.equal(expected?.text);
  });

  it('names every variable of the configuration', () => {
    const variables = [...readFileSync(`${ROOT}bootstrap/variables.ts`, 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)].map(
      ([, name]) => name as string,
    );
    expect(variables).to.have.length.above(20);
    const named = (name: string): boolean =>
      README.includes(`\`${name}\``) || (/^(ASAAS|ISSUER)_/.test(name) && README.includes(`\`${name.split('_')[0]}_*\``));
    expect(variables.filter((name) => !named(name))).to.deep.equal([]);
  });
});
