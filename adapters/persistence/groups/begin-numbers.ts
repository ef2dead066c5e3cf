import { groupOfNumber, NUMBERS_OF_GROUP } from '../../../application/groups/group-numbers.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';

interface Present {
  /** The number of the last sale; before the first sale, its number. */
  readonly number: string;
  readonly isNew: boolean;
  readonly isControl: boolean;
}

const readPresent = statement<Record<never, never>, Present>(
  'read-numbers-of-group',
  `
    select last_value::text as number, last_value = 1 and not is_called as "isNew",
      exists (select from api_client) as "isControl"
    from sale_id_seq`,
);

const beginSequences = statement<{ readonly first: number }>(
  'begin-numbers-of-group',
  `
    select setval(format('public.%I', sequencename)::regclass, $first, false) from pg_sequences
    where schemaname = 'public' and data_type = 'bigint'::regtype`,
);

/**
 * Makes all numbers of a group's new database begin where those of the group do. Does nothing the
 * second time.
 *
 * @throws Error where the database is a control database, or that of another group
 */
export const beginNumbers = async ({ query }: Database, group: number): Promise<void> => {
  const [present] = await query(readPresent, {});
  if (present === undefined) return;
  if (present.isControl) throw new Error('the database of a group must not have API clients');
  if (present.isNew) {
    await query(beginSequences, { first: group * NUMBERS_OF_GROUP + 1 });
    return;
  }
  const known = groupOfNumber(Number(present.number));
  if (known !== group) throw new Error(`the database is that of group ${known}`);
};
