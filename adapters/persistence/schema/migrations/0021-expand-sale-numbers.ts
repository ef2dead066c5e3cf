import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the insurer's numbers of a sale, by which partners ask for it. A process of the version
 * before stores none: a sale that it changes last is found by its other names.
 */
export class SaleNumbers extends Migration {
  override up(): void {
    this.addSql(`
      create table sale_number (
        channel_link text not null,
        number text not null,
        sale_id bigint not null,
        primary key (channel_link, number, sale_id)
      )`);
    this.addSql(`
      insert into sale_number (channel_link, number, sale_id)
      select channel_link, number, id from sale, lateral (values
        (progress#>>'{issuance,quotation,number}'),
        (progress#>>'{issuance,proposal,number}'),
        (progress#>>'{policy,number}')) as numbers (number)
      where progress->'issuance' is not null and number is not null
      on conflict do nothing`);
  }
}
