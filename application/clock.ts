import {
  addDays,
  type CalendarDate,
  type Instant,
  type IofRate,
  instantOf,
  type Moment,
} from '#domain';

/** The time, and business days in America/Sao_Paulo. */
export interface Clock {
  now(): Instant;
  today(): CalendarDate;
  /** The business day of an instant. */
  dayOf(at: Instant): CalendarDate;
  /** The first instant of a business day. */
  startOf(day: CalendarDate): Instant;
}

/** The current time, its business day and the IOF table in force. */
export const momentOf = (
  clock: Clock,
  { iofRates }: { readonly iofRates?: readonly IofRate[] } = {},
): Moment => ({ on: clock.today(), at: clock.now(), ...(iofRates && { iofRates }) });

/** The last second of a business day. */
export const endOfDay = (clock: Clock, day: CalendarDate): Instant =>
  instantOf(new Date(Date.parse(clock.startOf(addDays(day, 1))) - 1_000));

/** The instant so many ms after another; before it, if `ms` is negative. */
export const later = (at: Instant, ms: number): Instant => instantOf(new Date(Date.parse(at) + ms));

/** Waiting, while something else goes on. Neither keeps the process from ending. */
export interface Timers {
  /** Calls `work` every so many ms, until the returned function is called. */
  every(ms: number, work: () => void): () => void;
  pause(ms: number): Promise<void>;
}
