import { Migration } from '@mikro-orm/migrations';

/** Keeps the acts that wait for a second person. */
export class Approvals extends Migration {
  override up(): void {
    this.addSql(`create table approval_request (
  sale_id bigint primary key,
  sale_version integer not null,
  act jsonb not null,
  amount bigint not null,
  person_id text not null,
  person_name text not null,
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
)`);
  }
}
