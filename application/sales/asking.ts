import type { Instant, Sale, SaleStep } from '#domain';
import type { Work } from './work.ts';

/** What an answer makes of the sale as it is then; the attempt is over with it. */
export type Answered = (present: Sale) => Sale;

/** Asks somebody for a step; on a retry, what has become of the earlier attempt is looked for first. */
export type Ask = (sale: Sale, isRetry: boolean, work: Work) => Promise<Answered | 'unanswered'>;

/** For looking ahead: what is followed only to see where it leads raises no alert. */
export const quietly = (work: Work): Work => ({ ...work, alerts: { raise: () => {} } });

/** So long after something was ordered it may still come into being without having been heard of. */
const SETTLING_SECONDS = 240;

/** Seconds since a step was begun. */
const age = ({ attempts = [] }: Sale, step: SaleStep, now: Instant): number => {
  const attempt = attempts.find((each) => each.step === step);
  return attempt === undefined ? 0 : (Date.parse(now) - Date.parse(attempt.since)) / 1_000;
};

/** Whoever was held up for so long between storing what it would ask and asking it may no longer be the only one at it. */
export const isLate = (sale: Sale, step: SaleStep, { now }: Work): boolean =>
  age(sale, step, now().at) > 20;

export const isSettled = (sale: Sale, step: SaleStep, { now }: Work): boolean =>
  age(sale, step, now().at) >= SETTLING_SECONDS;
