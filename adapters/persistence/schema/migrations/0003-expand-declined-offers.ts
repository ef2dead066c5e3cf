import { Migration } from '@mikro-orm/migrations';

/** Counts the offers that customers have declined, by channel, day and product. */
export class DeclinedOffers extends Migration {
  override up(): void {
    this.addSql(`create table declined_offer (
  channel_link text not null,
  day text not null,
  product text not null,
  count bigint not null,
  primary key (channel_link, day, product)
)`);
  }
}
