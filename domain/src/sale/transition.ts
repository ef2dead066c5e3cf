import { type Refusal, refuse } from '../refusal.ts';

/** The state that follows, and what happened on the way: at least one event. */
export interface Transition<State, Event> {
  readonly state: State;
  readonly events: readonly [Event, ...Event[]];
}

/** A notice that changed nothing: it says what is known already, what was true before, or speaks of another charge. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly because: 'repeated' | 'late' | 'other_charge';
}

/** Something moved from one status to another. */
export interface Moved<Status extends string = string> {
  readonly kind: 'moved';
  readonly from: Status;
  readonly to: Status;
}

/**
 * The order of statuses: which come next, and with them whatever comes after those, since a report may leave steps out.
 * No way leads back, so that news can be told from old news.
 */
export type Lifecycle<Status extends string> = { readonly [From in Status]: readonly Status[] };

export const moved = <State, Event>(
  state: State,
  ...events: [Event, ...Event[]]
): Transition<State, Event> => ({
  state,
  events,
});

/** From one state to another, which says so. */
export const moveTo = <
  From extends { readonly status: string },
  To extends { readonly status: string },
>(
  from: From,
  state: To,
): Transition<To, Moved<From['status'] | To['status']>> =>
  moved(state, { kind: 'moved', from: from.status, to: state.status });

const leadsTo = <Status extends string>(
  lifecycle: Lifecycle<Status>,
  from: Status,
  to: Status,
): boolean => lifecycle[from].some((next) => next === to || leadsTo(lifecycle, next, to));

interface Followed {
  readonly status: string;
  /** By what name the other side knows it; absent as long as it has none. */
  readonly number?: string;
}

/**
 * Takes what somebody else reports, steps in between left out: a later status is taken over, the same one or an earlier
 * one is ignored. Refused where it cannot follow, or where the report is of something else, known by another number.
 */
export const follow = <State extends Followed>(
  lifecycle: Lifecycle<State['status']>,
  known: State,
  reported: State,
): Transition<State, Moved<State['status']> | Ignored> | Refusal<'transition_not_possible'> => {
  const from: State['status'] = known.status;
  const to: State['status'] = reported.status;
  const { number = reported.number } = known;
  if (number !== (reported.number ?? number)) return refuse('transition_not_possible');
  if (from === to) return moved(known, { kind: 'ignored', because: 'repeated' });
  // What is not said again still holds.
  if (leadsTo(lifecycle, from, to))
    return moved({ ...known, ...reported }, { kind: 'moved', from, to });
  if (leadsTo(lifecycle, to, from)) return moved(known, { kind: 'ignored', because: 'late' });
  return refuse('transition_not_possible');
};
