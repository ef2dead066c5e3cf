import type { CalendarDate, Instant, Moment } from '#domain';

/** The time, and the business day it falls in (America/Sao_Paulo). */
export interface Clock {
  now(): Instant;
  today(): CalendarDate;
  /** The business day that an instant falls in. */
  dayOf(at: Instant): CalendarDate;
  /** The first instant of a business day. */
  startOf(day: CalendarDate): Instant;
}

/** The clock's moment: the time and its business day. */
export const momentOf = (clock: Clock): Moment => ({ on: clock.today(), at: clock.now() });
