import { type EntityName, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/** @returns false where a row has the unique name of another: then `work` has stored nothing */
export const isAdded = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return false;
    throw error;
  }
};

/**
 * All rows of a table, for a copy in memory. Not as entities: ten thousand of those would stop the
 * process for a quarter of a second.
 *
 * @returns times as `Date`
 */
export const readAll = <Entity extends object, Name extends keyof Entity & string>(
  em: EntityManager,
  entity: EntityName<Entity>,
  names: readonly Name[],
): Promise<readonly Pick<Entity, Name>[]> =>
  em
    .createQueryBuilder(entity)
    .select(names as never)
    .execute() as unknown as Promise<readonly Pick<Entity, Name>[]>;
