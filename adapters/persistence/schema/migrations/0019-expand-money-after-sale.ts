import { Migration } from '@mikro-orm/migrations';

/** Adds the mails that ask a payer for an account, and what the events of the money need. */
export class MoneyAfterSale extends Migration {
  override up(): void {
    // A table of its own: workers of the version before would withdraw the mails, or lose them.
    this.addSql(`
      create table refund_mailing (
        sale_id bigint not null,
        number integer not null constraint refund_mailing_number check (number < -1),
        requested_at timestamptz(3) not null,
        status text not null constraint refund_mailing_status
          check (status in ('waiting', 'handed_over', 'sent', 'undelivered', 'withdrawn')),
        failures integer not null default 0,
        settled_at timestamptz(3),
        reason text,
        primary key (sale_id, number),
        constraint refund_mailing_settled
          check ((settled_at is null) = (status in ('waiting', 'handed_over')))
      )`);
    this.addSql(
      `create index refund_mailing_waiting on refund_mailing (sale_id) where status = 'waiting'`,
    );
    this.addSql(
      `create index refund_mailing_undelivered on refund_mailing (sale_id, number) where status = 'undelivered'`,
    );
    // Without the corrected e-mail addresses and the insurer's own words: no personal data.
    this.addSql(`
      create function state_of_sale(version integer, status text, updated_at timestamptz, progress json)
      returns jsonb language sql immutable as $$
        select jsonb_build_object('version', version, 'status', status, 'updatedAt', updated_at,
          'progress', progress::jsonb - 'corrections'
            #- '{issuance,quotation,reason}' #- '{issuance,proposal,reason}')
      $$`);
    this.addSql(`
      create or replace function note_sale_event() returns trigger language plpgsql as $$
      begin
        insert into new_partner_event (channel_link, type, at, sale_id, state)
        values (new.channel_link, 'sale.' || new.status, coalesce(new.updated_at, clock_timestamp()), new.id,
          state_of_sale(new.version, new.status, new.updated_at, new.progress));
        return null;
      end $$`);
  }
}
