import { getTextFont, type Run, splitByFont, type Weight } from './fonts.ts';
import { LATIN_FONTS } from './latin-font.ts';
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

/** Distance between baselines, as a factor of the font size. */
const LEADING = 1.28;

/** Height of a line above its baseline, as a factor of the font size. */
const ASCENT = 1.0;

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** Rounds to more digits than a screen or a printer shows. */
const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Operands of the color operator `rg`, for a color such as `#1c2430`. */
const toRgb = (color: string): string =>
  [1, 3, 5].map((at) => round(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ');

/** Sets text on the pages of one document. */
export class Typesetter {
  readonly #page: PDFKit.PDFDocument;
  /** The Latin fonts that the document uses. */
  readonly #embedded = new Map<Weight, PDFKit.PDFKitReference>();

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
          this.#drawLine(line, x, y + index * leading + style.size * ASCENT, style);
      },
    };
  }

  width(text: string, { size, weight = 'regular' }: Style): number {
    const space = this.#widthOf(' ', weight);
    const words = this.#measure(text, weight);
    return words.reduce((sum, { width }) => sum + space + width, -space) * size;
  }

  /** Widths are at a font size of 1 point, because they are proportional to the size. */
  #measure(text: string, weight: Weight): readonly Word[] {
    const known = MEASURED[weight].get(text);
    if (known !== undefined) return known;
    const words = text
      .split(/\s+/)
      .map((word) => ({ text: word, width: this.#widthOf(word, weight) }));
    if (MEASURED[weight].size >= MAX_MEASURED_TEXTS) MEASURED[weight].clear();
    MEASURED[weight].set(text, words);
    return words;
  }

  /** Words that are too long to be laid out as a whole count as endless. */
  #widthOf(word: string, weight: Weight): number {
    if (word.length > MAX_WORD_UNITS) return Number.POSITIVE_INFINITY;
    return (
      LATIN_FONTS[weight].widthOf(word) ??
      splitByFont(word, weight).reduce(
        (sum, run) => sum + this.#selectFont(run, 1).widthOfString(run.text),
        0,
      )
    );
  }

  /** Fills lines with words. Breaks only words that are longer than a line. */
  #breakLines(text: string, width: number, { size, weight = 'regular' }: Style): readonly string[] {
    const space = this.#widthOf(' ', weight);
    const limit = width / size;
    const lines: string[] = [];
    let taken = 0;
    for (const word of this.#measure(text, weight)) {
      for (const part of word.width <= limit ? [word] : this.#breakWord(word.text, limit, weight)) {
        const isFirst = lines.length === 0 || taken + space + part.width > limit;
        if (isFirst) lines.push(part.text);
        else lines[lines.length - 1] += ` ${part.text}`;
        taken = isFirst ? part.width : taken + space + part.width;
      }
    }
    return lines;
  }

  /** Measures a long word by character, so that the time is proportional to its length. */
  #breakWord(word: string, limit: number, weight: Weight): readonly Word[] {
    const parts: { text: string; width: number }[] = [];
    for (const { segment } of characters.segment(word)) {
      const width = this.#widthOf(segment, weight);
      const last = parts.at(-1);
      if (last === undefined || last.width + width > limit || last.text.length >= MAX_WORD_UNITS)
        parts.push({ text: segment, width });
      else {
        last.text += segment;
        last.width += width;
      }
    }
    return parts;
  }

  #drawLine(line: string, x: number, baseline: number, style: Style): void {
    const { weight = 'regular' } = style;
    let left = x;
    for (const run of splitByFont(reorderLine(line), weight)) {
      left +=
        (run.font === getTextFont(weight) && this.#drawLatin(run.text, left, baseline, style)) ||
        this.#drawOther(run, left, baseline, style);
    }
  }

  /** @returns the width of the text, or 0 if the Latin font does not have all its glyphs */
  #drawLatin(text: string, x: number, baseline: number, style: Style): number {
    const { size, weight = 'regular', color = INK } = style;
    const encoded = LATIN_FONTS[weight].encode(text);
    if (encoded === undefined) return 0;
    this.#page.page.fonts[weight] ??= this.#embed(weight);
    // The text is mirrored, because PDFKit counts y from the top of the page.
    this.#page.addContent(
      `BT ${toRgb(color)} rg /${weight} ${round(size)} Tf 1 0 0 -1 ${round(x)} ${round(baseline)} Tm[(${encoded.operand})]TJ ET`,
    );
    return encoded.width * size;
  }

  #embed(weight: Weight): PDFKit.PDFKitReference {
    const font = this.#embedded.get(weight) ?? LATIN_FONTS[weight].embed(this.#page);
    this.#embedded.set(weight, font);
    return font;
  }

  #drawOther(run: Run, x: number, baseline: number, { size, color = INK }: Style): number {
    const page = this.#selectFont(run, size).fillColor(color);
    page.text(run.text, x, baseline, { lineBreak: false, baseline: 'alphabetic' });
    return page.widthOfString(run.text);
  }

  /** PDFKit embeds each font once per document. It recognizes a font by the name given here. */
  #selectFont({ font }: Run, size: number): PDFKit.PDFDocument {
    return this.#page.font(font as never, font.postscriptName).fontSize(size);
  }
}

export const INK = '#1c2430';
export const SOFT = '#55606f';
export const RULE = '#cfd6de';
export const ACCENT = '#0b5cad';
