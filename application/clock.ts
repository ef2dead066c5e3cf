import type { CalendarDate, Instant } from '#domain';

/** The time, and the business day it falls in (America/Sao_Paulo). */
export interface Clock {
  now(): Instant;
  today(): CalendarDate;
}
