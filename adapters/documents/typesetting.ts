import { type Run, splitByFont, type Weight } from './fonts.ts';
import { reorderLine } from './text-direction.ts';

export interface Style {
  /** Font size in points. */
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
}

/** A text that is broken into lines. */
export interface SetText {
  readonly height: number;
  draw(x: number, y: number): void;
}

/** Distance between baselines, as a factor of the font size. */
const LEADING = 1.28;

/** Height of a line above its baseline, as a factor of the font size. */
const ASCENT = 1.0;

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** Sets text on the pages of one document. */
export class Typesetter {
  readonly #page: PDFKit.PDFDocument;
  /** Width of each word at a font size of 1 point. Widths are proportional to the size. */
  readonly #widths: Readonly<Record<Weight, Map<string, number>>> = {
    regular: new Map(),
    bold: new Map(),
  };

  constructor(page: PDFKit.PDFDocument) {
    this.#page = page;
  }

  set(text: string, width: number, style: Style): SetText {
    const lines = this.#breakLines(text, width, style);
    const leading = style.size * LEADING;
    return {
      height: lines.length * leading,
      draw: (x, y) => {
        for (const [index, line] of lines.entries())
          this.#drawLine(line, x, y + index * leading, style);
      },
    };
  }

  width(text: string, style: Style): number {
    const space = this.#widthOf(' ', style);
    return text.split(' ').reduce((sum, word) => sum + space + this.#widthOf(word, style), -space);
  }

  #widthOf(word: string, { size, weight = 'regular' }: Style): number {
    const known = this.#widths[weight].get(word);
    if (known !== undefined) return known * size;
    const measured = splitByFont(word, weight).reduce(
      (sum, run) => sum + this.#selectFont(run, 1).widthOfString(run.text),
      0,
    );
    this.#widths[weight].set(word, measured);
    return measured * size;
  }

  /** Fills lines with words. Breaks only words that are longer than a line. */
  #breakLines(text: string, width: number, style: Style): readonly string[] {
    const space = this.#widthOf(' ', style);
    const lines: string[] = [];
    let taken = 0;
    for (const word of text.split(/\s+/).flatMap((each) => this.#breakWord(each, width, style))) {
      const wordWidth = this.#widthOf(word, style);
      const isFirst = lines.length === 0 || taken + space + wordWidth > width;
      if (isFirst) lines.push(word);
      else lines[lines.length - 1] = `${lines.at(-1)} ${word}`;
      taken = isFirst ? wordWidth : taken + space + wordWidth;
    }
    return lines;
  }

  /** Measures a long word by character, so that the time is proportional to its length. */
  #breakWord(word: string, width: number, style: Style): readonly string[] {
    if (word.length <= MAX_WORD_UNITS && this.#widthOf(word, style) <= width) return [word];
    const parts: string[] = [''];
    let taken = 0;
    for (const { segment } of characters.segment(word)) {
      const segmentWidth = this.#widthOf(segment, style);
      const last = parts.at(-1) ?? '';
      const isFull = last !== '' && (taken + segmentWidth > width || last.length >= MAX_WORD_UNITS);
      if (isFull) parts.push('');
      parts[parts.length - 1] += segment;
      taken = isFull ? segmentWidth : taken + segmentWidth;
    }
    return parts;
  }

  #drawLine(
    line: string,
    x: number,
    y: number,
    { size, weight = 'regular', color = INK }: Style,
  ): void {
    let left = x;
    for (const run of splitByFont(reorderLine(line), weight)) {
      const page = this.#selectFont(run, size).fillColor(color);
      page.text(run.text, left, y + size * ASCENT, { lineBreak: false, baseline: 'alphabetic' });
      left += page.widthOfString(run.text);
    }
  }

  /** PDFKit embeds each font once per document. It recognizes a font by the name given here. */
  #selectFont({ font }: Run, size: number): PDFKit.PDFDocument {
    return this.#page.font(font as never, font.postscriptName).fontSize(size);
  }
}

/** Words with more UTF-16 units are never laid out as a whole. */
const MAX_WORD_UNITS = 120;

export const INK = '#1c2430';
export const SOFT = '#55606f';
export const RULE = '#cfd6de';
export const ACCENT = '#0b5cad';
