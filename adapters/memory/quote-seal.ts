import type { HeldQuotes } from '#domain';
import type { QuoteSeal } from '../../application/selling/quote-seal.ts';

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
