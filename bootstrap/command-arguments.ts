import { InvalidArgumentError } from 'commander';

export const positive = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
};

/** Parses a page size. */
export const count = (text: string): number => {
  if (positive(text) > 9_999)
    throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
};
