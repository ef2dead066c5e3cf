import { Migration } from '@mikro-orm/migrations';

/** Above the number of every sale. */
const ALL_SALES = 9_000_000_000_000_000;

/** Below the number of every event that waits: the registration of a sale comes before its changes. */
const FIRST_NUMBER = -4_000_000_000_000_000_000n;

/** `(is_paid, turn, type)`: a sale that is paid to its channel is born paid, and booked at once. */
const MADE = `
  (values (true, 0, 'sale.registered'), (true, 1, 'sale.paid'), (false, 0, 'sale.registered'))
    as made (is_paid, turn, type)
  on made.is_paid = (sale.booked_at is not distinct from sale.registered_at)`;

/** The id of an event, as the version before derived it. */
const ID = `md5(sale.ticket || ' ' || type)::uuid`;

const OF_VERSION_BEFORE = `
  when (current_setting('insurance_sales.registrations', true) is distinct from 'told')`;

/**
 * From this version on the registration of sales is noted by its statement, as every change is. Two
 * triggers help the version before, whose connections do not say that they know it
 * (`postgres-sessions.ts`): one stores the events of its registrations; the other makes it leave
 * changes of sales whose registration has no place yet, and stores that registration, with those of
 * the same statement, before all changes. So it takes them next, also when no worker of this version
 * runs: it looks at the first changes only, and would else stop at them for good.
 *
 * The version before gave places to registrations by ranges of sales. What it has given is stored as
 * events at the same places, so both versions read them. It gives no more ranges, because no sale has
 * a number above the one up to which it takes them as given. Both give places to other events.
 *
 * A replay begins after the last range that was given before its time. `place_mark` keeps that of each
 * hour, and goes on with it.
 *
 * Copying takes up to two minutes for a million sales of the last 90 days, in which the version before
 * does all its work.
 */
export class RegistrationEvents extends Migration {
  override up(): void {
    this.addSql(`
      create table new_registration (
        number bigint generated always as identity primary key,
        sale_ids bigint[] not null
      )`);
    this.addSql(`
      create table place_mark (at timestamptz(3) primary key, place bigint not null)`);
    this.#copyRanges();
    this.#replaceRanges();
    this.#triggers();
    // A trigger has locked the table, so no sale is being written now.
    this.addSql(`
      insert into new_partner_event (number, id, channel_link, type, at, sale_id)
      overriding system value
      select ${FIRST_NUMBER} + 2 * sale.id + turn, ${ID}, channel_link, type, registered_at, sale.id
      from event_numbering join sale on sale.id > event_numbering.sale_id join ${MADE}`);
    this.addSql(`update event_numbering set sale_id = ${ALL_SALES}`);
  }

  /** Most of them while the version before gives places to further sales, and then the last ones. */
  #copyRanges(): void {
    const copy = (which: string): void =>
      this.addSql(`
        insert into partner_event (place, id, channel_link, type, at, sale_id)
        select first_place + 2 * (sale.id - first_sale) + turn,
          ${ID}, sale.channel_link, type, sale.registered_at, sale.id
        from registration_range join sale on sale.id between first_sale and last_sale join ${MADE}
        where sale.id ${which} current_setting('insurance_sales.copied')::bigint
        on conflict do nothing`);
    this.addSql(`
      select set_config('insurance_sales.copied', coalesce(max(last_sale), 0)::text, true)
      from registration_range`);
    copy('<=');
    // This lock keeps every process from giving places until the transaction ends.
    this.addSql('select from event_numbering for update');
    copy('>');
  }

  /** Before the triggers, because these keep sales waiting until the end. */
  #replaceRanges(): void {
    this.addSql(`
      insert into place_mark (at, place)
      select max(at), max(first_place + 2 * (last_sale - first_sale + 1) - 1)
      from registration_range group by date_trunc('hour', at)`);
    // The clean-up of the version before may be deleting old ranges, and wait for this transaction.
    this.addSql(`
      delete from registration_range where first_place in (
        select first_place from registration_range for update skip locked)`);
  }

  #triggers(): void {
    // The version before gives places by time, and changes have the time of the database's clock.
    this.addSql(`
      create function note_registration() returns trigger language plpgsql as $$
      begin
        insert into new_partner_event (channel_link, type, at, sale_id)
        select new.channel_link, type,
          least(new.registered_at, date_trunc('milliseconds', now())), new.id
        from unnest(case new.status when 'paid' then array['sale.registered', 'sale.paid']
          else array['sale.registered'] end) as type;
        return null;
      end $$`);
    this.addSql(`
      create trigger sale_registered after insert on sale for each row
      ${OF_VERSION_BEFORE} execute function note_registration()`);
    this.addSql(`
      create function leave_after_registration() returns trigger language plpgsql as $$
      begin
        if old.number < 0 then
          return old;
        end if;
        with taken as (
          delete from new_registration where old.sale_id = any(sale_ids) returning sale_ids
        )
        insert into new_partner_event (number, id, channel_link, type, at, sale_id)
        overriding system value
        select ${FIRST_NUMBER} + 2 * sale.id + turn, ${ID}, channel_link, type,
          least(registered_at, old.at), sale.id
        from taken, unnest(sale_ids) as sold (id) join sale using (id) join ${MADE};
        if exists (select from new_partner_event where number = ${FIRST_NUMBER} + 2 * old.sale_id) then
          return null;
        end if;
        return old;
      end $$`);
    this.addSql(`
      create trigger new_partner_event_taken before delete on new_partner_event for each row
      ${OF_VERSION_BEFORE} execute function leave_after_registration()`);
  }
}
