import { Migration } from '@mikro-orm/migrations';

/** Sums bookings by day. Filled in the background, from the first event that is kept. */
export class Totals extends Migration {
  override up(): void {
    this.addSql(`create table booking_total (
  day text not null,
  channel_link text not null,
  product_code text not null,
  kind text not null,
  lines bigint not null,
  net bigint not null,
  iof bigint not null,
  total bigint not null,
  commission bigint not null,
  net_amount bigint not null,
  owed_by_channel bigint not null,
  owed_to_channel bigint not null,
  primary key (day, channel_link, product_code, kind)
)`);
    this.addSql(`create table counted_booking (
  sale_id bigint not null,
  kind text not null,
  primary key (sale_id, kind)
)`);
    this.addSql(`create table total_place (
  follower text primary key,
  place bigint not null,
  as_of timestamptz(3)
)`);
    this.addSql(`insert into total_place (follower, place) values ('totals', 0)`);
  }
}
