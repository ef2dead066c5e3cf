/** Generates unique identifiers. One identifier does not help to guess another. */
export interface Identifiers {
  next(): string;
}
