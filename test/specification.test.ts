import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const HERE = import.meta.dirname;

const MIN_SENTENCES = 150;

interface Sentence {
  readonly number: number;
  readonly text: string;
  /** Path below `test/`. */
  readonly file: string;
  readonly title: string;
}

const sentences: readonly Sentence[] = readFileSync(join(HERE, 'specification.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| # |^\|-/.test(line))
  .map((line) => {
    const [, number = '', text = '', test = ''] = line.split('|').map((cell) => cell.trim());
    const [file = '', title = ''] = test.replaceAll('`', '').split(' › ');
    return { number: Number(number), text, file, title };
  });

const hasTitle = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) =>
    ['it', 'describe'].some((call) => source.includes(`${call}(${quote}${title}${quote}`)),
  );

const show = ({ number, text, file, title }: Sentence): string =>
  `${number} ${text}: ${file} › ${title}`;

describe('the table of the specification', () => {
  it('numbers its sentences without a gap', () => {
    expect(sentences).to.have.length.of.at.least(MIN_SENTENCES);
    const numbers = sentences.map(({ number }) => number);
    expect(numbers).to.deep.equal(sentences.map((_, index) => index + 1));
  });

  it('names a test for each sentence', () => {
    const unproven = sentences.filter(({ text, file, title }) => !text || !file || !title);

    expect(unproven.map(show)).to.deep.equal([]);
  });

  it('names files that exist, with a test or group of tests of that title', () => {
    const missing = sentences.filter(({ file, title }) => {
      const path = join(HERE, file);
      return !existsSync(path) || !hasTitle(readFileSync(path, 'utf8'), title);
    });

    expect(missing.map(show)).to.deep.equal([]);
  });
});
