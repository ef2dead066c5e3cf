/**
 * Numbers that a group of channels has for its sales, alerts and entries: those of group 1 begin at
 * 10^11. So a number says its group. Numbers have 15 digits at most, for 9,999 groups: JSON keeps them
 * exact.
 */
export const NUMBERS_OF_GROUP = 100_000_000_000;

/** The group of a number. */
export const groupOfNumber = (number: number): number => Math.floor(number / NUMBERS_OF_GROUP);
