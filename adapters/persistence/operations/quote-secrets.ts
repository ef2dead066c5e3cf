import type { CalendarDate } from '#domain';
import {
  firstSecretKept,
  type QuoteSecret,
  type QuoteSecrets,
} from '../../../application/selling/quote-seal.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { selection } from '../schema/columns.ts';
import { QUOTE_SECRET } from '../schema/tables.ts';

const keepSecret = statement<QuoteSecret & { readonly first: CalendarDate }>(
  'keep-quote-secret',
  `
    with forgotten as (delete from quote_secret where day < $first)
    insert into quote_secret (day, secret) values ($day, $secret) on conflict do nothing`,
);

const findSecret = statement<{ readonly day: CalendarDate }, QuoteSecret>(
  'find-quote-secret',
  `select ${selection(QUOTE_SECRET)} from quote_secret where day = $day`,
);

export class DatabaseQuoteSecrets implements QuoteSecrets {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keep(offered: QuoteSecret): Promise<QuoteSecret> {
    const first = firstSecretKept(offered.day);
    await this.#database.query(keepSecret, { ...offered, first });
    const kept = await this.find(offered.day);
    if (kept === undefined) throw new Error('a quote secret was kept and not found');
    return kept;
  }

  async find(day: CalendarDate): Promise<QuoteSecret | undefined> {
    const [found] = await this.#database.query(findSecret, { day });
    return found;
  }
}
