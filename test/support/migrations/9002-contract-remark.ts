import { Migration } from '@mikro-orm/migrations';
import { whenFree } from '../../../adapters/persistence/schema/when-free.ts';

/** A made-up `contract` migration. */
export class NoRemark extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(whenFree('sale', 'alter table sale drop column if exists remark'));
  }
}
