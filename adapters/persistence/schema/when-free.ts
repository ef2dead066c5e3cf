/**
 * SQL for a change that a `contract` migration makes to one table. The migration is not
 * transactional (`isTransactional`), so that each change is a transaction of its own and locks one
 * table: it cannot deadlock with a sale.
 *
 * A statement that waits for a lock makes all later statements wait: behind a backup, sales would
 * stop. So the change waits without a lock while a transaction uses the table for some seconds, and
 * waits 1.5 s for any other one. That is longer than the second after which PostgreSQL ends a vacuum
 * that is in the way. After 30 tries the migration fails, and the next start begins again: write
 * changes that can be repeated (`if exists`).
 */
export const whenFree = (table: string, change: string): string => `
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
  end $$`;
