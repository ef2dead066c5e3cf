import { Migration } from '@mikro-orm/migrations';

/** Adds the mails that tell of cancellations, and the notices that cannot be read. */
export class NoticesAndClocks extends Migration {
  override up(): void {
    this.#cancellationMailings();
    this.#unreadableNotices();
  }

  /**
   * A table of their own, and not `mailing`: workers of the version before would withdraw the mails,
   * because they send certificates only.
   */
  #cancellationMailings(): void {
    this.addSql(`
      create table cancellation_mailing (
        sale_id bigint not null,
        number integer not null default -1 constraint cancellation_mailing_number check (number = -1),
        requested_at timestamptz(3) not null,
        status text not null constraint cancellation_mailing_status
          check (status in ('waiting', 'handed_over', 'sent', 'undelivered', 'withdrawn')),
        failures integer not null default 0,
        settled_at timestamptz(3),
        reason text,
        primary key (sale_id, number),
        constraint cancellation_mailing_settled
          check ((settled_at is null) = (status in ('waiting', 'handed_over')))
      )`);
    this.addSql(
      `create index cancellation_mailing_waiting on cancellation_mailing (sale_id) where status = 'waiting'`,
    );
    this.addSql(
      `create index cancellation_mailing_undelivered on cancellation_mailing (sale_id, number) where status = 'undelivered'`,
    );
  }

  #unreadableNotices(): void {
    this.addSql(`
      create table unreadable_notice (
        gateway text not null,
        digest text not null,
        excerpt text not null,
        received_at timestamptz(3) not null,
        primary key (gateway, digest)
      )`);
  }
}
