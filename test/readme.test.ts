import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { expect } from 'chai';
import { SystemClock } from '../adapters/system/clock-and-identifiers.ts';
import { readConfig } from '../bootstrap/settings/config.ts';
import { temporaryFolder } from './support/children.ts';
import {
  anchorsOf,
  examples,
  findReadmes,
  guidePages,
  linksOf,
  operatorPages,
  readReadme,
  type TourStep,
  tourOf,
} from './support/readme.ts';
import { comparable, EXAMPLE_TODAY, offsetOf, parseShown } from './support/readme-answers.ts';
import { LocalService } from './support/service.ts';
import { sharedPostgres } from './support/shared.ts';
import { keepTaxOf } from './support/today.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const ROOT_README_LINES = 150;
const TOUR_TIMEOUT_MS = 90_000;

/**
 * Blocks that this file runs, compares or parses. The receivers of webhooks are checked by the tests
 * in test/adapters/http/events.
 */
const CHECKED = [
  ...['bash', 'json', 'console', 'ts', 'js', 'text', 'dotenv'],
  ...['python', 'php'],
];

/**
 * Blocks that are left alone: what a person types into a terminal or another program, settings of
 * other programs, diagrams, and messages of other services.
 */
const LEFT_ALONE = [
  'sh',
  'sql',
  'ini',
  'nginx',
  'haproxy',
  'yaml',
  'toml',
  'mermaid',
  'jsonc',
  'http',
];

/**
 * READMEs whose examples other tests run: those of the domain count for its coverage, those of the
 * client are one program and need a service.
 */
const RUN_ELSEWHERE: readonly string[] = ['domain/README.md', 'adapters/client/README.md'];

/** A line that the script prints between the outputs of two steps. */
const SEPARATOR = '=== next step ===';

const run = promisify(execFile);

describe('the READMEs', () => {
  const pages = [...guidePages(), ...operatorPages()];
  const readmes = [...findReadmes(), ...pages];
  const programs = readmes
    .filter(({ path }) => !RUN_ELSEWHERE.includes(path))
    .flatMap(({ path, text }) => examples(text).map((example) => ({ path, ...example })));
  /** What one shell runs: a README, or the pages of a guide one after another. */
  const tours = [
    ...findReadmes().map((each) => ({ path: each.path, steps: tourOf(each) })),
    { path: "the partner's guide", steps: guidePages().flatMap(tourOf) },
    { path: "the operator's guide", steps: operatorPages().flatMap(tourOf) },
  ];
  const folder = temporaryFolder();
  let service: LocalService;
  let baseUrl = '';

  before(async () => {
    const DATABASE_URL = await sharedPostgres.migratedDatabase();
    await keepTaxOf(EXAMPLE_TODAY, DATABASE_URL);
    service = await LocalService.start({ DATABASE_URL, DATA_DIR: join(folder, 'data') });
    baseUrl = service.baseUrl;
  });
  after(() => service.end());

  /** The commands of a README for one shell, with the credentials that the first start printed. */
  const scriptOf = (steps: readonly TourStep[]): string => {
    const partner = service.credentials('Demo partner');
    const administrator = service.credentials('Administrator');
    const inFolder = (text: string): string =>
      text.replaceAll('/tmp/', `${folder}/`).replaceAll(' .data/', ` ${folder}/data/`);
    return [
      `API=${baseUrl}`,
      `CLIENT_ID=${partner?.client_id} CLIENT_SECRET=${partner?.client_secret}`,
      `ADMIN_ID=${administrator?.client_id} ADMIN_SECRET=${administrator?.client_secret}`,
      ...steps.map(({ commands }) => `${inFolder(commands)}\necho; echo '${SEPARATOR}'`),
    ].join('\n');
  };

  for (const { path, steps } of tours) {
    if (steps.length === 0) continue;
    it(`${path}: every command works, with the output that it shows`, async function () {
      this.timeout(TOUR_TIMEOUT_MS + 10_000);
      const script = ['-c', scriptOf(steps)];
      const { stdout } = await run('bash', script, { timeout: TOUR_TIMEOUT_MS });
      const printed = stdout.split(`${SEPARATOR}\n`);
      const context = { today: new SystemClock().today(), address: baseUrl.replace('/api', '') };
      const shown = steps.map((step) => parseShown(step.shown, context));
      const offset = offsetOf(shown.flat(), stdout);
      expect(shown.flat()).to.have.length.above(0);
      for (const [index, { place }] of steps.entries()) {
        const sides = comparable(shown[index] ?? [], printed[index] ?? '', offset);
        expect(sides.printed, place).to.deep.equal(sides.shown);
      }
    });
  }

  it('have a tour with many answers', () => {
    const shown = readmes.flatMap((each) => tourOf(each).flatMap((step) => step.shown));
    expect(shown).to.have.length.above(30);
  });

  for (const { path, title, code, printed } of programs)
    it(`${path}: the example prints what it shows: ${title}`, async () => {
      const file = join(temporaryFolder(), 'example.ts');
      const inRoot = code
        .replaceAll("from './", `from '${ROOT}`)
        .replaceAll("'@insurance-sales/domain'", `'${ROOT}domain/src/index.ts'`);
      writeFileSync(file, inRoot);
      expect((await run(process.execPath, [file])).stdout).to.equal(printed);
    });

  it('have an example in memory', () => {
    expect(programs.map(({ code }) => code).join()).to.include('memoryService');
  });

  it('show settings that the service accepts', () => {
    const secrets = temporaryFolder();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(secrets, 'signing-key.pem'), pem);
    writeFileSync(join(secrets, 'secrets-key'), randomBytes(32).toString('base64'));
    const settings = readmes.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => language === 'dotenv')
        .map(({ text, line }) => ({ place: `${path}:${line}`, text })),
    );
    expect(settings).to.have.length.above(0);
    for (const { place, text } of settings) {
      const environment = parseEnv(text.replaceAll('/etc/sales/', `${secrets}/`));
      expect(() => readConfig(environment), place).not.to.throw();
    }
  });

  it('name the language of each block, and this test knows what to do with it', () => {
    const unknown = readmes.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => ![...CHECKED, ...LEFT_ALONE].includes(language))
        .map(({ language, line }) => `${path}:${line}: ${language || 'no language'}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('link to files and headings that exist', () => {
    const broken = readmes.flatMap((readme) =>
      linksOf(readme).filter((link) => {
        // An address of the service, such as that of the reference.
        if (link.startsWith('/')) return false;
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? readme.path : join(dirname(readme.path), file);
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsOf(readReadme(target)).includes(anchor);
      }),
    );
    expect(broken).to.deep.equal([]);
  });

  it(`are short at the root: ${ROOT_README_LINES} lines at most`, () => {
    const lines = readReadme('README.md').text.split('\n');
    expect(lines).to.have.length.at.most(ROOT_README_LINES);
  });
});
