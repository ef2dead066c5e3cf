import { Migration } from '@mikro-orm/migrations';

/** Adds the mailings of certificates: of new sales, and second copies of any sale. */
export class Certificates extends Migration {
  override up(): void {
    // Without a foreign key, which would look up and lock the sale's row with each sale that is
    // written.
    this.addSql(`
      create table mailing (
        sale_id bigint not null,
        number integer not null,
        requested_at timestamptz(3) not null,
        status text not null constraint mailing_status
          check (status in ('waiting', 'handed_over', 'sent', 'undelivered', 'withdrawn')),
        failures integer not null default 0,
        settled_at timestamptz(3),
        reason text,
        client_id text,
        idempotency_key text,
        primary key (sale_id, number),
        constraint mailing_settled check ((settled_at is null) = (status in ('waiting', 'handed_over'))),
        constraint mailing_key_owner check ((client_id is null) = (idempotency_key is null))
      )`);
    this.addSql(
      `create index mailing_waiting on mailing ((number = 0), sale_id, number) where status = 'waiting'`,
    );
    this.addSql(
      `create index mailing_undelivered on mailing (sale_id, number) where status = 'undelivered'`,
    );
    this.addSql(
      `create unique index mailing_key on mailing (client_id, idempotency_key) where idempotency_key is not null`,
    );
  }
}
