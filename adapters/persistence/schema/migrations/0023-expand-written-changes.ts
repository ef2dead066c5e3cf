import { Migration } from '@mikro-orm/migrations';

/**
 * From this version on the statements of a change write its events, its time and its revision. The
 * triggers go on doing it for the version before, and leave it to connections that say so by a
 * setting (`postgres-sessions.ts`).
 */
export class WrittenChanges extends Migration {
  override up(): void {
    const unlessWritten = (result: 'new' | 'null'): string =>
      `if current_setting('insurance_sales.triggers', true) = 'off' then return ${result}; end if;`;

    this.addSql(`
      create or replace function note_sale_update() returns trigger language plpgsql as $$
      begin
        ${unlessWritten('new')}
        new.updated_at = date_trunc('milliseconds', clock_timestamp());
        insert into sale_update (sale_id, channel_link, updated_at)
          values (new.id, new.channel_link, new.updated_at)
          on conflict (sale_id) do update set updated_at = excluded.updated_at;
        return new;
      end $$`);
    this.addSql(`
      create or replace function note_sale_event() returns trigger language plpgsql as $$
      begin
        ${unlessWritten('null')}
        insert into new_partner_event (channel_link, type, at, sale_id, state)
        values (new.channel_link, 'sale.' || new.status, coalesce(new.updated_at, clock_timestamp()), new.id,
          state_of_sale(new.version, new.status, new.updated_at, new.progress));
        return null;
      end $$`);
    this.addSql(`
      create or replace function note_mailing_event() returns trigger language plpgsql as $$
      begin
        ${unlessWritten('null')}
        insert into new_partner_event (channel_link, type, at, sale_id, state, detail)
        select sale.channel_link, 'certificate.' || new.status, new.settled_at, sale.id,
          state_of_sale(sale.version, sale.status, sale.updated_at, sale.progress),
          jsonb_build_object('mailingNumber', new.number, 'reason', new.reason)
        from sale where sale.id = new.sale_id;
        return null;
      end $$`);
    this.addSql(`
      create or replace function note_change() returns trigger language plpgsql as $$
      begin
        ${unlessWritten('null')}
        update revision set number = number + 1 where topic = tg_argv[0];
        perform pg_notify('insurance_sales', tg_argv[0]);
        return null;
      end $$`);
    this.addSql(`
      create or replace function number_revocation() returns trigger language plpgsql as $$
      begin
        ${unlessWritten('new')}
        update revision set number = number + 1 where topic = 'logins' returning number into new.revoked_number;
        perform pg_notify('insurance_sales', 'logins');
        return new;
      end $$`);
  }
}
