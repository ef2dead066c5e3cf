import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the mails that tell of cancellations, the notices that cannot be read, and the time limits of
 * the law.
 */
export class NoticesAndClocks extends Migration {
  override up(): void {
    this.#cancellationMailings();
    this.#unreadableNotices();
    this.#legalClocks();
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

  #legalClocks(): void {
    this.addSql(`
      create table legal_alert (
        sale_id bigint not null,
        clock text not null constraint legal_alert_clock check (clock in ('policy', 'certificate')),
        since timestamptz(3) not null,
        raised_at timestamptz(3) not null,
        primary key (sale_id, clock)
      )`);
    this.addSql(`
      create table legal_clock (
        clock text primary key constraint legal_clock_clock check (clock = 'policy'),
        examined_to bigint not null
      )`);
    this.addSql(`insert into legal_clock (clock, examined_to) values ('policy', 0)`);
    // Mails that wait have an index. New mailings are not in this one, so sales cost nothing more.
    this.addSql(
      `create index mailing_unsent on mailing (requested_at) where number = 0 and status in ('handed_over', 'undelivered')`,
    );
  }
}
