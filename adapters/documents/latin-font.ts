import type { Font, Glyph, GlyphRun } from 'fontkit';
import { embedFont } from './embed-font.ts';
import { getTextFont, type Weight } from './fonts.ts';

/** Printable characters of Latin-1, usual punctuation, and letters that the font joins. */
const TEXTS = [
  ...Array.from({ length: 0x100 - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)),
  ...'–—‘’‚‛“”„•…',
  ...['ff', 'fi', 'fl', 'ffi', 'ffl'],
].filter((text) => !/\p{C}/u.test(text));

const MAX_CACHED_WORDS = 5_000;
const MAX_CACHED_PAIRS = 50_000;

/** A text in the codes of the subset. */
interface Encoded {
  /** Goes between `[(` and `)] TJ` in a PDF. */
  readonly operand: string;
  /** Width at a font size of 1 point. */
  readonly width: number;
}

interface EncodedWord extends Encoded {
  /** The word with the space after it. */
  readonly spaced: Encoded;
}

/** A glyph of the subset, in units of the font. */
interface PlacedGlyph {
  readonly code: string;
  readonly width: number;
  /** Distance to the next glyph. It differs from the width by the kerning. */
  readonly advance: number;
}

/** Writes the two bytes of a code for a string in parentheses (ISO 32000-1, 7.3.4.2). */
const writeCode = (code: number): string =>
  String.fromCharCode(code >> 8, code & 0xff)
    .replace(/[()\\]/g, '\\$&')
    .replace('\r', '\\r');

/**
 * A subset of a text font that has all glyphs of nearly all certificates. It is made once, and its
 * encoded words are kept between documents. It does not depend on the documents made before, so
 * that a certificate is the same file in every process.
 */
export class LatinFont {
  readonly #font: Font;
  /** The code of each glyph of the subset, by its number in the whole font. */
  readonly #codes = new Map<number, string>();
  readonly #words = new Map<string, EncodedWord | 'beyond'>();
  readonly #pairs = new Map<string, PlacedGlyph | 'joined'>();
  /** Writes the subset to a document, and returns the reference for the fonts of its pages. */
  readonly embed: (pdf: PDFKit.PDFDocument) => PDFKit.PDFKitReference;

  constructor(weight: Weight) {
    this.#font = getTextFont(weight);
    const subset = this.#font.createSubset();
    const glyphs: Glyph[] = [this.#font.getGlyph(0)];
    for (const glyph of TEXTS.flatMap((text) => this.#font.layout(text).glyphs)) {
      if (this.#codes.has(glyph.id)) continue;
      subset.includeGlyph(glyph);
      this.#codes.set(glyph.id, writeCode(glyphs.length));
      glyphs.push(glyph);
    }
    this.embed = embedFont(this.#font, glyphs, subset.encode());
  }

  /** @returns undefined if the subset does not have all glyphs of the text */
  encode(text: string): Encoded | undefined {
    const words = text.split(' ');
    let operand = '';
    let width = 0;
    for (const [index, each] of words.entries()) {
      const word = this.#encodeWord(each);
      if (word === 'beyond') return undefined;
      const encoded = index < words.length - 1 ? word.spaced : word;
      operand += encoded.operand;
      width += encoded.width;
    }
    return { operand, width };
  }

  /** @returns the width at a font size of 1 point; undefined as for `encode` */
  widthOf(word: string): number | undefined {
    const encoded = this.#encodeWord(word);
    return encoded === 'beyond' ? undefined : encoded.width;
  }

  #encodeWord(word: string): EncodedWord | 'beyond' {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const glyphs = this.#placeInPairs(`${word} `) ?? this.#place(this.#font.layout(`${word} `));
    const encoded: EncodedWord | 'beyond' =
      glyphs === undefined
        ? 'beyond'
        : { ...this.#encodeGlyphs(glyphs.slice(0, -1)), spaced: this.#encodeGlyphs(glyphs) };
    if (this.#words.size >= MAX_CACHED_WORDS) this.#words.clear();
    this.#words.set(word, encoded);
    return encoded;
  }

  /**
   * Lays out a text from pairs of letters, which is faster. Only the next letter affects the
   * distance to it in this font, except where letters are joined.
   *
   * @returns undefined if letters are joined, or not in the subset
   */
  #placeInPairs(text: string): readonly PlacedGlyph[] | undefined {
    const glyphs: PlacedGlyph[] = [];
    for (let index = 0; index < text.length; index += 1) {
      const glyph = this.#placeFirst(text.slice(index, index + 2));
      if (glyph === 'joined') return undefined;
      glyphs.push(glyph);
    }
    return glyphs;
  }

  #placeFirst(pair: string): PlacedGlyph | 'joined' {
    const known = this.#pairs.get(pair);
    if (known !== undefined) return known;
    const glyphs = this.#place(this.#font.layout(pair));
    const first = (glyphs?.length === pair.length && glyphs[0]) || 'joined';
    if (this.#pairs.size >= MAX_CACHED_PAIRS) this.#pairs.clear();
    this.#pairs.set(pair, first);
    return first;
  }

  /** @returns undefined for glyphs beyond the subset, and for marks above or below others */
  #place({ glyphs, positions }: GlyphRun): readonly PlacedGlyph[] | undefined {
    const placed: PlacedGlyph[] = [];
    for (const [index, { id, advanceWidth: width }] of glyphs.entries()) {
      const code = this.#codes.get(id);
      const { xAdvance = 0, xOffset, yOffset } = positions[index] ?? {};
      if (code === undefined || xOffset !== 0 || yOffset !== 0) return undefined;
      placed.push({ code, width, advance: xAdvance });
    }
    return placed;
  }

  /** Kerning counts between glyphs, not after the last one. */
  #encodeGlyphs(glyphs: readonly PlacedGlyph[]): Encoded {
    const { unitsPerEm } = this.#font;
    let operand = '';
    let units = 0;
    for (const [index, { code, width, advance }] of glyphs.entries()) {
      const kerning = index < glyphs.length - 1 ? advance - width : 0;
      operand += kerning === 0 ? code : `${code}) ${(-kerning * 1000) / unitsPerEm} (`;
      units += width + kerning;
    }
    return { operand, width: units / unitsPerEm };
  }
}

/** Made on first use of this module, on the thread that renders documents. */
export const LATIN_FONTS: Readonly<Record<Weight, LatinFont>> = {
  regular: new LatinFont('regular'),
  bold: new LatinFont('bold'),
};
