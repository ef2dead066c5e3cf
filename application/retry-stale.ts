import { Unavailable } from './unavailable.ts';

/** Max tries when others change the same thing at the same time. */
const MAX_TRIES = 100;

/**
 * Runs a change again, from the stored state, as long as another change came first.
 *
 * @param subject what is changed, for the error
 * @param change reads what is stored, and stores its change; `stale`: another one came first
 * @throws Unavailable if other changes always come first
 */
export const retryStale = async <Result>(
  subject: string,
  change: () => Promise<Result | 'stale'>,
): Promise<Result> => {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await change();
    if (result !== 'stale') return result;
  }
  throw new Unavailable(`${subject} is changed by too many at once`);
};
