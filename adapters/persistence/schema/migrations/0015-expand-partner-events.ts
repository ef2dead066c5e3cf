import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the events of partners, their endpoints, and the deliveries.
 *
 * Triggers write the events of changes, with the change, so that the version before writes them as
 * well. The registration of a sale writes nothing: its events have their places by its number
 * (`partner-event-places.ts`).
 */
export class PartnerEvents extends Migration {
  override up(): void {
    this.#events();
    this.#changes();
    this.#webhooks();
  }

  #events(): void {
    // `state` is the sale as it was after the event; null: as it was registered.
    const content = `
      id uuid not null default gen_random_uuid(),
      channel_link text not null,
      type text not null,
      at timestamptz(3) not null,
      sale_id bigint,
      state jsonb,
      detail jsonb`;
    this.addSql(`create table partner_event (place bigint primary key, ${content})`);
    this.addSql(
      `create index partner_event_of_channel on partner_event (channel_link, type, place)`,
    );
    this.addSql(
      `create table new_partner_event (number bigint generated always as identity primary key, ${content})`,
    );
    // The events of the registration of these sales: two places for each, whether it has one event
    // or two. They are read from the sales themselves; those that are to be sent are stored as well.
    this.addSql(`
      create table registration_range (
        first_place bigint primary key,
        first_sale bigint not null constraint registration_range_sale unique,
        last_sale bigint not null,
        at timestamptz(3) not null
      )`);
    this.addSql(`create index registration_range_at on registration_range (at)`);
    this.addSql(`
      create table event_numbering (
        feed text primary key constraint event_numbering_feed check (feed = 'partner'),
        last_place bigint not null default 0,
        deleted_place bigint not null default 0,
        sale_id bigint not null,
        server text
      )`);
  }

  #changes(): void {
    // Without the corrected e-mail addresses and the insurer's own words: no personal data.
    const state = (sale: string): string => `
      jsonb_build_object('version', ${sale}.version, 'status', ${sale}.status,
        'updatedAt', ${sale}.updated_at, 'progress', ${sale}.progress::jsonb - 'corrections'
          #- '{issuance,quotation,reason}' #- '{issuance,proposal,reason}')`;
    this.addSql(`
      create function note_sale_event() returns trigger language plpgsql as $$
      begin
        insert into new_partner_event (channel_link, type, at, sale_id, state)
        values (new.channel_link, 'sale.' || new.status, coalesce(new.updated_at, clock_timestamp()), new.id, ${state('new')});
        return null;
      end $$`);
    this.addSql(`
      create trigger sale_status_changed after update on sale for each row
      when (old.status is distinct from new.status) execute function note_sale_event()`);
    this.addSql(`
      create function note_mailing_event() returns trigger language plpgsql as $$
      begin
        insert into new_partner_event (channel_link, type, at, sale_id, state, detail)
        select sale.channel_link, 'certificate.' || new.status, new.settled_at, sale.id,
          ${state('sale')}, jsonb_build_object('mailingNumber', new.number, 'reason', new.reason)
        from sale where sale.id = new.sale_id;
        return null;
      end $$`);
    this.addSql(`
      create trigger mailing_settled after update on mailing for each row
      when (old.status is distinct from new.status and new.status in ('sent', 'undelivered'))
      execute function note_mailing_event()`);
    // The triggers above lock both tables, so no sale is being written now.
    this.addSql(
      `insert into event_numbering (feed, sale_id) select 'partner', coalesce(max(id), 0) from sale`,
    );
  }

  #webhooks(): void {
    this.addSql(`
      create table webhook_endpoint (
        id text primary key,
        channel_link text not null,
        url text not null,
        events jsonb not null,
        description text,
        created_at timestamptz(3) not null,
        disabled_reason text constraint webhook_endpoint_reason
          check (disabled_reason in ('paused', 'gone', 'failing')),
        disabled_at timestamptz(3),
        sealed_secret text not null,
        previous_secret text,
        previous_until timestamptz(3),
        failing_since timestamptz(3),
        paused_until timestamptz(3),
        version integer not null,
        constraint webhook_endpoint_disabled
          check ((disabled_reason is null) = (disabled_at is null))
      )`);
    this.addSql(`create index webhook_endpoint_of_channel on webhook_endpoint (channel_link, id)`);
    this.addSql(`
      create table webhook_replay (
        id bigint generated always as identity primary key,
        endpoint_id text not null constraint webhook_replay_of_endpoint unique,
        from_time timestamptz(3) not null,
        to_time timestamptz(3) not null,
        last_place bigint not null default 0,
        taken_until timestamptz(3)
      )`);
    this.addSql(`
      create table webhook_delivery (
        id bigint generated always as identity primary key,
        endpoint_id text not null,
        place bigint not null,
        status text not null constraint webhook_delivery_status
          check (status in ('waiting', 'delivered', 'undelivered')),
        created_at timestamptz(3) not null,
        tries integer not null default 0,
        next_at timestamptz(3),
        attempts jsonb not null default '[]',
        constraint webhook_delivery_next check ((next_at is null) = (status <> 'waiting'))
      )`);
    this.addSql(
      `create index webhook_delivery_of_endpoint on webhook_delivery (endpoint_id, status, id)`,
    );
    this.addSql(`create index webhook_delivery_of_event on webhook_delivery (place, endpoint_id)`);
    this.addSql(
      `create index webhook_delivery_waiting on webhook_delivery (endpoint_id, next_at) where status = 'waiting'`,
    );
  }
}
