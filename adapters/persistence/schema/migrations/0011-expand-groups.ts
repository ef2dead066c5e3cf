import { Migration } from '@mikro-orm/migrations';

/** Keeps which groups of channels have a database of their own, and which channel is in which. */
export class ChannelGroups extends Migration {
  override up(): void {
    this.addSql(`create table channel_group (
  number integer primary key check (number > 0),
  sealed_database text not null,
  is_open boolean not null,
  added_at timestamptz(3) not null
)`);
    this.addSql(`create table channel_place (
  channel_link text primary key,
  group_number integer not null
)`);
    this.addSql(`insert into revision (topic, number) values ('groups', 1)`);
  }
}
