import { RE2JS } from 're2js';
import type { FaultKind, Json } from '#domain';

/** Max `pattern`, names in `patternProperties` and `uniqueItems` of one schema. */
const MAX_PATTERNS = 20;

/** Max characters of one pattern, and max steps of all patterns of a schema together. */
const MAX_PATTERN_SIZE = 300;

/** Max steps of a pattern that matches many texts: of a short one, and of an anchored one. */
const MAX_SHORT_STEPS = 10;
const MAX_ANCHORED_STEPS = 30;

/**
 * Starts with `^`, and has neither alternatives nor unlimited repetitions: it reads at most as many
 * characters of a text as it has steps.
 */
const ANCHORED = /^\^(?!.*(?:[|*+]|\{\d+,\}))/s;

/**
 * Compiles a pattern of RE2 syntax, without look-around and back-references. The time to match is
 * linear in the text. @throws an error of RE2JS if the syntax is wrong
 */
export const compilePattern = (source: string): RE2JS =>
  RE2JS.compile(RE2JS.translateRegExp(source));

/**
 * Counts the instructions of a compiled pattern: about one per character, with repetitions written
 * out. Infinite if the source is too long to compile; undefined if it is no pattern.
 */
const countSteps = (source: Json): number | undefined => {
  try {
    if (typeof source !== 'string') return undefined;
    return source.length > MAX_PATTERN_SIZE ? Infinity : compilePattern(source).programSize();
  } catch {
    return undefined;
  }
};

/** Records a fault at a path. */
export type Note = (path: string, kind: FaultKind, expected?: string | number) => void;

/**
 * Counts the patterns of one schema, and records those that are invalid or beyond the limits.
 * Within the limits, the patterns of one check take up to 80 ms, for 256 KiB of hostile texts.
 */
export class PatternLimits {
  readonly #note: Note;
  #patterns = 0;
  #steps = 0;

  constructor(note: Note) {
    this.#note = note;
  }

  /** Counts one pattern, or `uniqueItems`, for which Ajv compares each item with each other. */
  count(path: string): void {
    this.#patterns += 1;
    if (this.#patterns === MAX_PATTERNS + 1) this.#note(path, 'too_many_patterns', MAX_PATTERNS);
  }

  /** `isRepeated`: whether the pattern matches many texts of one sale. */
  check(source: Json, path: string, isRepeated: boolean): void {
    this.count(path);
    // The schema has a fault already. More patterns would only take time to compile.
    if (this.#patterns > MAX_PATTERNS || this.#steps > MAX_PATTERN_SIZE) return;
    const steps = countSteps(source);
    if (steps === undefined) {
      this.#note(path, 'badly_formed');
      return;
    }
    this.#steps += steps;
    const max = ANCHORED.test(source as string) ? MAX_ANCHORED_STEPS : MAX_SHORT_STEPS;
    if (this.#steps > MAX_PATTERN_SIZE) this.#note(path, 'pattern_too_large', MAX_PATTERN_SIZE);
    else if (isRepeated && steps > max) this.#note(path, 'too_long_to_match', MAX_ANCHORED_STEPS);
  }
}
