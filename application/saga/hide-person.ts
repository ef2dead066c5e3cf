import type { Insured } from '#domain';

/** Max characters of a provider's words that are kept. */
const MAX_WORDS_LENGTH = 200;

/** Amounts, days and codes stay; a tax id, a phone or a card number does not. */
const LONG_NUMBER = /\d(?:[\d.\-/() ]{4,})\d/g;

const EMAIL = /\S+@\S+/g;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A provider's words about a sale, without what tells who is insured. */
export const hidePerson = (words: string, { name, socialName = '' }: Insured): string => {
  const names = new Set(
    plain(`${name} ${socialName}`)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2),
  );
  return words
    .replace(EMAIL, '…')
    .replace(LONG_NUMBER, '…')
    .replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (names.has(plain(word)) ? '…' : word))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_WORDS_LENGTH);
};
