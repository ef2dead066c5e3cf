import { Migration } from '@mikro-orm/migrations';

/** Keeps how far the move of a group to another database is. */
export class GroupMoves extends Migration {
  override up(): void {
    this.addSql('alter table channel_group add column move jsonb');
  }
}
