import type { Instant } from '../values/calendar.ts';
import { NOTHING_SHOWN } from './issuance.ts';
import type { Attempt, Sale, SaleStep } from './sale.ts';

/** The order of a step may still take effect for this long after the attempt began, in seconds. */
const SETTLED_AFTER_SECONDS = 240;

/** Another worker may own the sale after this long between storing an attempt and asking. */
const STALE_AFTER_SECONDS = 20;

/**
 * The open attempt at a step: the provider was asked, or is about to be, and its answer is unknown.
 */
export const attemptAt = ({ attempts }: Sale, step: SaleStep): Attempt | undefined =>
  attempts?.find((each) => each.step === step);

/**
 * Opens an attempt, to be stored before the provider is asked. A charge may exist from then on, and
 * so may documents of an insurer that is asked to quote or to issue.
 *
 * @param gateway the name of the gateway that will be asked for a charge
 */
export const beginAttempt = (
  sale: Sale,
  step: SaleStep,
  since: Instant,
  gateway?: string,
): Sale => {
  if (attemptAt(sale, step) !== undefined) return sale;

  const begun = { ...sale, attempts: [...(sale.attempts ?? []), { step, since }] };
  if (step === 'quote' || step === 'issue')
    return { ...begun, issuance: sale.issuance ?? NOTHING_SHOWN };
  if (step === 'charge' && begun.status === 'pending')
    return {
      ...begun,
      payment: { status: 'unknown', amount: sale.payment.amount, ...(gateway && { gateway }) },
    };
  return begun;
};

/** Closes the attempt at a step; the very same sale if none is open. */
export const endAttempt = (sale: Sale, step: SaleStep): Sale => {
  const { attempts, ...rest } = sale;
  if (attempts === undefined) return sale;

  const others = attempts.filter((each) => each.step !== step);
  if (others.length === attempts.length) return sale;
  return others.length === 0 ? rest : { ...rest, attempts: others };
};

const attemptSeconds = (sale: Sale, step: SaleStep, now: Instant): number => {
  const attempt = attemptAt(sale, step);
  return attempt === undefined ? 0 : (Date.parse(now) - Date.parse(attempt.since)) / 1_000;
};

/** Whether the attempt was stored so long ago that another worker may own the sale now. */
export const isAttemptStale = (sale: Sale, step: SaleStep, now: Instant): boolean =>
  attemptSeconds(sale, step, now) > STALE_AFTER_SECONDS;

/** Whether an unknown order can no longer take effect. */
export const isAttemptSettled = (sale: Sale, step: SaleStep, now: Instant): boolean =>
  attemptSeconds(sale, step, now) >= SETTLED_AFTER_SECONDS;
