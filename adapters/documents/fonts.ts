import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';

export type Weight = 'regular' | 'bold';

/** A piece of text in one font. */
export interface Run {
  readonly text: string;
  readonly font: fontkit.Font;
}

type Wawoff2 = typeof import('wawoff2/decompress.js');

/** `import` would keep a failure, such as a lack of file descriptors, as long as the thread lives. */
const require = createRequire(import.meta.url);

const readPackageFile = (file: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(file)));

/** Lays out from left to right, because `reorderLine` has reordered the line before. */
const parseFont = (file: Uint8Array): fontkit.Font => {
  const font = fontkit.create(Buffer.from(file)) as fontkit.Font;
  const layout = (text: string): fontkit.GlyphRun =>
    font.layout(text, undefined, undefined, undefined, 'ltr');
  return Object.create(font, { layout: { value: layout } });
};

/**
 * Fonts for Latin, Greek, Cyrillic and Devanagari. Parsed once, because to parse them takes longer
 * than to render a certificate.
 */
const TEXT_FONTS: Readonly<Record<Weight, fontkit.Font>> = {
  regular: parseFont(
    readPackageFile('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  ),
  bold: parseFont(readPackageFile('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
};

export const getTextFont = (weight: Weight): fontkit.Font => TEXT_FONTS[weight];

/** A font with the scripts that it writes; absent: all that it has glyphs for. */
interface Fallback {
  readonly font: fontkit.Font;
  readonly writes?: RegExp;
}

let fallbacks: readonly Fallback[] = [];

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

const reversed = (text: string): string =>
  [...characters.segment(text)]
    .map(({ segment }) => segment)
    .reverse()
    .join('');

/**
 * Reads a font of a script from right to left. `reorderLine` has reversed the text; in the order in
 * which it is read the font joins its letters.
 */
const readRightToLeft = (file: string, script: string): fontkit.Font => {
  const font = fontkit.create(readPackageFile(file)) as fontkit.Font;
  const layout = (text: string): fontkit.GlyphRun =>
    font.layout(reversed(text), undefined, script, undefined, 'rtl');
  return Object.create(font, { layout: { value: layout } });
};

/** Loads fonts for Arabic, Hebrew and emoji, and a plain one (Unifont) for nearly all other scripts. */
const loadFallbacks = async (): Promise<void> => {
  if (fallbacks.length > 0) return;
  // Digits run from left to right, so they are left to a font that does.
  const writes = /^[\p{L}\p{M}\p{P}]+$/u;
  const arabic = readRightToLeft(
    '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
    'arab',
  );
  const hebrew = readRightToLeft(
    '@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf',
    'hebr',
  );
  const emoji = parseFont(
    readPackageFile('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
  );
  // Decompressed once: fontkit would decompress WOFF2 again for each glyph.
  const decompress = require('wawoff2/decompress.js') as Wawoff2['default'];
  const every = await decompress(
    readPackageFile('@fontsource/unifont/files/unifont-latin-400-normal.woff2'),
  );
  fallbacks = [
    { font: arabic, writes },
    { font: hebrew, writes },
    { font: emoji },
    { font: parseFont(every) },
  ];
};

/** Characters without a glyph, which join or vary others. */
const SHAPELESS = /^(?:\p{Default_Ignorable_Code_Point}|\p{Variation_Selector})$/u;

const canWrite = ({ font, writes }: Fallback, character: string): boolean =>
  (writes?.test(character) ?? true) &&
  [...character].every(
    (each) => SHAPELESS.test(each) || font.hasGlyphForCodePoint(each.codePointAt(0) as number),
  );

/** Replaces a character that no font has. */
const REPLACEMENT_CHARACTER = '\uFFFD';

const assignFont = (character: string, weight: Weight): Run => {
  const textFont = TEXT_FONTS[weight];
  const { font } =
    [{ font: textFont }, ...fallbacks].find((each) => canWrite(each, character)) ?? {};
  return font === undefined
    ? { text: REPLACEMENT_CHARACTER, font: textFont }
    : { text: character, font };
};

/** Latin letters and usual signs. The text font has all of them, so they need no check. */
const PLAIN = /^[\u0020-\u007E\u00A0-\u017F\u2013\u2014\u2018-\u201E\u2022\u2026]*$/;

/** More than four combining marks on one character, which would overlap the lines above. */
const STACKED_MARKS = /(\p{Mn}{4})\p{Mn}+/gu;

/** Loads the fonts that these texts need. Call it before `splitByFont`. */
export const prepareFonts = async (texts: object): Promise<void> => {
  if (!PLAIN.test(JSON.stringify(texts))) await loadFallbacks();
};

/** Splits a text into runs, each in the first font that has all its characters. */
export const splitByFont = (text: string, weight: Weight): readonly Run[] => {
  if (PLAIN.test(text)) return [{ text, font: getTextFont(weight) }];
  const runs: Run[] = [];
  for (const { segment } of characters.segment(
    text.normalize('NFC').replace(STACKED_MARKS, '$1'),
  )) {
    const run = assignFont(segment, weight);
    const last = runs.at(-1);
    if (last?.font === run.font)
      runs[runs.length - 1] = { font: run.font, text: last.text + run.text };
    else runs.push(run);
  }
  return runs;
};
