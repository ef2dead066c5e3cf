import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import * as domain from '../../domain/src/index.ts';
import { temporaryFolder } from '../support/children.ts';
import { npm, ownNode } from '../support/npm.ts';
import { type Program, programsOf, readReadme } from '../support/readme.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const MAX_BYTES = 74_000;
const run = promisify(execFile);

const NODES = [...new Set([ownNode, process.execPath])];

describe('the domain package, packed and installed into an empty folder', () => {
  let folder = '';
  let installed = '';
  let tarball = '';
  const programs = programsOf(readReadme('domain/README.md'));
  const nameOf = ({ savedAs }: Program, index: number): string => savedAs ?? `program-${index}`;

  before(async () => {
    folder = temporaryFolder();
    await npm(['pack', '-w', 'domain', '--pack-destination', folder], ROOT);
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{ "private": true, "type": "module" }');
    await npm(['install', tarball, '--offline', '--no-audit', '--no-fund'], empty);
    folder = empty;
    installed = join(empty, 'node_modules/@insurance-sales/domain');
    for (const [index, program] of programs.entries())
      for (const extension of new Set([program.language, 'ts']))
        writeFileSync(join(folder, `${nameOf(program, index)}.${extension}`), program.code);
  });

  it(`is smaller than ${MAX_BYTES / 1_000} kB and installs no other package`, () => {
    expect(statSync(tarball).size).to.be.within(10_000, MAX_BYTES);
    expect(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ).to.deep.equal(['@insurance-sales']);
    expect(readdirSync(join(folder, 'node_modules/@insurance-sales'))).to.deep.equal(['domain']);
    const { version, dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    );
    expect([version, dependencies, peerDependencies]).to.deep.equal([
      '1.0.0',
      undefined,
      undefined,
    ]);
    expect(readdirSync(installed)).to.have.members([
      'CHANGELOG.md',
      'LEGAL.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
  });

  it('runs the programs of its README on the Node.js of the machine and of the project', async () => {
    const found = programs.filter(({ language }) => language === 'js');
    expect(found).to.have.length(12);
    for (const node of NODES)
      for (const [index, program] of programs.entries()) {
        const { title, language, printed } = program;
        if (language !== 'js') continue;
        const file = join(folder, `${nameOf(program, index)}.js`);
        expect((await run(node, [file], { cwd: folder })).stdout, `${title}, on ${node}`).to.equal(
          printed,
        );
      }
  });

  it('has types with which each program of its README compiles, as strict TypeScript', async () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
      skipLibCheck: false,
    };
    const files = programs.map((program, index) => `${nameOf(program, index)}.ts`);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '--project', folder]).catch(
      (failed: { readonly stdout: string }) => failed,
    );
    expect(stdout).to.equal('');
  });

  it('is loaded by require() as well', async () => {
    writeFileSync(
      join(folder, 'program.cjs'),
      `const { cents, formatReais } = require('@insurance-sales/domain');
       const { propose } = require('@insurance-sales/domain/policy');
       const { holdFigures } = require('@insurance-sales/domain/service');
       console.log(formatReais(cents(150)), typeof propose, typeof holdFigures);`,
    );
    for (const node of NODES) {
      const { stdout } = await run(node, ['program.cjs'], { cwd: folder });
      expect(stdout, node).to.equal('R$ 1,50 function function\n');
    }
  });

  it('keeps in its types the example of each function of the main entry', () => {
    const types = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => readFileSync(join(installed, 'dist', name), 'utf8'))
      .join();
    expect([...types.matchAll(/@example/g)]).to.have.length.at.least(Object.keys(domain).length);
  });

  it('runs in a context with ECMAScript only, without Node.js, timers and packages', async () => {
    const args = [
      '--no-warnings',
      '--experimental-vm-modules',
      join(ROOT, 'test/domain/programs/bare-context.mjs'),
    ];
    const { stdout } = await run(process.execPath, [...args, join(installed, 'dist/index.js')]);
    expect(stdout).to.equal('R$ 202,52 11144477735 undefined undefined\n');
  });
});
