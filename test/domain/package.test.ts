import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { blocks, examples } from '../support/readme.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);

/** npm and the Node.js of the machine, which may be older than the Node.js of the project. */
const { npm_execpath: npmPath, npm_node_execpath: ownNode = process.execPath } = process.env;
const npm = (args: readonly string[], cwd: string) =>
  npmPath === undefined
    ? run('npm', [...args], { cwd })
    : run(ownNode, [npmPath, ...args], { cwd });

describe('the domain package, packed and installed into an empty folder', () => {
  let folder = '';
  let installed = '';
  let tarball = '';

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
  });

  const readme = (): string => readFileSync(join(installed, 'README.md'), 'utf8');

  it('is smaller than 80 kB and installs no other package', () => {
    expect(statSync(tarball).size).to.be.within(10_000, 80_000);
    expect(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ).to.deep.equal(['@insurance-sales']);
    expect(readdirSync(join(folder, 'node_modules/@insurance-sales'))).to.deep.equal(['domain']);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    );
    expect([dependencies, peerDependencies]).to.deep.equal([undefined, undefined]);
    expect(readdirSync(installed)).to.have.members(['README.md', 'dist', 'package.json']);
  });

  it('runs its README examples on the Node.js of the machine and of the project', async () => {
    const found = examples(readme());
    expect(found).to.have.length(6);
    for (const node of new Set([ownNode, process.execPath])) {
      for (const { title, code, printed } of found) {
        const file = join(folder, 'example.js');
        writeFileSync(file, code);
        expect((await run(node, [file], { cwd: folder })).stdout, `${title}, on ${node}`).to.equal(
          printed,
        );
      }
    }
  });

  it('has types with which the TypeScript examples of its README compile', async () => {
    writeFileSync(
      join(folder, 'example.ts'),
      blocks(readme(), 'ts')
        .map(({ text }) => text)
        .join('\n'),
    );
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      noEmit: true,
      types: [],
      skipLibCheck: false,
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['example.ts'] }),
    );
    const { stdout } = await run(process.execPath, [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '--project',
      folder,
    ]);
    expect(stdout).to.equal('');
  });

  it('runs in a context with ECMAScript only, without Node.js, timers and packages', async () => {
    const args = [
      '--no-warnings',
      '--experimental-vm-modules',
      join(ROOT, 'test/support/bare-context.ts'),
    ];
    const { stdout } = await run(process.execPath, [...args, join(installed, 'dist/index.js')]);
    expect(stdout).to.equal('R$ 202,52 11144477735 undefined undefined\n');
  });
});
