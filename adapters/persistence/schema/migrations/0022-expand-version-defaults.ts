import { Migration } from '@mikro-orm/migrations';

/**
 * MikroORM counts the versions of entities itself, and leaves the first one to the database. The
 * version of the service before goes on naming it.
 */
export class VersionDefaults extends Migration {
  override up(): void {
    for (const table of ['api_client', 'product', 'channel', 'webhook_endpoint'])
      this.addSql(`alter table ${table} alter column version set default 1`);
  }
}
