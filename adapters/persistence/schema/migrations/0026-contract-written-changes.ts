import { Migration } from '@mikro-orm/migrations';

/** The triggers that wrote what statements write from 0023 and 0025 on, by table. */
const TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  sale: ['sale_updated', 'sale_status_changed', 'sale_registered'],
  mailing: ['mailing_settled'],
  new_partner_event: ['new_partner_event_taken'],
  api_client: ['api_client_changed', 'api_client_emptied'],
  product: ['product_changed', 'product_emptied'],
  channel: ['channel_changed', 'channel_emptied'],
  iof_rate: ['iof_rate_changed'],
  token_family: ['token_family_revoked'],
};

const FUNCTIONS = [
  ...['note_sale_update', 'note_sale_event', 'note_mailing_event', 'note_change'],
  ...['number_revocation', 'note_registration', 'leave_after_registration'],
];

/**
 * Removes what versions before 0025 needed: the triggers, the ranges of sales, and the index by which
 * they handed mails over to the job queue. A mail that is still there, because a version was left out,
 * waits to be claimed again.
 *
 * Each statement is a transaction of its own and locks one table, so none can deadlock with a sale.
 * After a failure, the next start begins again.
 */
export class WrittenChangesOnly extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const table of ['mailing', 'cancellation_mailing', 'refund_mailing'])
      this.addSql(
        `update ${table} set status = 'waiting' where status = 'handed_over' and claimed_until is null`,
      );
    for (const [table, triggers] of Object.entries(TRIGGERS))
      this.#whenFree(
        triggers.map((trigger) => `drop trigger if exists ${trigger} on ${table}`).join('; '),
      );
    this.#whenFree('drop index if exists mailing_waiting');
    this.#whenFree('alter table event_numbering drop column if exists sale_id');
    this.addSql('drop table if exists registration_range');
    this.addSql(`drop function if exists ${FUNCTIONS.join(', ')}`);
  }

  /**
   * What waits for a lock makes all statements wait that come after it. A backup or a long list would
   * stop sales, so the wait is given up and tried again. It is longer than the second after which
   * PostgreSQL ends a vacuum that is in the way.
   */
  #whenFree(change: string): void {
    this.addSql(`
      do $$
      begin
        for tries in 1..20 loop
          begin
            set local lock_timeout = '1500ms';
            ${change};
            return;
          exception when lock_not_available then
            perform pg_sleep(3);
          end;
        end loop;
        raise lock_not_available using
          message = 'a statement of more than a minute reads the tables of sales',
          hint = 'Start this version again when it is over.';
      end $$`);
  }
}
