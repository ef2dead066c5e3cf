/** Ids, times of a day and local addresses: digits of chance, which may be those of a card. */
const CHANCE = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d\d:\d\d:\d\d\.\d+|127\.0\.0\.1:\d+/gi;

/** The text of a value without what chance has put there, to look for digits that must not be in it. */
export const withoutChance = (value: unknown): string =>
  JSON.stringify(value).replaceAll(CHANCE, '');
