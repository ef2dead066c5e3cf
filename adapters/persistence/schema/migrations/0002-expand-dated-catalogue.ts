import { Migration } from '@mikro-orm/migrations';

/**
 * Gives each version of the catalogue its first day, from which follows what is in force. The tables
 * `product` and `channel` are read by version 1.0.0 alone: while it runs beside this one, a trigger
 * keeps them up to date with what this version stores. Version 1.0.0 stores no first day: its
 * versions are in force at once.
 */
export class DatedCatalogue extends Migration {
  override up(): void {
    this.addSql('alter table catalogue_version add column effective_from text');
    this.addSql(
      'alter table catalogue_version add column withdrawn boolean not null default false',
    );
    this.addSql(`create function show_version_to_1_0_0() returns trigger language plpgsql as $$
begin
  if new.kind = 'product' then
    insert into product (code, id, definition, version, updated_at)
    values (new.name, (new.definition->>'id')::integer, new.definition, new.version, new.updated_at)
    on conflict (code) do update set id = excluded.id, definition = excluded.definition,
      version = excluded.version, updated_at = excluded.updated_at;
  else
    insert into channel (channel_link, definition, version, updated_at)
    values (new.name, new.definition, new.version, new.updated_at)
    on conflict (channel_link) do update set definition = excluded.definition,
      version = excluded.version, updated_at = excluded.updated_at;
  end if;
  return new;
end $$`);
    this.addSql(`create trigger catalogue_version_is_shown_to_1_0_0 after insert on catalogue_version
for each row when (not new.withdrawn
  and new.effective_from <= to_char(now() at time zone 'America/Sao_Paulo', 'YYYY-MM-DD'))
execute function show_version_to_1_0_0()`);
  }
}
