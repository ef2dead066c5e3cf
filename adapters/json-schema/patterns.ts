import { RE2JS } from 're2js';
import type { Json } from '#domain';

/**
 * A regular expression of RE2 syntax, without look-around and back-references. The time to match is
 * at most `steps` × characters of the text.
 */
export interface Pattern {
  /** Number of instructions of the compiled pattern. */
  readonly steps: number;
  /**
   * Max characters of a text that the pattern reads. Infinite, unless the pattern is anchored and
   * has no unlimited repetition.
   */
  readonly reach: number;
  /** @throws TooMuchMatching */
  test(text: string): boolean;
  /** Returns the source, by which Ajv distinguishes patterns. */
  toString(): string;
}

/** Max characters of a pattern's source: longer ones take long to compile. */
export const MAX_PATTERN_CHARACTERS = 1_000;

/**
 * Max cost of one check of attributes, in steps × characters. One unit takes up to 65 ns here, so a
 * check takes up to 10 ms. A sale is checked twice at most.
 */
export const MAX_MATCHING_COST = 150_000;

/** The attributes have texts that are too long for the patterns of their schema. */
export class TooMuchMatching extends Error {
  override readonly name = 'TooMuchMatching';
}

let budgetLeft = MAX_MATCHING_COST;

/** Runs a synchronous check with a new budget of `MAX_MATCHING_COST`. @throws TooMuchMatching */
export const runWithinBudget = <Result>(check: () => Result): Result => {
  budgetLeft = MAX_MATCHING_COST;
  return check();
};

/**
 * Starts with `^`, and has neither alternatives nor unlimited repetitions. Each step then reads one
 * character, so the pattern fails after `steps` characters at the latest.
 */
const ANCHORED = /^\^(?!.*(?:[|*+]|\{\d+,\}))/s;

/** Compiles a pattern. Undefined if it is not a regular expression of RE2 syntax. */
export const compilePattern = (source: Json): Pattern | undefined => {
  if (typeof source !== 'string') return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    const steps = compiled.programSize();
    const reach = ANCHORED.test(source) ? steps : Number.POSITIVE_INFINITY;
    const test = (text: string): boolean => {
      budgetLeft -= steps * Math.min(text.length, reach);
      if (budgetLeft < 0) throw new TooMuchMatching();
      return compiled.test(text);
    };
    return { steps, reach, test, toString: () => source };
  } catch {
    return undefined;
  }
};
