import { OptimisticLockError, UniqueConstraintViolationException } from '@mikro-orm/core';

/** Adds rows. @returns false where there is one of their unique name already: none is added then */
export const isAdded = async (flush: Promise<unknown>): Promise<boolean> => {
  try {
    await flush;
    return true;
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return false;
    throw error;
  }
};

/** Changes rows. @returns false where one has another version by now: none is changed then */
export const isSaved = async (flush: Promise<unknown>): Promise<boolean> => {
  try {
    await flush;
    return true;
  } catch (error) {
    if (error instanceof OptimisticLockError) return false;
    throw error;
  }
};
