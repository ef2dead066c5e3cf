import { deflateSync } from 'node:zlib';
import type { Font, Glyph } from 'fontkit';

/** Serif, italic and so on are absent; the flag says that the font has its own encoding. */
const SYMBOLIC = 4;

const toHex = (unit: number): string => unit.toString(16).padStart(4, '0');

/** Maps the codes of glyphs to their characters, so that a reader can copy and search texts. */
const createUnicodeMap = (glyphs: readonly Glyph[]): string => {
  const texts = glyphs.map(({ codePoints }) => {
    const text = String.fromCodePoint(...codePoints);
    return `<${Array.from(text, (unit) => toHex(unit.charCodeAt(0))).join('')}>`;
  });
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
1 beginbfrange
<0000> <${toHex(texts.length - 1)}> [${texts.join(' ')}]
endbfrange
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
};

/**
 * Compresses a subset once. PDFKit would make and compress a subset for each document.
 *
 * @param glyphs the glyphs of the subset; the place of a glyph is its code
 * @returns a function that writes the subset to a document
 */
export const embedFont = (
  font: Font,
  glyphs: readonly Glyph[],
  subset: Uint8Array,
): ((pdf: PDFKit.PDFDocument) => PDFKit.PDFKitReference) => {
  const scale = 1000 / font.unitsPerEm;
  const name = `LATINX+${font.postscriptName}`;
  const { minX, minY, maxX, maxY } = font.bbox;
  const descriptor = {
    Type: 'FontDescriptor',
    FontName: name,
    Flags: SYMBOLIC,
    FontBBox: [minX, minY, maxX, maxY].map((value) => value * scale),
    ItalicAngle: font.italicAngle,
    Ascent: font.ascent * scale,
    Descent: font.descent * scale,
    CapHeight: font.capHeight * scale,
    XHeight: font.xHeight * scale,
    StemV: 0,
  };
  const descendant = {
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: {
      Registry: new String('Adobe'),
      Ordering: new String('Identity'),
      Supplement: 0,
    },
    CIDToGIDMap: 'Identity',
    W: [0, glyphs.map(({ advanceWidth }) => advanceWidth * scale)],
  };
  const file = deflateSync(subset, { level: 9 });
  const unicode = deflateSync(createUnicodeMap(glyphs), { level: 9 });

  return function embed(pdf) {
    const add = (data: object, content?: Uint8Array): PDFKit.PDFKitReference => {
      const reference = pdf.ref(data);
      reference.end(content);
      return reference;
    };
    const FontFile2 = add({ Filter: 'FlateDecode', Length1: subset.length }, file);
    const FontDescriptor = add({ ...descriptor, FontFile2 });
    return add({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [add({ ...descendant, FontDescriptor })],
      ToUnicode: add({ Filter: 'FlateDecode' }, unicode),
    });
  };
};
