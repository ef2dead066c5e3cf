import { Migration } from '@mikro-orm/migrations';

/** Adds the answers to partners' requests, and what clients have shown before they go live. */
export class AnsweredRequests extends Migration {
  override up(): void {
    this.addSql(`
      create table answered_request (
        id bigint generated always as identity primary key,
        channel_link text not null,
        request_id text not null,
        client_id text not null,
        at timestamptz(3) not null,
        method text not null,
        route text not null,
        status integer not null,
        code text,
        fields text,
        ms double precision not null,
        sale_id bigint,
        replayed boolean not null
      )`);
    this.addSql(
      `create index answered_request_by_name on answered_request (channel_link, request_id, id)`,
    );
    this.addSql(`
      create table readiness (
        client_id text primary key,
        done jsonb not null
      )`);
  }
}
