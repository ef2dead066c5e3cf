import { Migration } from '@mikro-orm/migrations';

/** Adds the channel's own name of a sale, the books for statements, and schemas of attributes. */
export class GenericSale extends Migration {
  override up(): void {
    this.#books();
    this.addSql(`alter table sale add column external_sale_id text`);
    this.addSql(`
      create unique index sale_external_id on sale (channel_link, external_sale_id) where external_sale_id is not null`);
    this.addSql(`create index sale_channel on sale (channel_link, id)`);
    this.addSql(`update product set definition = definition || '{"attributes": {}}'`);
  }

  /**
   * Sales that were paid before get a time of booking: that of the registration where the channel
   * collected, and noon of the day of payment where the service did, whose time was not stored.
   */
  #books(): void {
    this.addSql(
      `alter table sale add column booked_at timestamptz(3), add column cancelled_at timestamptz(3)`,
    );
    this.addSql(`
      update sale set progress = progress || jsonb_build_object('bookedAt', to_char(
        case when terms#>>'{payment,collectedBy}' = 'channel' then registered_at
          else least(greatest(registered_at, ((progress#>>'{payment,paidOn}')::date + time '12:00') at time zone 'America/Sao_Paulo'),
            (progress->>'cancelledAt')::timestamptz) end
          at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      where progress#>>'{payment,status}' = 'approved'`);
    this.addSql(`
      update sale set booked_at = (progress->>'bookedAt')::timestamptz, cancelled_at = (progress->>'cancelledAt')::timestamptz`);
    this.addSql(
      `create index sale_booked on sale (channel_link, booked_at, id) where booked_at is not null`,
    );
    this.addSql(
      `create index sale_cancelled on sale (channel_link, cancelled_at, id) where cancelled_at is not null`,
    );
  }
}
