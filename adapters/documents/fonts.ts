import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import { decompress } from 'wawoff2';

export type Weight = 'regular' | 'bold';

/** A piece of text that one font can write. */
export interface Run {
  readonly text: string;
  readonly font: fontkit.Font;
}

const read = (file: string): Buffer => readFileSync(fileURLToPath(import.meta.resolve(file)));

const MOST_REMEMBERED = 5_000;

/** Longer words are hardly ever the same on two certificates. */
const MOST_CHARACTERS = 24;

/**
 * A font that remembers how it has laid out words: most of those on a certificate are on the next one as well. Always from
 * left to right: lines are put in the order in which they are seen before.
 */
const remembering = (font: fontkit.Font): fontkit.Font => {
  const known = new Map<string, fontkit.GlyphRun>();
  const layout = (text: string): fontkit.GlyphRun => {
    const run = known.get(text) ?? font.layout(text, undefined, undefined, undefined, 'ltr');
    if (known.size >= MOST_REMEMBERED) known.clear();
    if (text.length <= MOST_CHARACTERS) known.set(text, run);
    // Whoever gets it scales the positions.
    const positions = run.positions.map((position) => ({ ...position }));
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions });
  };
  return Object.create(font, { layout: { value: layout } });
};

const parsed = (file: Uint8Array): fontkit.Font =>
  remembering(fontkit.create(Buffer.from(file)) as fontkit.Font);

/** Latin, Greek, Cyrillic and Devanagari. Parsed once: that takes longer than a whole certificate. */
const TEXT: Readonly<Record<Weight, fontkit.Font>> = {
  regular: parsed(read('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')),
  bold: parsed(read('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf')),
};

export const textFont = (weight: Weight): fontkit.Font => TEXT[weight];

let fallbacks: readonly fontkit.Font[] = [];

/** Emoji, and after them a font that has nearly every script there is, plainly. */
const loadFallbacks = async (): Promise<void> => {
  if (fallbacks.length > 0) return;
  const emoji = parsed(read('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'));
  // As a compressed font, it would be decompressed with every glyph that is looked up.
  const every = await decompress(read('@fontsource/unifont/files/unifont-latin-400-normal.woff2'));
  fallbacks = [emoji, parsed(every)];
};

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** What joins or varies other characters, and has no shape of its own. */
const SHAPELESS = /^(?:\p{Default_Ignorable_Code_Point}|\p{Variation_Selector})$/u;

const canWrite = (font: fontkit.Font, character: string): boolean =>
  [...character].every(
    (each) => SHAPELESS.test(each) || font.hasGlyphForCodePoint(each.codePointAt(0) as number),
  );

/** Stands for a character that no font has. */
const UNKNOWN = '\uFFFD';

const fontFor = (character: string, weight: Weight): Run => {
  const font = [TEXT[weight], ...fallbacks].find((each) => canWrite(each, character));
  return font === undefined ? { text: UNKNOWN, font: TEXT[weight] } : { text: character, font };
};

/** All that Portuguese needs, and the usual signs: written by the text font without looking at each character. */
const PLAIN = /^[\u0020-\u007E\u00A0-\u017F\u2013\u2014\u2018-\u201E\u2022\u2026]*$/;

/** Marks that stand above one another in any writing; more would run across the lines above. */
const PILED = /(\p{Mn}{4})\p{Mn}+/gu;

/** Gets the fonts ready that somebody's texts need. */
export const prepareFonts = async (texts: object): Promise<void> => {
  if (!PLAIN.test(JSON.stringify(texts))) await loadFallbacks();
};

/** A text in pieces, each for the first font that can write it. */
export const runsOf = (text: string, weight: Weight): readonly Run[] => {
  if (PLAIN.test(text)) return [{ text, font: textFont(weight) }];
  const runs: Run[] = [];
  for (const { segment } of characters.segment(text.normalize('NFC').replace(PILED, '$1'))) {
    const run = fontFor(segment, weight);
    const last = runs.at(-1);
    if (last?.font === run.font)
      runs[runs.length - 1] = { font: run.font, text: last.text + run.text };
    else runs.push(run);
  }
  return runs;
};
