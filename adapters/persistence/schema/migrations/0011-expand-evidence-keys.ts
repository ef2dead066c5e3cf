import { Migration } from '@mikro-orm/migrations';

/** Adds the public keys that have signed evidence. */
export class EvidenceKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table evidence_key (
        key_id text primary key,
        jwk jsonb not null,
        kept_at timestamptz(3) not null,
        withdrawn_at timestamptz(3)
      )`);
  }
}
