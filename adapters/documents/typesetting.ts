import { type Run, runsOf, type Weight } from './fonts.ts';
import { asSeen } from './text-direction.ts';

export interface Style {
  /** In points. */
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
}

/** A text broken into lines of a width. */
export interface SetText {
  readonly height: number;
  draw(x: number, y: number): void;
}

/** From one baseline to the next, in parts of the size. */
const LEADING = 1.28;

/** Of a line, what lies above the baseline. */
const ASCENT = 1.0;

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** Sets text on the pages of one document. */
export class Typesetter {
  readonly #page: PDFKit.PDFDocument;
  /** How wide words are in the size of one point, by weight: widths grow with the size. */
  readonly #widths: Readonly<Record<Weight, Map<string, number>>> = {
    regular: new Map(),
    bold: new Map(),
  };

  constructor(page: PDFKit.PDFDocument) {
    this.#page = page;
  }

  set(text: string, width: number, style: Style): SetText {
    const lines = this.#broken(text, width, style);
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
    const measured = runsOf(word, weight).reduce(
      (sum, run) => sum + this.#in(run, 1).widthOfString(run.text),
      0,
    );
    this.#widths[weight].set(word, measured);
    return measured * size;
  }

  /** Words fill lines; one that is longer than a line is broken where it must be. */
  #broken(text: string, width: number, style: Style): readonly string[] {
    const space = this.#widthOf(' ', style);
    const lines: string[] = [];
    let taken = 0;
    for (const word of text.split(/\s+/).flatMap((each) => this.#fitting(each, width, style))) {
      const its = this.#widthOf(word, style);
      const isFirst = lines.length === 0 || taken + space + its > width;
      if (isFirst) lines.push(word);
      else lines[lines.length - 1] = `${lines.at(-1)} ${word}`;
      taken = isFirst ? its : taken + space + its;
    }
    return lines;
  }

  /** Measured character by character, once each: so that no word, however long, takes more than its length. */
  #fitting(word: string, width: number, style: Style): readonly string[] {
    if (word.length <= SHORT && this.#widthOf(word, style) <= width) return [word];
    const parts: string[] = [''];
    let taken = 0;
    for (const { segment } of characters.segment(word)) {
      const its = this.#widthOf(segment, style);
      const isFull =
        parts.at(-1) !== '' && (taken + its > width || (parts.at(-1)?.length ?? 0) >= SHORT);
      if (isFull) parts.push('');
      parts[parts.length - 1] += segment;
      taken = isFull ? its : taken + its;
    }
    return parts;
  }

  #drawLine(
    line: string,
    x: number,
    y: number,
    { size, weight = 'regular', color = INK }: Style,
  ): void {
    let at = x;
    for (const run of runsOf(asSeen(line), weight)) {
      const page = this.#in(run, size).fillColor(color);
      page.text(run.text, at, y + size * ASCENT, { lineBreak: false, baseline: 'alphabetic' });
      at += page.widthOfString(run.text);
    }
  }

  /** By its name the document knows a font again, and what has been laid out in it. */
  #in({ font }: Run, size: number): PDFKit.PDFDocument {
    return this.#page.font(font as never, font.postscriptName).fontSize(size);
  }
}

/** No longer word is laid out whole. */
const SHORT = 120;

export const INK = '#1c2430';
export const SOFT = '#55606f';
export const RULE = '#cfd6de';
export const ACCENT = '#0b5cad';
