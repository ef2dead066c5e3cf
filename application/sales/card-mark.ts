import type { Json } from '#domain';

const PREFIX = 'card:';

/** Hours for which the stored content of a request tells one card from another. */
export const CARD_HOURS = 24;

/** Takes the place of a card in the content of a request. @param hash a keyed hash of its number */
export const cardMark = (hash: string): string => `${PREFIX}${hash}`;

/** Takes the place of a card whose hash was erased. */
export const ERASED_CARD = 'card';

/** Whether the received value is a card, and the stored one a card that can no longer be compared. */
export const isErasedCard = (stored: Json, received: Json): boolean =>
  stored === ERASED_CARD && typeof received === 'string' && received.startsWith(PREFIX);
