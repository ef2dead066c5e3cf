import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { FAULTS, TOPICS } from './faults.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

describe('the list of planted faults', () => {
  it('has at least fifty, no two alike, and one of each topic', () => {
    const planted = FAULTS.map(({ file, from, to }) => JSON.stringify([file, from, to]));

    expect(new Set(planted).size).to.equal(FAULTS.length).and.to.be.at.least(50);
    expect([...new Set(FAULTS.map(({ topic }) => topic))]).to.have.members([...TOPICS]);
  });

  it('names texts that occur once in their files, with other texts in their place', () => {
    const wrong = FAULTS.filter(({ file, from, to }) => {
      const parts = readFileSync(join(ROOT, file), 'utf8').split(from);
      return parts.length !== 2 || from === to;
    });

    expect(wrong.map(({ file, from }) => `${file}: ${from}`)).to.deep.equal([]);
  });

  it('names test files that exist', () => {
    const missing = FAULTS.filter(({ caughtBy }) => !existsSync(join(ROOT, caughtBy)));

    expect(missing.map(({ caughtBy }) => caughtBy)).to.deep.equal([]);
  });
});
