import { Migration } from '@mikro-orm/migrations';

/** Adds the alerts as records, and what operators were told of them. */
export class AlertRecords extends Migration {
  override up(): void {
    this.addSql(`
      create table alert (
        id bigint generated always as identity primary key,
        kind text not null,
        subject text not null,
        sale_id bigint,
        details jsonb not null,
        first_at timestamptz(3) not null,
        last_at timestamptz(3) not null,
        times integer not null,
        request_id text,
        raise_number bigint not null,
        status text not null constraint alert_status check (status in ('open', 'resolved')),
        resolved_at timestamptz(3),
        resolved_by text,
        note text,
        constraint alert_resolved check (
          (status = 'open') = (resolved_at is null)
          and (resolved_at is null) = (resolved_by is null) and (resolved_by is null) = (note is null)
        )
      )`);
    this.addSql(`create unique index alert_open on alert (kind, subject) where status = 'open'`);
    this.addSql(`
      create index alert_by_raise on alert (kind, raise_number desc) where status = 'open'`);
    this.addSql(`create index alert_by_kind on alert (kind, id)`);
    this.addSql(`create index alert_by_status on alert (status, id)`);
    this.addSql(`create index alert_by_sale on alert (sale_id, id) where sale_id is not null`);
    this.addSql(`
      create table alert_telling (
        kind text not null,
        way text not null constraint alert_telling_way check (way in ('mail', 'webhook')),
        told_at timestamptz(3),
        told_up_to bigint not null,
        claimed_until timestamptz(3),
        failures integer not null,
        primary key (kind, way)
      )`);
    this.addSql(`
      create table alert_numbering (
        list text primary key constraint alert_numbering_list check (list = 'raises'),
        number bigint not null
      )`);
    this.addSql(`insert into alert_numbering (list, number) values ('raises', 0)`);
  }
}
