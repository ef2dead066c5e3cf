import { InvalidArgumentError } from 'commander';
import { type Instant, parseInstant } from '#domain';

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

/** Parses a time with its offset from UTC. */
export const instant = (text: string): Instant => {
  const at = parseInstant(text);
  if (at === undefined)
    throw new InvalidArgumentError('It must be a time such as 2026-11-23T12:00:00Z.');
  return at;
};
