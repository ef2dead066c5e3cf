import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Chapter,
  chaptersOf,
  codesIn,
  countParts,
  englishLinesIn,
  figuresIn,
  type Place,
  placesIn,
  tablesIn,
} from '../../support/guide-chapters.ts';
import { type Block, findReadmes, readReadme } from '../../support/readme.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** The folders of the guides that are written in both languages. */
const FOLDERS = ['', 'books/', 'events/', 'oauth/'].map((folder) => `adapters/http/${folder}`);

const ENGLISH = 'README.md';
const PORTUGUESE = 'README.pt-BR.md';

/** The link to the other language stands in one of so many lines. */
const TOP_LINES = 6;

const isTranslated = (path: string): boolean => FOLDERS.includes(path.replace(ENGLISH, ''));

const translated = (path: string): string =>
  isTranslated(path) ? path.replace(ENGLISH, PORTUGUESE) : path;

/** The anchor that stands at the same place in the Portuguese guide. */
const translatedAnchor = (path: string, anchor: string): string | undefined => {
  const index = chaptersOf(readReadme(path)).findIndex((each) => each.anchor === anchor);
  return chaptersOf(readReadme(translated(path)))[index]?.anchor;
};

const show = ({ path, anchor }: Place): string =>
  anchor === undefined ? path : `${path}#${anchor}`;

/** Where the Portuguese guide must lead when the English one leads there. */
const inPortuguese = ({ path, anchor }: Place): Place => ({
  path: translated(path),
  anchor: anchor !== undefined && isTranslated(path) ? translatedAnchor(path, anchor) : anchor,
});

/** A block as both languages have it. The labels of a diagram are for people. */
const withoutLabels = ({ language, text }: Block): string =>
  `${language}\n${language === 'mermaid' ? text.replaceAll(/: .*$/gm, '') : text}`;

const exists = ({ path, anchor }: Place): boolean =>
  existsSync(join(ROOT, path)) &&
  (anchor === undefined ||
    chaptersOf(readReadme(path)).some((chapter) => chapter.anchor === anchor));

for (const folder of FOLDERS) {
  describe(`the guide ${folder} in Portuguese`, () => {
    const english = `${folder}${ENGLISH}`;
    const portuguese = `${folder}${PORTUGUESE}`;

    /** Compares something in each chapter; a failure names the English chapter. */
    const expectSame = (
      inEnglish: (chapter: Chapter) => unknown,
      inTranslation: (chapter: Chapter) => unknown = inEnglish,
    ): void => {
      const chapters = chaptersOf(readReadme(english));
      const others = chaptersOf(readReadme(portuguese));
      expect(chapters).to.have.length.above(5);
      for (const [index, chapter] of chapters.entries()) {
        const other = others[index];
        if (other === undefined) throw new Error(`${chapter.heading} is missing`);
        expect(inTranslation(other), chapter.heading).to.deep.equal(inEnglish(chapter));
      }
    };

    it('links the English guide at its top, and the English one links it', () => {
      const topOf = (path: string): string =>
        readReadme(path).text.split('\n').slice(0, TOP_LINES).join('\n');
      expect(topOf(english)).to.include(`](${PORTUGUESE})`);
      expect(topOf(portuguese)).to.include(`](${ENGLISH})`);
    });

    it('has the same chapters', () => {
      const levelsOf = (path: string): readonly number[] =>
        chaptersOf(readReadme(path)).map(({ level }) => level);
      expect(levelsOf(portuguese)).to.deep.equal(levelsOf(english));
    });

    it('shows the same code', () => {
      const codeOf = (path: string): readonly string[] =>
        readReadme(path).blocks.map(withoutLabels);
      expect(codeOf(portuguese)).to.deep.equal(codeOf(english));
      expect(codeOf(english)).to.have.length.above(5);
    });

    it('has the same tables, with the same names in the first column', () => {
      expectSame(({ prose }) => tablesIn(prose));
    });

    it('has as many paragraphs, and as many items in its lists', () => {
      expectSame(({ prose }) => countParts(prose));
    });

    it('names the same fields, codes and headers in each chapter', () => {
      expectSame(({ prose }) => codesIn(prose));
    });

    it('has the same figures in each chapter', () => {
      expectSame(({ prose }) => figuresIn(prose));
    });

    it('leads to the same places, in Portuguese where there is a translation', () => {
      const isOtherLanguage = ({ path }: Place): boolean => [english, portuguese].includes(path);
      const leadsTo = (path: string, prose: string, change = (place: Place): Place => place) =>
        placesIn(path, prose)
          .filter((place) => place.anchor !== undefined || !isOtherLanguage(place))
          .map((place) => show(change(place)))
          .sort();
      expectSame(
        ({ prose }) => leadsTo(english, prose, inPortuguese),
        ({ prose }) => leadsTo(portuguese, prose),
      );
    });

    it('links to files and headings that exist', () => {
      const places = placesIn(portuguese, readReadme(portuguese).text);
      expect(places.filter((place) => !exists(place)).map(show)).to.deep.equal([]);
    });

    it('has no line in English', () => {
      const englishLines = (path: string): readonly string[] =>
        chaptersOf(readReadme(path)).flatMap(({ prose }) => englishLinesIn(prose));
      expect(englishLines(english)).to.have.length.above(30);
      expect(englishLines(portuguese)).to.deep.equal([]);
    });
  });
}

describe('the guides in Portuguese', () => {
  it('are not run a second time: the English ones have the same commands', () => {
    expect(findReadmes().filter(({ path }) => path.includes('pt-BR'))).to.deep.equal([]);
  });
});
