/** Generates identifiers: unique, and not guessable from one another. */
export interface Identifiers {
  next(): string;
}
