import type { ErrorObject, Options, ValidateFunction } from 'ajv';

/**
 * Makes an Ajv list all errors, but stop at a number of them: it creates an object for each, which
 * takes time. Ajv has no such option; the code that it generates is changed to throw its list.
 *
 * @param max errors that are listed
 */
export const limitErrors = (max: number, code: Options['code'] = {}): Options => ({
  allErrors: true,
  code: {
    ...code,
    process: (text) => text.replaceAll('errors++;', `if (++errors >= ${max}) throw vErrors;`),
  },
});

/** The errors of a value. @param validate compiled by an Ajv with `limitErrors` */
export const listErrors = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] => {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (thrown) {
    if (Array.isArray(thrown)) return thrown;
    throw thrown;
  }
};
