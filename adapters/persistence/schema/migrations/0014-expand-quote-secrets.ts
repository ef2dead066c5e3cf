import { Migration } from '@mikro-orm/migrations';

/** Adds the secrets with which quotes are sealed, one for each day. */
export class QuoteSecrets extends Migration {
  override up(): void {
    this.addSql('create table quote_secret (day text primary key, secret text not null)');
  }
}
