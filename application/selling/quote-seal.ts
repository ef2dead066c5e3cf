import { addDays, type CalendarDate, type HeldQuotes } from '#domain';

/** How long quotes hold, in ms. */
export const QUOTES_HOLD_MS = 86_400_000;

/** Longest text of a seal: a hundred plans, with their commissions and coverages. */
export const MAX_SEALED_CHARACTERS = 40_000;

/**
 * Makes held quotes into texts that only the service can make, so that no quote has to be stored.
 *
 * 1. A sealed text opens as what was sealed, in every process, also after a change of the signing
 *    key and after a new release.
 * 2. Any other text opens as undefined.
 * 3. A text opens for `QUOTES_HOLD_MS` after it was sealed, at least.
 * 4. No text is longer than `MAX_SEALED_CHARACTERS`.
 */
export interface QuoteSeal {
  seal(quotes: HeldQuotes): Promise<string>;
  open(sealed: string): Promise<HeldQuotes | undefined>;
}

/** The secret with which quotes are sealed on a day in UTC. */
export interface QuoteSecret {
  readonly day: CalendarDate;
  readonly secret: string;
}

/** Days for which a secret is needed beside its own: quotes of its last second hold for another. */
const SECRET_DAYS = 2;

/** The first day whose secret is still kept when one of `day` is offered. */
export const firstSecretKept = (day: CalendarDate): CalendarDate => addDays(day, -SECRET_DAYS);

/**
 * The secrets of the seals, one for each day.
 *
 * 1. The first secret that is offered for a day is kept, and every process gets that one.
 * 2. A secret is found on its day and the two days after. A later offer forgets it.
 */
export interface QuoteSecrets {
  /** Stores today's secret, unless another process has stored one. @returns the stored one */
  keep(offered: QuoteSecret): Promise<QuoteSecret>;
  find(day: CalendarDate): Promise<QuoteSecret | undefined>;
}
