/** SQLSTATE: a row with this unique name is there. */
const UNIQUE_VIOLATION = '23505';

/** @returns false where a row has the unique name of another: then `work` has stored nothing */
export const isAdded = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
};
