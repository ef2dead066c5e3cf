import { type DateRefusal, type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';

/** The days a sale brings, as far as they are known. */
export interface DatesToCheck {
  readonly soldOn?: CalendarDate | undefined;
  readonly paidOn?: CalendarDate | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly birthDate?: CalendarDate | undefined;
}

/** Every rule that the known dates break: sold and paid by today, an event not before its payment, born before today. */
export const dateRefusals = (
  { soldOn, paidOn, eventOn, birthDate }: DatesToCheck,
  today: CalendarDate,
): readonly Refusal<DateRefusal>[] => {
  const refusals: Refusal<DateRefusal>[] = [];
  if (soldOn !== undefined && soldOn > today) refusals.push(refuse('sold_in_future'));
  if (paidOn !== undefined && paidOn > today) refusals.push(refuse('paid_in_future'));
  if (paidOn !== undefined && eventOn !== undefined && eventOn < paidOn) refusals.push(refuse('event_before_payment'));
  if (birthDate !== undefined && birthDate >= today) refusals.push(refuse('born_in_future'));
  return refusals;
};
