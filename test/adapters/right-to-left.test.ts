import { expect } from 'chai';
import { prepareFonts, splitByFont } from '../../adapters/documents/fonts.ts';
import { reorderLine } from '../../adapters/documents/text-direction.ts';

describe('a name that is read from right to left', () => {
  before(() => prepareFonts({ name: 'محمد דוד' }));

  /** The fonts of a line from left to right, and the glyphs that they draw. */
  const drawn = (line: string) =>
    splitByFont(reorderLine(line), 'regular').map(({ text, font }) => ({
      font: font.postscriptName,
      glyphs: font.layout(text).glyphs.map(({ name, id }) => name ?? String(id)),
    }));

  it('is drawn in Arabic letters that join, the first letter at the right', () => {
    const [run, ...others] = drawn('محمد');
    expect(others).to.deep.equal([]);
    expect(run?.font).to.match(/^NotoSansArabic/);
    expect(run?.glyphs).to.deep.equal([
      'uni062F.fina',
      'uni0645.medi',
      'uni062D.medi',
      'uni0645.init',
    ]);
  });

  it('is drawn in Hebrew letters, beside words that are read from left to right', () => {
    const [latin, hebrew] = drawn('Rua דוד');
    expect(latin?.font).to.match(/^NotoSans-/);
    expect(hebrew?.font).to.match(/^NotoSansHebrew/);
    expect(hebrew?.glyphs).to.have.length(3);
  });

  it('keeps digits in their order', () => {
    expect(drawn('١٢٣').map(({ glyphs }) => glyphs)).to.deep.equal([
      ['uni0661', 'uni0662', 'uni0663'],
    ]);
  });
});
