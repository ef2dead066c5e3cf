import { rebuildBySteps } from '../rebuild.ts';
import type { BookingTotals } from './booking-totals.ts';

/** Events, or sales, of one step: many at once cost less, and a step has a time limit. */
const STEP = 500;

interface Needs {
  readonly bookingTotals: BookingTotals;
}

/** Counts bookings that are new. `more`: some are left. */
export const makeFollowBookings =
  ({ bookingTotals }: Needs) =>
  (): Promise<'done' | 'more'> =>
    bookingTotals.follow(STEP);

/**
 * Deletes the totals and counts all bookings again, those of the newest sales first.
 *
 * @param report gets how many sales have been counted, after each step
 * @returns how many
 */
export type RebuildTotals = (report: (counted: number) => void) => Promise<number>;

export const makeRebuildTotals =
  ({ bookingTotals }: Needs): RebuildTotals =>
  async (report) => {
    await bookingTotals.empty();
    return rebuildBySteps((before) => bookingTotals.rebuild(before, STEP), report);
  };
