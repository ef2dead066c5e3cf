import { Migration } from '@mikro-orm/migrations';

/** A made-up `expand` migration: the version before goes on without the column. */
export class Remark extends Migration {
  override up(): void {
    this.addSql('alter table sale add column remark text');
  }
}
