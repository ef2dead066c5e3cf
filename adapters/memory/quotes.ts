import type { CalendarDate, HeldQuotes } from '#domain';
import {
  firstSecretKept,
  type QuoteSeal,
  type QuoteSecret,
  type QuoteSecrets,
} from '../../application/terms/quote-seal.ts';

/** Keeps what it seals. */
export class MemoryQuoteSeal implements QuoteSeal {
  readonly #sealed = new Map<string, HeldQuotes>();

  async seal(quotes: HeldQuotes): Promise<string> {
    const sealed = `quote-${this.#sealed.size + 1}`;
    this.#sealed.set(sealed, structuredClone(quotes));
    return sealed;
  }

  async open(sealed: string): Promise<HeldQuotes | undefined> {
    return structuredClone(this.#sealed.get(sealed));
  }
}

export class MemoryQuoteSecrets implements QuoteSecrets {
  readonly #kept = new Map<CalendarDate, string>();

  async keep({ day, secret }: QuoteSecret): Promise<QuoteSecret> {
    for (const each of this.#kept.keys()) if (each < firstSecretKept(day)) this.#kept.delete(each);
    const kept = this.#kept.get(day) ?? secret;
    this.#kept.set(day, kept);
    return { day, secret: kept };
  }

  async find(day: CalendarDate): Promise<QuoteSecret | undefined> {
    const secret = this.#kept.get(day);
    return secret === undefined ? undefined : { day, secret };
  }
}
