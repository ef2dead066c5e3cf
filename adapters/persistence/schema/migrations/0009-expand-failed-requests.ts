import { Migration } from '@mikro-orm/migrations';

/**
 * Finds the failed requests of a channel. Requests are noted in the background: that they wait while
 * the index is built delays no sale.
 */
export class FailedRequests extends Migration {
  override up(): void {
    this.addSql(
      'create index answered_request_failed on answered_request (channel_link, id) where code is not null',
    );
  }
}
