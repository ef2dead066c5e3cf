import { Migration } from '@mikro-orm/migrations';

/** Adds the rates of IOF that operators announce, beside those that the program knows. */
export class IofRates extends Migration {
  override up(): void {
    this.addSql(`
      create table iof_rate (
        number bigint generated always as identity primary key,
        iof_class text not null,
        valid_from text not null constraint iof_rate_valid_from check (valid_from ~ '^\\d{4}-\\d{2}-\\d{2}$'),
        rate integer not null constraint iof_rate_rate check (rate between 0 and 1000000),
        legal_basis text not null,
        added_at timestamptz(3) not null
      )`);
    this.addSql(`
      create trigger iof_rate_is_append_only before update or delete or truncate on iof_rate
      for each statement execute function refuse_change()`);
    this.addSql(`alter table iof_rate enable always trigger iof_rate_is_append_only`);
    // For each row, because a statement that changes no row must not count.
    this.addSql(`
      create trigger iof_rate_changed after insert on iof_rate
      for each row execute function note_change('catalogue')`);
  }
}
