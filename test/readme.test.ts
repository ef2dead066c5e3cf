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
  ...[
    'access_token',
    'refresh_token',
    'ticket',
    'client_id',
    'client_secret',
    'created_at',
    'updated_at',
    'expires_at',
  ],
  'registered_at',
  ...[
    'iss',
    'aud',
    'sub',
    'jti',
    'iat',
    'exp',
    'number',
    'at',
    'request_id',
    'link',
    'id',
    'reference',
  ],
  ...['quotation_no', 'proposal_no', 'policy_no', 'document_url', 'requested_at', 'settled_at'],
];

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** A line of output, with values that change at each run replaced. */
const settled = (line: string): unknown =>
  line.startsWith('{')
    ? JSON.parse(line, (name, value) =>
        VOLATILE.includes(name) || ULID.test(value) ? typeof value : value,
      )
    : line.replace(/[0-9A-HJKMNP-TV-Z]{26}/, 'ULID').replace(/^.*\/mail\//, '.data/mail/');

describe('the README', () => {
  let service: ServiceProcess | undefined;
  after(() => service?.end('SIGKILL'));

  it('has a tour whose every line works, with the output that it shows', async () => {
    const folder = temporaryFolder();
    service = new ServiceProcess({ DATA_DIR: join(folder, 'data') });
    const baseUrl = await service.ready();
    const partner = service.credentials('Demo partner');
    const administrator = service.credentials('Administrator');
    const tour = blocks(README, 'bash', 'json', 'console');
    const here = (text: string): string =>
      text.replaceAll('/tmp/', `${folder}/`).replaceAll(' .data/', ` ${folder}/data/`);
    const commands = tour
      .filter(({ language }) => language === 'bash')
      .map(({ text }) => here(text));
    const shown = tour
      .filter(({ language }) => language !== 'bash')
      .flatMap(({ text }) => text.trim().split('\n').map(settled));
    const script = [
      `API=${baseUrl}`,
      `CLIENT_ID=${partner?.client_id} CLIENT_SECRET=${partner?.client_secret}`,
      `ADMIN_ID=${administrator?.client_id} ADMIN_SECRET=${administrator?.client_secret}`,
      ...commands.map((each) => `${each}\necho`),
    ];
    const printed = (await bash(script.join('\n')))
      .split('\n')
      .filter((line) => line !== '')
      .map(settled);
    expect(shown).to.have.length.above(4);
    expect(printed).to.deep.equal(shown);
  });

  it('is not needed for the lines that the first start prints: they work as they are', async () => {
    const lines = service?.output.slice(service.output.indexOf('Try it:')).split('\n') ?? [];
    const script = lines
      .filter((line) => !/^(Try it:|A new product|\{"level")/.test(line))
      .join('\n');
    const printed = (await bash(script)).trim().split('\n');
    const files = printed.filter((line) => line.endsWith('.eml'));
    expect(files.length, printed.join()).to.be.above(0);
    expect(readFileSync(files[0] ?? '', 'utf8')).to.include('segunda_via');
    const answers = printed.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(answers).to.have.length(6);
    for (const answer of answers)
      expect(answer).to.satisfy(
        ({ success, message }: Record<string, unknown>) => success === true || message,
      );
    expect(answers[5].data).to.deep.include({ external_sale_id: 'rex-1', status: 'paid' });
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
    const variables = [
      ...readFileSync(`${ROOT}bootstrap/variables.ts`, 'utf8').matchAll(/^ {2}([A-Z_]+): /gm),
    ].map(([, name]) => name as string);
    expect(variables).to.have.length.above(20);
    const named = (name: string): boolean =>
      README.includes(`\`${name}\``) ||
      (/^(ASAAS|ISSUER)_/.test(name) && README.includes(`\`${name.split('_')[0]}_*\``));
    expect(variables.filter((name) => !named(name))).to.deep.equal([]);
  });
});
