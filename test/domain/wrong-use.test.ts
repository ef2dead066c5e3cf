import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Lines of `file` in which the compiler reports an error. */
const faultyLines = (folder: string, file: string): Promise<readonly number[]> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', folder],
      (_, stdout) => {
        const found = [...stdout.matchAll(/^(.+)\((\d+),\d+\): error/gm)];
        resolve([
          ...new Set(
            found.filter(([, name]) => name?.endsWith(file)).map(([, , line]) => Number(line)),
          ),
        ]);
      },
    );
  });

describe('wrong use of the domain', () => {
  it('does not compile: each line marked with @ts-expect-error has an error', async () => {
    const source = readFileSync(new URL('wrong-use.ts', import.meta.url), 'utf8');
    const marked = source
      .split('\n')
      .flatMap((line, index) => (line.includes('// @ts-expect-error') ? [index + 2] : []));
    const folder = temporaryFolder();
    const undirected = source
      .replaceAll('// @ts-expect-error', '//')
      .replace("'#domain'", `'${ROOT}domain/src/service.ts'`)
      .replaceAll("'../", `'${ROOT}test/`);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'wrong-use.ts'), undirected);
    const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
    const project = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions,
      files: ['wrong-use.ts'],
      include: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    expect(marked).to.have.length.above(25);
    expect(await faultyLines(folder, 'wrong-use.ts')).to.deep.equal(marked);
  });
});
