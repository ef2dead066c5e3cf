import { type DateRefusal, type Refusal, refuse } from '../refusals/refusal.ts';
import { addMonths, type CalendarDate } from '../values/calendar.ts';

/** The dates of a sale, as far as known. */
export interface DatesToCheck {
  readonly soldOn?: CalendarDate | undefined;
  readonly paidOn?: CalendarDate | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly birthDate?: CalendarDate | undefined;
}

/** False if one of the dates is unknown. */
const isAfter = (one: CalendarDate | undefined, other: CalendarDate | undefined): boolean =>
  (one ?? '') > (other ?? '9');

/**
 * The rules that the known dates break: sold by today and not more than a year ago, paid by today,
 * event not before payment, born before today.
 */
export const dateRefusals = (
  { soldOn, paidOn, eventOn, birthDate }: DatesToCheck,
  today: CalendarDate,
): readonly Refusal<DateRefusal>[] => {
  const refusals: Refusal<DateRefusal>[] = [];
  if (isAfter(soldOn, today)) refusals.push(refuse('sold_in_future'));
  if (soldOn !== undefined && soldOn < addMonths(today, -12))
    refusals.push(refuse('sold_long_ago'));
  if (isAfter(paidOn, today)) refusals.push(refuse('paid_in_future'));
  if (isAfter(paidOn, eventOn)) refusals.push(refuse('event_before_payment'));
  if ((birthDate ?? '') >= today) refusals.push(refuse('born_in_future'));
  return refusals;
};
