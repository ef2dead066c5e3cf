import { Migration } from '@mikro-orm/migrations';

/**
 * Removes the hashes of whole cards, with their security codes, which earlier versions stored to
 * compare repeated requests (PCI DSS 3.3.1), and finds those that are erased after a day: also the
 * hashes that processes of the version before still write.
 */
export class CardMarks extends Migration {
  override up(): void {
    this.addSql(`
      update sale set idempotency_content = regexp_replace(idempotency_content::text,
        '"creditCard":"[A-Za-z0-9_-]{43}"', '"creditCard":"card"', 'g')::json
      where idempotency_content::text ~ '"creditCard":"[A-Za-z0-9_-]{43}"'`);
    this.addSql(`
      create index sale_with_card_mark on sale (id)
      where idempotency_content::text ~ '"creditCard":"[^"]{5,}"'`);
  }
}
