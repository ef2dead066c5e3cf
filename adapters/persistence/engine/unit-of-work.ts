import { UniqueConstraintViolationException } from '@mikro-orm/core';

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
