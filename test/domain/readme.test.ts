import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { examples } from '../support/readme.ts';

const SOURCE = new URL('../../domain/src/index.ts', import.meta.url).pathname;
const found = examples(readFileSync(new URL('../../domain/README.md', import.meta.url), 'utf8'));

describe('the README of the domain package', () => {
  for (const { title, code, printed } of found) {
    it(`shows the output that its example prints: ${title}`, async () => {
      const file = join(temporaryFolder(), 'example.mjs');
      writeFileSync(file, code.replace("'@insurance-sales/domain'", `'${SOURCE}'`));
      const { stdout } = await promisify(execFile)(process.execPath, [file]);
      expect(stdout).to.equal(printed);
    });
  }

  it('has an example in each chapter', () => {
    expect(found.map(({ title }) => title)).to.deep.equal([
      'IOF and totals, from a net and from a gross price',
      'A catalogue, read from data',
      'A quote for a plan, commission and net amount, installments',
      'Tax ids and other values',
      'A sale through its states, and a transition refused',
      "An insurer's quotation, proposal and policy",
    ]);
  });
});
