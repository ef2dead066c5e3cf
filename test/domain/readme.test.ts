import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SALE_LIFECYCLE } from '#domain';
import { temporaryFolder } from '../support/children.ts';
import { chapterOf, programsOf, readReadme } from '../support/readme.ts';

const SOURCE = new URL('../../domain/src', import.meta.url).pathname;
const README = readReadme('domain/README.md');
const MAX_LINES = 370;
const TASKS = [
  '1. Prices',
  '2. Commission',
  '3. Installments',
  '4. IOF by date',
  '5. Your own product',
  '6. States of a sale',
  '7. Values',
  "8. A channel's statement",
  '9. Refusals and messages',
];

// The packed package runs the same programs in package.test.ts. These runs count for the coverage.
describe('the README of the domain package', () => {
  const programs = programsOf(README).filter(({ language }) => language === 'js');
  const folder = temporaryFolder();

  before(() => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [index, { savedAs = `program-${index}`, code }] of programs.entries())
      writeFileSync(
        join(folder, `${savedAs}.js`),
        code.replaceAll("'@insurance-sales/domain'", `'${SOURCE}/index.ts'`),
      );
  });

  for (const [index, { title, savedAs, printed }] of programs.entries()) {
    if (savedAs !== undefined) continue;
    it(`shows the output that its program prints: ${title}`, async () => {
      const file = join(folder, `program-${index}.js`);
      const { stdout } = await promisify(execFile)(process.execPath, [file]);
      expect(printed).not.to.equal('');
      expect(stdout).to.equal(printed);
    });
  }

  it('has a program for each task', () => {
    const titles = programs
      .filter(({ savedAs }) => savedAs === undefined)
      .map(({ title }) => title);
    expect(titles).to.deep.equal(['A first program', ...TASKS]);
  });

  it('shows the states and transitions of SALE_LIFECYCLE', () => {
    const rows = chapterOf(README, '## 6. States of a sale').matchAll(
      /^\| (`\w+`) \| [^|]+ \|([^|]*)\|$/gm,
    );
    const shown = [...rows].map(([, state, next = '']) => `${state} -> ${next.trim()}`);
    const expected = Object.entries(SALE_LIFECYCLE).map(
      ([state, next]) => `\`${state}\` -> ${next.map((each) => `\`${each}\``).join(', ')}`,
    );
    expect(shown).to.deep.equal(expected);
  });

  it(`is short: ${MAX_LINES} lines at most`, () => {
    expect(README.text.split('\n')).to.have.length.at.most(MAX_LINES);
  });
});
