import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';

const ROOT = new URL('..', import.meta.url).pathname;

/** One breach of each rule, each in a file that is gone again when the check has run. */
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
    line: "import type { State } from '../adapters/http/pipeline/context.ts';\nexport type S = State;",
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
    line: "import '../../bootstrap/config.ts';",
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
    file: 'adapters/http/contract/planted-1.ts',
    line: "import '../oauth/token-grant.ts';",
    rule: 'http-base-imports-no-endpoint',
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

interface Cruise {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

const cruise = (): Promise<Cruise> =>
  new Promise((resolve, reject) => {
    const args = [
      '--config',
      '.config/dependency-cruiser.mjs',
      '--output-type',
      'json',
      'domain',
      'application',
      'adapters',
      'bootstrap',
    ];
    const run = [`${ROOT}node_modules/dependency-cruiser/bin/dependency-cruise.mjs`, ...args];
    execFile(
      process.execPath,
      run,
      { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => {
        if (stdout === '') reject(new Error(stderr));
        else resolve(JSON.parse(stdout));
      },
    );
  });

describe('who may import whom', () => {
  it('is checked: each planted breach is caught by its rule, and nothing else is', async () => {
    for (const { file, line } of BREACHES) writeFileSync(`${ROOT}${file}`, `${line}\n`);
    try {
      const { summary } = await cruise();
      const caught = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
      const expected = BREACHES.filter(({ rule }) => rule !== undefined).map(
        ({ file, rule }) => `${file}: ${rule}`,
      );
      expect(caught).to.include.members(expected);
      expect(caught.filter((each) => !each.includes('planted'))).to.deep.equal([]);
    } finally {
      for (const { file } of BREACHES) rmSync(`${ROOT}${file}`);
    }
  });
});

/** What asks the world: the time, chance, the process, the console, the network. */
const ASKS_THE_WORLD =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bconsole\.|\bcrypto\b|\bperformance\b|\bset(Timeout|Interval)\b|\bfetch\(|\.toFixed\(|\bparseFloat\b/;

describe('domain and application', () => {
  it('ask nothing of the world but through a port', () => {
    const sources = globSync(['domain/src/**/*.ts', 'application/**/*.ts'], { cwd: ROOT });
    expect(sources).to.have.length.above(20);
    const code = (file: string): string =>
      readFileSync(`${ROOT}${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(sources.filter((file) => ASKS_THE_WORLD.test(code(file)))).to.deep.equal([]);
  });

  it('would be caught asking', () => {
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
    for (const line of planted) expect(line).to.match(ASKS_THE_WORLD);
    for (const line of ['new Date(text)', 'Date.parse(text)', 'preprocess.it'])
      expect(line).not.to.match(ASKS_THE_WORLD);
  });
});
