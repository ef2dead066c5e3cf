import { Migration } from '@mikro-orm/migrations';

/** Keeps the people of the console and their sessions. */
export class People extends Migration {
  override up(): void {
    this.addSql(`create table person (
  person_id text primary key,
  name text not null,
  email text unique,
  role text not null,
  channel_link text,
  is_active boolean not null,
  generation integer not null,
  created_at timestamptz(3) not null,
  credentials jsonb,
  link_hash text unique,
  link_kind text,
  link_expires_at timestamptz(3),
  version integer not null
)`);
    this.addSql(`create table person_session (
  session_id text primary key,
  person_id text not null,
  generation integer not null,
  way text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  proved_at timestamptz(3) not null,
  address text,
  browser text,
  secret_hash text not null unique,
  wrong_codes integer not null
)`);
    this.addSql('create index person_session_by_person on person_session (person_id)');
    this.addSql('create index person_session_by_end on person_session (expires_at)');
  }
}
