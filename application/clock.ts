import type { CalendarDate, Instant, Moment } from '#domain';

/** The time, and the business day it falls in (America/Sao_Paulo). */
export interface Clock {
  now(): Instant;
  today(): CalendarDate;
}

/** The clock's moment: the time and its business day. */
export const momentOf = (clock: Clock): Moment => ({ on: clock.today(), at: clock.now() });
