import { type CorrectionRefusal, type Refusal, refuse } from '../refusals/refusal.ts';
import type { Instant } from '../values/calendar.ts';
import type { Email } from '../values/contact.ts';
import { outstandingRefunds } from './outstanding-refunds.ts';
import type { EmailCorrection, Sale } from './sale.ts';
import type { SaleTransition } from './sale-transitions.ts';
import { moved } from './transition.ts';

/** Max corrections of one sale in an hour. */
export const MAX_CORRECTIONS_AN_HOUR = 3;

const HOUR_MS = 3_600_000;

/**
 * Whether a certificate, a notice of cancellation, or the question for the account of a refund may
 * be mailed now or later.
 */
export const isMailable = (sale: Sale): boolean =>
  (sale.status !== 'refused' && sale.status !== 'expired') ||
  outstandingRefunds(sale).some(({ waitsFor }) => waitsFor?.actor === 'insured');

interface Addressed extends Pick<Sale, 'terms'> {
  readonly corrections?: readonly EmailCorrection[] | undefined;
}

/** The address that mails to the insured go to: the last correction, or the one in the terms. */
export const emailOf = ({ terms, corrections }: Addressed): Email =>
  corrections?.at(-1)?.email ?? terms.insured.email;

/** Refused: the sale had `MAX_CORRECTIONS_AN_HOUR` in the last hour. */
export interface TooManyCorrections extends Refusal<CorrectionRefusal> {
  /** When the earliest of them was made. */
  readonly earliest: Instant;
}

/**
 * Corrects the address of the insured. The terms keep the address that was accepted. The address
 * that is in use already changes nothing.
 */
export const correctEmail = (
  sale: Sale,
  email: Email,
  at: Instant,
): SaleTransition | TooManyCorrections => {
  if (email === emailOf(sale)) return moved(sale, { kind: 'ignored', because: 'repeated' });

  const { corrections = [] } = sale;
  const earliest = corrections.at(-MAX_CORRECTIONS_AN_HOUR)?.at;
  if (earliest !== undefined && Date.parse(at) - Date.parse(earliest) < HOUR_MS)
    return { ...refuse('too_many_corrections'), earliest };

  return moved(
    { ...sale, corrections: [...corrections, { email, at }] },
    { kind: 'email_corrected' },
  );
};
