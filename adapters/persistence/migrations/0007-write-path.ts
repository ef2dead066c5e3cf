import { Migration } from '@mikro-orm/migrations';

/** What a sale costs to write. */
export class WritePath extends Migration {
  override up(): void {
    // `sale_of_channel` has the same columns.
    this.addSql(`drop index sale_channel`);
    // A sale of 3 KB stays in one piece: cut up, it would cost an entry in another table and its index, and another read.
    this.addSql(`alter table sale set (toast_tuple_target = 8160)`);
  }
}
