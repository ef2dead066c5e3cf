import { getTextFont, type Run, splitByFont, type Weight } from './fonts.ts';
import { LATIN_FONTS } from './latin-font.ts';
import { breakLines, type Style } from './line-breaking.ts';
import { reorderLine } from './text-direction.ts';

/** A text that is broken into lines. */
export interface SetText {
  readonly height: number;
  draw(x: number, y: number): void;
}

/** Distance between baselines, as a factor of the font size. */
const LEADING = 1.28;

/** Height of a line above its baseline, as a factor of the font size. */
const ASCENT = 1.0;

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
    const lines = breakLines(text, width, style);
    const leading = style.size * LEADING;
    return {
      height: lines.length * leading,
      draw: (x, y) => {
        for (const [index, line] of lines.entries())
          this.#drawLine(line, x, y + index * leading + style.size * ASCENT, style);
      },
    };
  }

  #drawLine(line: string, x: number, baseline: number, style: Style): void {
    const { weight = 'regular' } = style;
    let left = x;
    // The space parts the line from the next one, for those who hear or copy the text.
    for (const run of splitByFont(`${reorderLine(line)} `, weight)) {
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
