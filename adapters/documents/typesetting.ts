import { type Run, runsOf, type Weight } from './fonts.ts';

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

interface Piece extends Run {
  readonly width: number;
}

type Line = readonly Piece[];

const widthOf = (pieces: Line): number => pieces.reduce((sum, { width }) => sum + width, 0);

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** Sets text on the pages of one document. */
export class Typesetter {
  readonly #page: PDFKit.PDFDocument;

  constructor(page: PDFKit.PDFDocument) {
    this.#page = page;
  }

  set(text: string, width: number, style: Style): SetText {
    const lines = this.#broken(text, width, style);
    const leading = style.size * LEADING;
    return {
      height: lines.length * leading,
      draw: (x, y) => {
        for (const [index, line] of lines.entries()) this.#drawLine(line, x, y + index * leading, style);
      },
    };
  }

  width(text: string, style: Style): number {
    return widthOf(this.#measured(text, style));
  }

  #measured(text: string, { size, weight = 'regular' }: Style): Line {
    return runsOf(text, weight).map((run) => {
      return { ...run, width: this.#in(run, size).widthOfString(run.text) };
    });
  }

  /** Words fill lines; one that is longer than a line is broken where it must be. */
  #broken(text: string, width: number, style: Style): readonly Line[] {
    const space = this.width(' ', style);
    const lines: string[] = [];
    let taken = 0;
    for (const word of text.split(/\s+/).flatMap((each) => this.#fitting(each, width, style))) {
      const its = this.width(word, style);
      const isFirst = lines.length === 0 || taken + space + its > width;
      if (isFirst) lines.push(word);
      else lines[lines.length - 1] = `${lines.at(-1)} ${word}`;
      taken = isFirst ? its : taken + space + its;
    }
    return lines.map((line) => this.#measured(line, style));
  }

  #fitting(word: string, width: number, style: Style): readonly string[] {
    if (this.width(word, style) <= width) return [word];
    const parts = [''];
    for (const { segment } of characters.segment(word)) {
      const longer = `${parts.at(-1)}${segment}`;
      if (parts.at(-1) !== '' && this.width(longer, style) > width) parts.push(segment);
      else parts[parts.length - 1] = longer;
    }
    return parts;
  }

  #drawLine(line: Line, x: number, y: number, { size, color = INK }: Style): void {
    let at = x;
    for (const { width, ...run } of line) {
      this.#in(run, size)
        .fillColor(color)
        .text(run.text, at, y + size * ASCENT, { lineBreak: false, baseline: 'alphabetic' });
      at += width;
    }
  }

  /** By its name the document knows a font again, and what has been laid out in it. */
  #in({ font }: Run, size: number): PDFKit.PDFDocument {
    return this.#page.font(font as never, font.postscriptName).fontSize(size);
  }
}

export const INK = '#1c2430';
export const SOFT = '#55606f';
export const RULE = '#cfd6de';
export const ACCENT = '#0b5cad';
