import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the time at which each sale was changed last. A trigger sets it, so that the version before,
 * which does not know it, sets it as well. A lease is no change: only a new version of the sale is.
 *
 * `sale_update` holds the changed sales alone, for the list of sales that were changed since a
 * time. An index on the column would be cheap for new sales, but its creation would read the whole
 * table, and stop sales meanwhile; each change would also add a row to every index of `sale`.
 */
export class SaleUpdates extends Migration {
  override up(): void {
    this.addSql(`alter table sale add column updated_at timestamptz(3)`);
    this.addSql(`
      create table sale_update (
        sale_id bigint primary key,
        channel_link text not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(
      `create index sale_update_of_channel on sale_update (channel_link, updated_at, sale_id)`,
    );
    // The time of the clock, not of the transaction, which may have begun some seconds before.
    this.addSql(`
      create function note_sale_update() returns trigger language plpgsql as $$
      begin
        new.updated_at = date_trunc('milliseconds', clock_timestamp());
        insert into sale_update (sale_id, channel_link, updated_at)
          values (new.id, new.channel_link, new.updated_at)
          on conflict (sale_id) do update set updated_at = excluded.updated_at;
        return new;
      end $$`);
    this.addSql(`
      create trigger sale_updated before update on sale for each row
      when (old.version is distinct from new.version) execute function note_sale_update()`);
  }
}
