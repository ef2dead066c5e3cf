import { RE2JS } from 're2js';
import type { Json } from '#domain';

/** A regular expression that takes no longer than the text is long, times its steps: RE2's, without look-around and back-references. */
export interface Pattern {
  readonly steps: number;
  test(text: string): boolean;
  /** Its source: Ajv tells patterns apart by it. */
  toString(): string;
}

/** The pattern, or undefined where it is none, or none of RE2's. */
export const patternOf = (source: Json): Pattern | undefined => {
  if (typeof source !== 'string') return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { steps: compiled.programSize(), test: (text) => compiled.test(text), toString: () => source };
  } catch {
    return undefined;
  }
};
