import { AssertionError } from 'chai';

/**
 * Waits for a promise that must be rejected. For a function that throws, use chai's `to.throw`.
 *
 * @returns the error
 * @throws AssertionError where the promise is fulfilled
 */
export const expectError = async <Thrown extends Error = Error>(
  promise: Promise<unknown>,
): Promise<Thrown> => {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: Thrown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new AssertionError(`expected an error, got ${JSON.stringify(outcome.value)}`);
};
