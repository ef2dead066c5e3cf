export type Settings = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * What statements mean, where their tables are, and how values are written, depends on these
 * settings. A database or a role may have others.
 */
export const MEANING: Settings = {
  search_path: ['$user', 'public'],
  client_encoding: 'UTF8',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: 1,
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  lock_timeout: 0,
};

export const LEVEL = 'isolation level read committed';

/** The statements that set each setting; one with several values is a list. */
export const setAll = (command: 'set' | 'set local', settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => {
      const values = [value].flat().map((each) => `'${each}'`);
      return `${command} ${name} = ${values.join(', ')}`;
    })
    .join('; ');

export const SET_SESSION = `
  set session characteristics as transaction ${LEVEL}; ${setAll('set', MEANING)}`;
