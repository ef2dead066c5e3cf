import { splitByFont, type Weight } from './fonts.ts';
import { LATIN_FONTS } from './latin-font.ts';
import { reorderLine } from './text-direction.ts';

export interface Style {
  /** Font size in points. */
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
}

/** A word, and its width at a font size of 1 point. Widths are proportional to the size. */
interface Word {
  readonly text: string;
  readonly width: number;
}

const MAX_MEASURED_TEXTS = 1_000;

/** Words of texts, kept between documents: certificates of a product share most texts. */
const MEASURED: Readonly<Record<Weight, Map<string, readonly Word[]>>> = {
  regular: new Map(),
  bold: new Map(),
};

/** Words with more UTF-16 units are never laid out as a whole. */
const MAX_WORD_UNITS = 120;

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

const widthOf = (word: string, weight: Weight): number =>
  LATIN_FONTS[weight].widthOf(word) ??
  splitByFont(reorderLine(word), weight).reduce(
    (sum, { font, text }) => sum + font.layout(text).advanceWidth / font.unitsPerEm,
    0,
  );

const measure = (text: string, weight: Weight): readonly Word[] => {
  const known = MEASURED[weight].get(text);
  if (known !== undefined) return known;
  const words = text.split(/\s+/).map((word) => ({
    text: word,
    width: word.length > MAX_WORD_UNITS ? Number.POSITIVE_INFINITY : widthOf(word, weight),
  }));
  if (MEASURED[weight].size >= MAX_MEASURED_TEXTS) MEASURED[weight].clear();
  MEASURED[weight].set(text, words);
  return words;
};

/** Width of a text on one line, in points. */
export const widthOfText = (text: string, { size, weight = 'regular' }: Style): number => {
  const space = widthOf(' ', weight);
  const words = measure(text, weight);
  return words.reduce((sum, { width }) => sum + space + width, -space) * size;
};

/** Breaks a word that is longer than a line. */
const breakWord = (word: string, limit: number, weight: Weight): readonly Word[] => {
  const parts: Word[] = [];
  for (const { segment } of characters.segment(word)) {
    const width = widthOf(segment, weight);
    const last = parts.at(-1);
    if (last && last.width + width <= limit && last.text.length < MAX_WORD_UNITS)
      parts[parts.length - 1] = { text: last.text + segment, width: last.width + width };
    else parts.push({ text: segment, width });
  }
  return parts;
};

/** Fills lines with words. `width` is in points. */
export const breakLines = (text: string, width: number, style: Style): readonly string[] => {
  const { size, weight = 'regular' } = style;
  const limit = width / size;
  const space = widthOf(' ', weight);
  const lines: string[] = [];
  let taken = 0;
  for (const word of measure(text, weight)) {
    for (const part of word.width <= limit ? [word] : breakWord(word.text, limit, weight)) {
      const isFirst = lines.length === 0 || taken + space + part.width > limit;
      if (isFirst) lines.push(part.text);
      else lines[lines.length - 1] += ` ${part.text}`;
      taken = isFirst ? part.width : taken + space + part.width;
    }
  }
  return lines;
};
