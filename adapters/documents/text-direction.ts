import bidiFactory from 'bidi-js';

// The library's types take it for a module of the other kind.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });

/** Characters of scripts that are written from right to left. */
const FROM_THE_RIGHT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}]/u;

/** The library looks at 16 bits at a time: for a character that has more, one that goes in the same direction. */
const standIn = (character: string): string => {
  if ((character.codePointAt(0) as number) <= 0xffff) return character.charAt(0);
  if (FROM_THE_RIGHT.test(character)) return 'א';
  return /\p{L}/u.test(character) ? 'a' : '•';
};

/** A character as people see it, with the level of its direction: odd, from right to left. */
interface Seen {
  readonly text: string;
  readonly level: number;
}

/** A line in the order in which it is seen from left to right (UAX 9, rules L2 and L4). */
export const asSeen = (line: string): string => {
  if (!FROM_THE_RIGHT.test(line)) return line;
  const segments = [...characters.segment(line)].map(({ segment }) => segment);
  const { levels } = bidi.getEmbeddingLevels(segments.map(standIn).join(''));
  let seen: readonly Seen[] = segments.map((segment, index) => {
    const level = levels[index] ?? 0;
    return {
      level,
      text: level % 2 === 1 ? (bidi.getMirroredCharacter(segment) ?? segment) : segment,
    };
  });
  for (let level = Math.max(...seen.map((each) => each.level)); level > 0; level -= 1)
    seen = reversedFrom(seen, level);
  return seen.map(({ text }) => text).join('');
};

/** With each stretch of this level, or of higher ones, turned round. */
const reversedFrom = (seen: readonly Seen[], level: number): readonly Seen[] => {
  const turned: Seen[] = [];
  let stretch: Seen[] = [];
  for (const each of seen) {
    if (each.level >= level) stretch.unshift(each);
    else {
      turned.push(...stretch, each);
      stretch = [];
    }
  }
  return [...turned, ...stretch];
};
