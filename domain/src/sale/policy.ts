import type { CoveragePeriod } from '../rules/period.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import { follow, type Lifecycle, type Moved, moveTo, type Transition } from './transition.ts';

interface Issued {
  readonly number: string;
  readonly issuedAt: Instant;
  readonly period: CoveragePeriod;
}

export interface ActivePolicy extends Issued {
  readonly status: 'active';
}

export interface CancelledPolicy extends Issued {
  readonly status: 'cancelled';
  /** Last day covered, if any day was. */
  readonly cancelledOn: CalendarDate;
}

/** An active or cancelled contract. Its regular end is a date, not a state. */
export type Policy = ActivePolicy | CancelledPolicy;

const LIFECYCLE: Lifecycle<Policy['status']> = { active: ['cancelled'], cancelled: [] };

export const cancelPolicy = (
  policy: ActivePolicy,
  cancelledOn: CalendarDate,
): Transition<CancelledPolicy, Moved<Policy['status']>> =>
  moveTo(policy, ['active'], { ...policy, status: 'cancelled', cancelledOn });

/** Applies the insurer's report; old news is ignored, another policy number refused. */
export const followPolicy = (known: Policy, reported: Policy) => follow(LIFECYCLE, known, reported);
