import { Migration } from '@mikro-orm/migrations';

/**
 * Adds what sales through a gateway and an insurer need: the lease of the worker that has the sale,
 * the answer to its registration, the notices of gateways, and the books of the sandbox gateway and
 * the local insurer.
 */
export class Payment extends Migration {
  override up(): void {
    this.addSql(`
      alter table sale
        add column lease_holder text,
        add column leased_until timestamptz(3),
        add column answered jsonb,
        add constraint sale_lease check ((lease_holder is null) = (leased_until is null))`);
    this.addSql(`
      create table payment_notice (
        gateway text not null,
        id text not null,
        event text not null,
        reference text,
        charge_id text,
        received_at timestamptz(3) not null,
        outcome text not null constraint payment_notice_outcome
          check (outcome in ('received', 'taken', 'unchanged', 'ignored', 'of_nothing')),
        primary key (gateway, id)
      )`);
    this.addSql(`create index payment_notice_reference on payment_notice (reference)`);
    this.addSql(`
      create table provider_record (
        book text not null,
        key text not null,
        version integer not null,
        content jsonb not null,
        primary key (book, key)
      )`);
    // For lists by prefix (`like 'x%'`), which a plain index serves only in the C collation.
    this.addSql(`create index provider_record_key on provider_record (book, key text_pattern_ops)`);
  }
}
