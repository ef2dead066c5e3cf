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
 * Removes what versions before 0025 needed: the triggers, and the ranges of sales. A mail that such a
 * version has handed over to the job queue, because a version was left out, waits to be claimed again.
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
        table,
        triggers.map((trigger) => `drop trigger if exists ${trigger} on ${table}`).join('; '),
      );
    this.#whenFree('event_numbering', 'alter table event_numbering drop column if exists sale_id');
    this.#whenFree('registration_range', 'drop table if exists registration_range');
    this.addSql(`drop function if exists ${FUNCTIONS.join(', ')}`);
  }

  /**
   * What waits for a lock makes all statements wait that come after it: behind a backup, sales would
   * stop. So a transaction that has the table for some seconds is waited for without a lock, and any
   * other one for 1.5 s. That is longer than the second after which PostgreSQL ends a vacuum that is
   * in the way.
   */
  #whenFree(table: string, change: string): void {
    this.addSql(`
      do $$
      begin
        for tries in 1..30 loop
          if not exists (
            select from pg_locks left join pg_stat_activity using (pid)
            where relation = to_regclass('${table}') and granted and pid <> pg_backend_pid()
              and mode <> 'ShareUpdateExclusiveLock'
              and coalesce(xact_start, '-infinity') < clock_timestamp() - interval '3 s'
          ) then
            begin
              set local lock_timeout = '1500ms';
              ${change};
              return;
            exception when lock_not_available then null;
            end;
          end if;
          perform pg_sleep(3);
        end loop;
        raise lock_not_available;
      end $$`);
  }
}
