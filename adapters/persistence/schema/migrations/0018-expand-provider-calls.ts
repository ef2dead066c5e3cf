import { Migration } from '@mikro-orm/migrations';

/** Adds what gateway and insurer were asked about sales in trouble, and what they answered. */
export class ProviderCalls extends Migration {
  override up(): void {
    this.addSql(`
      create table provider_call (
        sale_id bigint not null,
        provider text not null,
        question text not null,
        answer text not null,
        times integer not null,
        first_at timestamptz(3) not null,
        last_at timestamptz(3) not null,
        last_ms integer not null,
        request_id text,
        primary key (sale_id, provider, question, answer)
      )`);
    this.addSql(`create index provider_call_by_age on provider_call (last_at)`);
  }
}
