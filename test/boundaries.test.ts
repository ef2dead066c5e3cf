import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from './support/children.ts';

const ROOT = new URL('..', import.meta.url).pathname;

/** One breach of each rule, each in a file of its own. */
const BREACHES: readonly {
  readonly file: string;
  readonly line: string;
  readonly rule?: string;
}[] = [
  {
    file: 'domain/src/planted-1.ts',
    line: "import 'node:fs';",
    rule: 'domain-imports-only-itself',
  },
  {
    file: 'domain/src/planted-2.ts',
    line: "import '../../application/clock.ts';",
    rule: 'domain-imports-only-itself',
  },
  {
    file: 'application/planted-1.ts',
    line: "import 'koa';",
    rule: 'application-imports-only-domain-and-itself',
  },
  {
    file: 'application/planted-2.ts',
    line: "import type { State } from '../adapters/kit/web/pipeline/context.ts';\nexport type S = State;",
    rule: 'application-imports-only-domain-and-itself',
  },
  {
    file: 'application/planted-3.ts',
    line: "import { readFileSync } from 'node:fs';\nreadFileSync('x');",
    rule: 'application-imports-only-domain-and-itself',
  },
  {
    file: 'adapters/http/planted-1.ts',
    line: "import '../memory/clock.ts';",
    rule: 'an-adapter-imports-no-other-adapter',
  },
  {
    file: 'adapters/http/planted-2.ts',
    line: "import '../../bootstrap/settings/config.ts';",
    rule: 'adapters-import-no-bootstrap-and-no-test',
  },
  {
    file: 'adapters/http/planted-3.ts',
    line: "import 'inversify';",
    rule: 'inversify-lives-in-bootstrap',
  },
  {
    file: 'adapters/http/planted-4.ts',
    line: "import 'chai';",
    rule: 'no-dev-dependency-in-production',
  },
  {
    file: 'adapters/kit/contract/planted-1.ts',
    line: "import '../../http/oauth/token-grant.ts';",
    rule: 'a-kit-imports-no-adapter',
  },
  {
    file: 'adapters/kit/web/pages/planted-1.ts',
    line: "import type { Site } from '../../../site/page-frame.ts';\nexport type A = Site;",
    rule: 'a-kit-imports-no-adapter',
  },
  {
    file: 'adapters/kit/contract/planted-2.ts',
    line: "import '../../../application/servicing/cancel-sale.ts';",
    rule: 'a-kit-calls-no-use-case',
  },
  {
    file: 'adapters/site/planted-1.ts',
    line: "import '../http/open-routes.ts';",
    rule: 'an-adapter-imports-no-other-adapter',
  },
  {
    file: 'adapters/client/src/planted-1.ts',
    line: "import '../../http/open-routes.ts';",
    rule: 'client-imports-only-itself',
  },
  {
    file: 'adapters/client/src/planted-2.ts',
    line: "import 'node:crypto';",
    rule: 'client-imports-only-itself',
  },
  {
    file: 'adapters/partner/planted-1.ts',
    line: "import '../kit/web/server/listen.ts';",
    rule: 'partner-imports-only-client-and-kit',
  },
  {
    file: 'adapters/partner/planted-2.ts',
    line: "import '../../application/events/partner-events.ts';",
    rule: 'partner-imports-only-client-and-kit',
  },
  {
    file: 'adapters/http/planted-5.ts',
    line: "import '../client/src/index.ts';",
    rule: 'service-does-not-import-its-client',
  },
  {
    file: 'bootstrap/planted-1.ts',
    line: "import '../test/support/sales.ts';",
    rule: 'nobody-imports-tests',
  },
  { file: 'bootstrap/planted-2.ts', line: "import './nowhere.ts';", rule: 'no-unresolvable' },
  { file: 'adapters/memory/planted-1.ts', line: "import './planted-2.ts';", rule: 'no-cycles' },
  { file: 'adapters/memory/planted-2.ts', line: "import './planted-1.ts';" },
];

/** On each floor a room and a room below it that import each other, in files that form no circle. */
const CIRCLES = [
  { room: 'domain/src/planted', below: 'domain/src/values', seen: 'calendar.ts' },
  { room: 'application/planted', below: 'application/payments', seen: 'payments.ts' },
  { room: 'adapters/http/planted', below: 'adapters/http/oauth', seen: 'token-grant.ts' },
  { room: 'bootstrap/planted', below: 'bootstrap/settings', seen: 'config.ts' },
] as const;

const circleRule = (room: string): string => `folders-of-the-${room.split('/')[0]}-form-no-circle`;

const plantCircle = (folder: string, { room, below, seen }: (typeof CIRCLES)[number]): void => {
  const [name] = below.split('/').slice(-1);
  mkdirSync(join(folder, room));
  writeFileSync(join(folder, room, 'over.ts'), `import '../${name}/${seen}';\n`);
  writeFileSync(join(folder, room, 'under.ts'), 'export const under = 1;\n');
  writeFileSync(join(folder, below, 'planted-room.ts'), `import '../planted/under.ts';\n`);
};

interface Cruise {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

const FOLDERS = ['domain', 'application', 'adapters', 'bootstrap'];

/** Copies what the check reads: no test writes into the source tree. */
const copySources = (): string => {
  const copy = temporaryFolder();
  for (const name of [...FOLDERS, '.config/dependency-cruiser.mjs', 'test/support', 'package.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

const findBreaches = (folder: string): Promise<Cruise> =>
  new Promise((resolve, reject) => {
    const args = [
      '--config',
      '.config/dependency-cruiser.mjs',
      '--output-type',
      'json',
      ...FOLDERS,
    ];
    const run = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ...args];
    execFile(
      process.execPath,
      run,
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => {
        if (stdout === '') reject(new Error(stderr));
        else resolve(JSON.parse(stdout));
      },
    );
  });

describe('the rules about imports', () => {
  it('catch each planted breach, and find no other', async () => {
    const folder = copySources();
    for (const { file, line } of BREACHES) writeFileSync(join(folder, file), `${line}\n`);
    const { summary } = await findBreaches(folder);
    const caught = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
    const expected = BREACHES.filter(({ rule }) => rule !== undefined).map(
      ({ file, rule }) => `${file}: ${rule}`,
    );
    expect(caught).to.include.members(expected);
    const others = caught.filter((each) => !/planted|circle/.test(each));
    expect(others).to.deep.equal([]);
  });

  it('catch rooms that import each other, on each floor', async () => {
    const folder = copySources();
    for (const circle of CIRCLES) plantCircle(folder, circle);
    const { summary } = await findBreaches(folder);
    const caught = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
    const planted = CIRCLES.map(({ room }) => `${room}: ${circleRule(room)}`);
    expect(caught).to.include.members(planted);
  });
});

/** Clock, randomness, process, console, network and float formatting: only adapters use them. */
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bconsole\.|\bcrypto\b|\bperformance\b|\bset(Timeout|Interval)\b|\bfetch\(|\.toFixed\(|\bparseFloat\b/;

describe('domain and application', () => {
  it('use no clock, randomness, process, console or network of their own', () => {
    const sources = globSync(['domain/src/**/*.ts', 'application/**/*.ts'], { cwd: ROOT });
    expect(sources).to.have.length.above(20);
    const code = (file: string): string =>
      readFileSync(`${ROOT}${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(sources.filter((file) => IMPURE.test(code(file)))).to.deep.equal([]);
  });

  it('are caught by this check if they do', () => {
    const planted = [
      'Date.now()',
      'new Date()',
      'Math.random()',
      'process.env',
      'console.log(1)',
      'crypto.randomUUID()',
      'fetch(x)',
      'x.toFixed(2)',
    ];
    for (const line of planted) expect(line).to.match(IMPURE);
    for (const line of ['new Date(text)', 'Date.parse(text)', 'preprocess.it'])
      expect(line).not.to.match(IMPURE);
  });
});
