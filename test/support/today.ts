import type { CalendarDate } from '#domain';
import { businessDay } from '../../adapters/system/clock.ts';

/** The date in São Paulo, so many days from now. UTC is a day ahead there from 21:00. */
export const inDays = (days: number): CalendarDate => businessDay(Date.now() + days * 86_400_000);
