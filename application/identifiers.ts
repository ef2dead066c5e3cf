/** Names for new things: unique, and not to be guessed from one another. */
export interface Identifiers {
  next(): string;
}
