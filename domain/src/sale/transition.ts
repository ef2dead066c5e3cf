import { type Refusal, refuse } from '../refusals/refusal.ts';

/** The next state and at least one event. */
export interface Transition<State, Event> {
  readonly state: State;
  readonly events: readonly [Event, ...Event[]];
}

/** The report changed nothing: it is known, older than what is known, or about another charge. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly because: 'repeated' | 'late' | 'other_charge';
}

/** A change of status. */
export interface Moved<Status extends string = string> {
  readonly kind: 'moved';
  readonly from: Status;
  readonly to: Status;
}

/**
 * The statuses that follow each status directly. A report may skip some. There are no cycles, so
 * old news can be told from new.
 */
export type Lifecycle<Status extends string> = { readonly [From in Status]: readonly Status[] };

export const moved = <State, Event>(
  state: State,
  ...events: [Event, ...Event[]]
): Transition<State, Event> => ({
  state,
  events,
});

/**
 * The compiler keeps transitions from states that they cannot leave; this keeps those of plain
 * JavaScript.
 *
 * @throws TypeError that names the statuses that can become `to`
 */
export const checkLeaves = <Status extends string>(
  from: Status,
  to: string,
  leavable: readonly Status[],
): void => {
  if (leavable.includes(from)) return;
  throw new TypeError(`what is ${from} cannot become ${to}, only what is ${leavable.join(', ')}`);
};

/** A transition between two statuses. @param leavable the statuses that it may leave */
export const moveTo = <
  From extends { readonly status: string },
  To extends { readonly status: string },
>(
  from: From,
  leavable: readonly From['status'][],
  state: To,
): Transition<To, Moved<From['status'] | To['status']>> => {
  checkLeaves(from.status, state.status, leavable);
  return moved(state, { kind: 'moved', from: from.status, to: state.status });
};

const leadsTo = <Status extends string>(
  lifecycle: Lifecycle<Status>,
  from: Status,
  to: Status,
): boolean => lifecycle[from].some((next) => next === to || leadsTo(lifecycle, next, to));

interface Followed {
  readonly status: string;
  /** The other side's number; absent until it has one. */
  readonly number?: string;
}

/**
 * Applies a reported state: a later status is taken over, the same or an earlier one is ignored.
 * Refused if it cannot follow, or has another number.
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
  // Fields missing in the report keep their value.
  if (leadsTo(lifecycle, from, to))
    return moved({ ...known, ...reported }, { kind: 'moved', from, to });
  if (leadsTo(lifecycle, to, from)) return moved(known, { kind: 'ignored', because: 'late' });
  return refuse('transition_not_possible');
};
