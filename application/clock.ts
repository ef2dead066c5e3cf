import type { CalendarDate, Instant, Moment } from '#domain';

/** The time, and business days in America/Sao_Paulo. */
export interface Clock {
  now(): Instant;
  today(): CalendarDate;
  /** The business day of an instant. */
  dayOf(at: Instant): CalendarDate;
  /** The first instant of a business day. */
  startOf(day: CalendarDate): Instant;
}

/** The current time and its business day. */
export const momentOf = (clock: Clock): Moment => ({ on: clock.today(), at: clock.now() });
