import { Migration } from '@mikro-orm/migrations';

/** Keeps the sales whose refund by the channel was not confirmed in time: each raises one alert. */
export class LateRefunds extends Migration {
  override up(): void {
    this.addSql(`create table late_refund (
  sale_id bigint primary key,
  since timestamptz(3) not null,
  raised_at timestamptz(3) not null
)`);
  }
}
