import type { NextStep } from './error-codes.ts';
import type { InsuranceError } from './errors.ts';
import type { RetryLimits, Settings } from './options.ts';

/** Statuses of an unknown outcome: the work may or may not have been done. */
const UNKNOWN_OUTCOMES: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** Whether the service says that it has not done the work: a repetition is the first try. */
const isUndone = ({ code, status }: InsuranceError): boolean =>
  status === 429 || code === 'still_running';

const isUnknown = ({ code, status }: InsuranceError): boolean =>
  (status === 0 && code !== 'redirected') ||
  code === 'unreadable_answer' ||
  UNKNOWN_OUTCOMES.has(status);

/**
 * The least time for a repetition, ms: a shorter one would end a request that was just sent, and so
 * make an unknown outcome of a refusal.
 */
export const leastTryMs = ({ timeoutMs, retry }: Settings): number =>
  Math.min(timeoutMs, retry.totalMs / 6);

/** What to do: what must not be repeated, and may have been done, is looked up. */
export const nextOf = (error: InsuranceError, isRepeatable: boolean): NextStep => {
  const isAdvisedToRepeat = error.next === 'repeat' || error.next === 'wait';
  return !isRepeatable && isAdvisedToRepeat && isUnknown(error) ? 'look_up' : error.next;
};

/**
 * How long to wait before a request is sent again: what `Retry-After` says, else twice as long each
 * time, up to a quarter more so that not all callers come back at once.
 *
 * @param isRepeatable whether it may be repeated although the service may have done the work
 * @returns ms; undefined if it must not be sent again, or not within the limits
 */
export const pauseBeforeNext = (
  error: InsuranceError,
  isRepeatable: boolean,
  { attempts, elapsedMs }: { readonly attempts: number; readonly elapsedMs: number },
  limits: Required<RetryLimits> & { readonly leastMs: number },
): number | undefined => {
  const mayRepeat = isUndone(error) || (isRepeatable && isUnknown(error));
  if (!mayRepeat || attempts >= limits.attempts) return undefined;

  const backOffMs = limits.firstPauseMs * 2 ** (attempts - 1) * (1 + Math.random() / 4);
  const pauseMs = error.retryAfterMs ?? backOffMs;
  return elapsedMs + pauseMs + limits.leastMs <= limits.totalMs ? pauseMs : undefined;
};
