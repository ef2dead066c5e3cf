import { Migration } from '@mikro-orm/migrations';

/**
 * What a sale says is written once and read whole: kept as it was written, it costs PostgreSQL a third less to store than
 * taken apart, and is the text that was agreed, letter by letter.
 */
export class AsWritten extends Migration {
  override up(): void {
    this.addSql(`
      alter table sale
        alter column terms type json using terms::json,
        alter column progress type json using progress::json,
        alter column idempotency_content type json using idempotency_content::json`);
  }
}
