import bidiFactory from 'bidi-js';

// The library is CommonJS, but its types declare an ES module.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

const segmenter = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** Characters of scripts that run from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}]/u;

/**
 * Returns one UTF-16 unit of the same direction for each character, because the library reads
 * single units.
 */
const replaceByUnit = (character: string): string => {
  if ((character.codePointAt(0) as number) <= 0xffff) return character.charAt(0);
  if (RIGHT_TO_LEFT.test(character)) return 'א';
  return /\p{L}/u.test(character) ? 'a' : '•';
};

/** A character and its embedding level. Odd levels run from right to left. */
interface LeveledCharacter {
  readonly text: string;
  readonly level: number;
}

/** Reorders a line for drawing from left to right (UAX 9, rules L2 and L4). */
export const reorderLine = (line: string): string => {
  if (!RIGHT_TO_LEFT.test(line)) return line;
  const segments = [...segmenter.segment(line)].map(({ segment }) => segment);
  const { levels } = bidi.getEmbeddingLevels(segments.map(replaceByUnit).join(''));
  let reordered: readonly LeveledCharacter[] = segments.map((segment, index) => {
    const level = levels[index] ?? 0;
    return {
      level,
      text: level % 2 === 1 ? (bidi.getMirroredCharacter(segment) ?? segment) : segment,
    };
  });
  const highest = Math.max(...reordered.map((each) => each.level));
  for (let level = highest; level > 0; level -= 1) reordered = reverseRuns(reordered, level);
  return reordered.map(({ text }) => text).join('');
};

/** Reverses each run of characters of at least this level. */
const reverseRuns = (
  characters: readonly LeveledCharacter[],
  level: number,
): readonly LeveledCharacter[] => {
  const result: LeveledCharacter[] = [];
  let run: LeveledCharacter[] = [];
  for (const each of characters) {
    if (each.level >= level) run.unshift(each);
    else {
      result.push(...run, each);
      run = [];
    }
  }
  return [...result, ...run];
};
