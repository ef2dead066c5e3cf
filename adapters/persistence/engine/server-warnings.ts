import { type Query, statement } from './statement.ts';

interface Durability {
  readonly standbys: number;
  readonly synchronousStandbys: string;
  readonly synchronousCommit: string;
  readonly fsync: string;
}

const readDurability = statement<Record<string, never>, Durability>(
  'durability',
  `
    select (select count(*)::int from pg_stat_replication) as standbys,
      current_setting('synchronous_standby_names') as "synchronousStandbys",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('fsync') as fsync`,
);

/** The settings of the server by which acknowledged sales can be lost, in words for an operator. */
export const durabilityWarnings = async (query: Query): Promise<readonly string[]> => {
  const [found] = await query(readDurability, {});
  return found === undefined ? [] : warningsAbout(found);
};

const warningsAbout = (durability: Durability): readonly string[] => {
  const { standbys, synchronousStandbys, synchronousCommit, fsync } = durability;
  const warnings: string[] = [];
  if (standbys > 0 && synchronousStandbys === '')
    warnings.push(
      'standbys are attached, but synchronous_standby_names is empty: ' +
        'a failover loses sales that were acknowledged',
    );
  if (synchronousCommit === 'off' || synchronousCommit === 'local')
    warnings.push(
      `synchronous_commit is ${synchronousCommit}: sales are acknowledged before they are safe`,
    );
  if (fsync === 'off')
    warnings.push('fsync is off: a power failure loses sales, or the whole database');
  return warnings;
};
