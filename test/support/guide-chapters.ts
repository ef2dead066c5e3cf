import { dirname, join } from 'node:path';
import { slug } from 'github-slugger';
import { linksOf, type Readme } from './readme.ts';

/** A heading of a guide with the text up to the next heading, without the fenced blocks. */
export interface Chapter {
  /** Such as `## Errors`. */
  readonly heading: string;
  /** 1 for the title of the guide. */
  readonly level: number;
  /** As GitHub makes it from the heading. */
  readonly anchor: string;
  readonly prose: string;
}

/** The chapters of a guide, in order. The title is the first. */
export const chaptersOf = ({ text }: Pick<Readme, 'text'>): readonly Chapter[] =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/^(?=#+ )/m)
    .map((part) => {
      const [heading = ''] = part.split('\n');
      return {
        heading,
        level: heading.indexOf(' '),
        anchor: slug(heading.replace(/^#+ /, '')),
        prose: part.slice(heading.length),
      };
    });

const unique = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

/** The names in inline code, each once, sorted. A line break inside a name is a space. */
export const codesIn = (prose: string): readonly string[] =>
  unique(prose.match(/`[^`]+`/g)?.map((code) => code.replaceAll(/\s+/g, ' ')) ?? []);

/**
 * The numbers outside inline code and links' targets, each once, sorted, without separators:
 * 1,500.5 in English and 1.500,5 in Portuguese are both 15005.
 */
export const figuresIn = (prose: string): readonly string[] =>
  unique(
    prose
      .replaceAll(/`[^`]+`/g, '')
      .replaceAll(/\]\([^)]*\)/g, '')
      .match(/\d+(?:[.,]\d+)*/g)
      ?.map((figure) => figure.replaceAll(/[.,]/g, '')) ?? [],
  );

/** How many paragraphs, tables and lists there are, and how many items the lists have. */
export const countParts = (prose: string): { readonly parts: number; readonly items: number } => ({
  parts: prose.split(/\n\s*\n/).filter((part) => part.trim() !== '').length,
  items: prose.match(/^ *(?:[-*]|\d+\.) /gm)?.length ?? 0,
});

/** The tables: for each row the number of cells, and the names in code in the first cell. */
export const tablesIn = (prose: string): readonly (readonly string[])[] =>
  [...prose.matchAll(/(?:^\|.*\n?)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .map((row) => {
        const cells = row.split(/(?<!\\)\|/).slice(1, -1);
        return `${cells.length} cells: ${(cells[0]?.match(/`[^`]+`/g) ?? []).join(' ')}`;
      }),
  );

const ENGLISH_WORDS =
  /\b(?:the|an|of|and|is|are|was|has|have|not|with|that|this|from|for|you|your)\b/gi;

/** Lines with two or more words that only English has, code and links' targets apart. */
export const englishLinesIn = (prose: string): readonly string[] =>
  prose
    .split('\n')
    .filter(
      (line) =>
        unique(line.replaceAll(/`[^`]+`|\]\([^)]*\)/g, '').match(ENGLISH_WORDS) ?? []).length >= 2,
    );

/** A link inside a repository, as a path from its root and perhaps an anchor. */
export interface Place {
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Where the links of some text of a README lead. */
export const placesIn = (path: string, prose: string): readonly Place[] =>
  linksOf({ path, text: prose, blocks: [] })
    // An address of the service, such as that of the reference.
    .filter((link) => !link.startsWith('/'))
    .map((link) => {
      const [file = '', anchor] = link.split('#');
      return { path: file === '' ? path : join(dirname(path), file), anchor };
    });
