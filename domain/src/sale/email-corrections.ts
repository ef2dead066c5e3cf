import { type CorrectionRefusal, type Refusal, refuse } from '../refusal.ts';
import type { Instant } from '../values/calendar.ts';
import type { Email } from '../values/contact.ts';
import type { EndedByCancellation } from './cancellation-notice.ts';
import type { EmailCorrection, IssuedSale, PaidSale, Sale } from './sale.ts';
import type { SaleTransition, UnpaidSale } from './sale-transitions.ts';
import { moved } from './transition.ts';

/** Max corrections of one sale in an hour. */
export const MAX_CORRECTIONS_AN_HOUR = 3;

const HOUR_MS = 3_600_000;

/** A sale whose certificate, or whose notice of cancellation, may be mailed now or later. */
export type MailableSale = UnpaidSale | PaidSale | IssuedSale | EndedByCancellation;

export const isMailable = (sale: Sale): sale is MailableSale =>
  sale.status !== 'refused' && sale.status !== 'expired';

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
  sale: MailableSale,
  email: Email,
  at: Instant,
): SaleTransition<MailableSale> | TooManyCorrections => {
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
