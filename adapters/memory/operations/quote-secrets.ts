import type { CalendarDate } from '#domain';
import {
  firstSecretKept,
  type QuoteSecret,
  type QuoteSecrets,
} from '../../../application/selling/quote-seal.ts';

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
