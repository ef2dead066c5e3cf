import type { CalendarDate } from '#domain';
import { businessDay } from '../../adapters/system/clock.ts';

/** The day it is in São Paulo, so many days from now: UTC is a day ahead from nine in the evening on. */
export const inDays = (days: number): CalendarDate => businessDay(Date.now() + days * 86_400_000);
