import { type Refusal, refuse } from '../refusal.ts';

/** The state that follows, and what happened on the way: at least one event. */
export interface Transition<State, Event> {
  readonly state: State;
  readonly events: readonly [Event, ...Event[]];
}

/** A notice that changed nothing: it says what is known already, or what was true before. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly because: 'repeated' | 'late';
}

/** Something moved from one status to another. */
export interface Moved<Status extends string = string> {
  readonly kind: 'moved';
  readonly from: Status;
  readonly to: Status;
}

/** What may directly follow each status. No way leads back, so that a report can be told from a late one. */
export type Lifecycle<Status extends string> = { readonly [From in Status]: readonly Status[] };

export const moved = <State, Event>(state: State, ...events: [Event, ...Event[]]): Transition<State, Event> => ({
  state,
  events,
});

const leadsTo = <Status extends string>(lifecycle: Lifecycle<Status>, from: Status, to: Status): boolean =>
  lifecycle[from].some((next) => next === to || leadsTo(lifecycle, next, to));

/**
 * Takes what somebody else reports, steps in between left out: a later status is taken over, the same one or an earlier
 * one is ignored, and one that cannot follow is refused.
 */
export const follow = <State extends { readonly status: string }>(
  lifecycle: Lifecycle<State['status']>,
  known: State,
  reported: State,
): Transition<State, Moved<State['status']> | Ignored> | Refusal<'transition_not_possible'> => {
  const from: State['status'] = known.status;
  const to: State['status'] = reported.status;
  if (from === to) return moved(known, { kind: 'ignored', because: 'repeated' });
  if (leadsTo(lifecycle, from, to)) return moved(reported, { kind: 'moved', from, to });
  if (leadsTo(lifecycle, to, from)) return moved(known, { kind: 'ignored', because: 'late' });
  return refuse('transition_not_possible');
};
