import { existsSync, readdirSync } from 'node:fs';
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
import { type Block, readReadme } from '../../support/readme.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

const ENGLISH = 'adapters/site/guide/en/';
const PORTUGUESE = 'adapters/site/guide/pt-BR/';

const PAGES = readdirSync(join(ROOT, ENGLISH));

const translated = (path: string): string => path.replace(ENGLISH, PORTUGUESE);

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
  anchor: anchor === undefined ? anchor : translatedAnchor(path, anchor),
});

/** A block as both languages have it. The labels of a diagram are for people. */
const withoutLabels = ({ language, text }: Block): string =>
  `${language}\n${language === 'mermaid' ? text.replaceAll(/: .*$/gm, '') : text}`;

const exists = ({ path, anchor }: Place): boolean =>
  existsSync(join(ROOT, path)) &&
  (anchor === undefined ||
    chaptersOf(readReadme(path)).some((chapter) => chapter.anchor === anchor));

it('the guide has the same pages in both languages', () => {
  expect(readdirSync(join(ROOT, PORTUGUESE))).to.deep.equal(PAGES);
});

for (const page of PAGES) {
  describe(`the page ${page} in Portuguese`, () => {
    const english = `${ENGLISH}${page}`;
    const portuguese = `${PORTUGUESE}${page}`;

    /** Compares something in each chapter; a failure names the English chapter. */
    const expectSame = (
      inEnglish: (chapter: Chapter) => unknown,
      inTranslation: (chapter: Chapter) => unknown = inEnglish,
    ): void => {
      const chapters = chaptersOf(readReadme(english));
      const others = chaptersOf(readReadme(portuguese));
      for (const [index, chapter] of chapters.entries()) {
        const other = others[index];
        if (other === undefined) throw new Error(`${chapter.heading} is missing`);
        expect(inTranslation(other), chapter.heading).to.deep.equal(inEnglish(chapter));
      }
    };

    it('has the same chapters', () => {
      const levelsOf = (path: string): readonly number[] =>
        chaptersOf(readReadme(path)).map(({ level }) => level);
      expect(levelsOf(portuguese)).to.deep.equal(levelsOf(english));
    });

    it('shows the same code', () => {
      const codeOf = (path: string): readonly string[] =>
        readReadme(path).blocks.map(withoutLabels);
      expect(codeOf(portuguese)).to.deep.equal(codeOf(english));
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
      const leadsTo = (path: string, prose: string, change = (place: Place): Place => place) =>
        placesIn(path, prose)
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
      expect(englishLines(portuguese)).to.deep.equal([]);
    });
  });
}
