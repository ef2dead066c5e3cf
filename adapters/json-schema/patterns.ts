import { RE2JS } from 're2js';
import type { Json } from '#domain';

/** A regular expression that takes no longer than the text is long, times its steps: RE2's, without look-around and back-references. */
export interface Pattern {
  readonly steps: number;
  /** Characters of a text that it looks at, at most: infinite, unless it is anchored and repeats nothing without end. */
  readonly reach: number;
  /** @throws TooMuchMatching */
  test(text: string): boolean;
  /** Its source: Ajv tells patterns apart by it. */
  toString(): string;
}

/** Characters of a pattern's source, at most: longer ones take long to compile. */
export const LONGEST_PATTERN = 1_000;

/**
 * Steps of patterns times characters of texts that one check of attributes may cost. A step on a character takes up to
 * 65 ns here, so a check takes up to 10 ms; a sale is checked twice at most.
 */
export const MOST_MATCHING = 150_000;

/** The texts of some attributes are too long for the patterns of their schema. */
export class TooMuchMatching extends Error {
  override readonly name = 'TooMuchMatching';
}

let matchingLeft = MOST_MATCHING;

/** Runs a check, which is synchronous, with a whole budget for matching. @throws TooMuchMatching */
export const withinBudget = <Result>(check: () => Result): Result => {
  matchingLeft = MOST_MATCHING;
  return check();
};

/** Begins with `^`, and has no alternative and no repetition without end: each step takes one character, and then it has failed. */
const ANCHORED = /^\^(?!.*(?:[|*+]|\{\d+,\}))/s;

/** The pattern, or undefined where it is none, or none of RE2's. */
export const patternOf = (source: Json): Pattern | undefined => {
  if (typeof source !== 'string') return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const steps = compiled.programSize();
    const reach = ANCHORED.test(source) ? steps : Number.POSITIVE_INFINITY;
    const test = (text: string): boolean => {
      matchingLeft -= steps * Math.min(text.length, reach);
      if (matchingLeft < 0) throw new TooMuchMatching();
      return compiled.test(text);
    };
    return { steps, reach, test, toString: () => source };
  } catch {
    return undefined;
  }
};
