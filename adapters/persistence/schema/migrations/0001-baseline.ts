import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** Creates the tables, from the SQL beside this file. Until version 1.0.0 that file is edited. */
export class Baseline extends Migration {
  override up(): void {
    const text = readFileSync(new URL('0001-baseline.sql', import.meta.url), 'utf8');
    for (const statement of text.trim().split(/;\n\n/)) this.addSql(statement);
  }
}
