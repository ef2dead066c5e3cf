import { Migration } from '@mikro-orm/migrations';

/**
 * From this version on workers claim mails that are due, fairly between channels, and mark many
 * together. The version before goes on handing mails over to the job queue: those have no
 * `claimed_until`, and no worker claims them.
 */
export class MailClaims extends Migration {
  override up(): void {
    for (const table of ['mailing', 'cancellation_mailing', 'refund_mailing']) {
      this.addSql(`
        alter table ${table} add column next_at timestamptz(3),
          add column claimed_until timestamptz(3)`);
      this.addSql(
        `create index ${table}_claimed on ${table} (claimed_until) where claimed_until is not null`,
      );
    }
    // The index `mailing_waiting` is for the version before. Mails of that one have the empty name, which
    // takes its turn like a channel.
    this.addSql(`alter table mailing add column channel_link text not null default ''`);
    this.addSql(
      `create index mailing_due on mailing (channel_link, (number = 0), sale_id, number) where status = 'waiting'`,
    );
    this.addSql(
      'create table mail_pace (minute timestamptz(3) primary key, taken integer not null)',
    );
  }
}
