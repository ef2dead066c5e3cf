import type { CoveragePeriod } from '../rules/period.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import type { ApprovedPayment } from './payment.ts';
import type { Policy } from './policy.ts';
import {
  type CancelledSale,
  type IssuedSale,
  isUnpaid,
  type NewSale,
  type PaidSale,
  type RefundedSale,
  type Sale,
} from './sale.ts';
import type { SaleTerms } from './terms.ts';

/**
 * The document that proves a contract: the insurer's policy, or the bilhete of a sale paid to the
 * channel.
 */
export interface IssuedDocument {
  readonly kind: 'bilhete' | 'policy';
  readonly number: string;
  readonly issuedAt: Instant;
}

/** A sale with a contract that was not cancelled. */
export type CertifiedSale = PaidSale | IssuedSale;

/** A sale for which a certificate was issued, also after the contract has ended. */
export type DocumentedSale =
  | CertifiedSale
  | ((CancelledSale | RefundedSale) & { readonly payment: ApprovedPayment });

const isBilhete = ({ payment }: SaleTerms): boolean => payment.collectedBy === 'channel';

/**
 * A sale paid to the channel is a contract by itself (bilhete; Lei 15.040/2024, art. 54: any means
 * proves a contract); any other needs the insurer's policy.
 */
export const isCertified = <Some extends Sale | NewSale>(
  sale: Some,
): sale is Some & CertifiedSale =>
  sale.status === 'issued' || (sale.status === 'paid' && isBilhete(sale.terms));

/** Since when a certificate is to be mailed without request; undefined: it is not. */
export const certificateDueSince = (sale: Sale | NewSale): Instant | undefined => {
  if (!isCertified(sale) || sale.terms.certificateMail === 'on_request') return undefined;
  return sale.status === 'issued' ? sale.policy.issuedAt : sale.registeredAt;
};

const policyOf = (sale: Sale): Policy | undefined => ('policy' in sale ? sale.policy : undefined);

/** The document issued for a sale, also after its end; undefined if there was none. */
export const issuedDocumentOf = (sale: Sale): IssuedDocument | undefined => {
  const policy = policyOf(sale);
  if (policy) return { kind: 'policy', number: policy.number, issuedAt: policy.issuedAt };
  if (!isBilhete(sale.terms)) return undefined;
  return {
    kind: 'bilhete',
    number: `B-${String(sale.id).padStart(9, '0')}`,
    issuedAt: sale.registeredAt,
  };
};

/** Whether a certificate was issued. Only a paid sale gets one. */
export const isDocumented = (sale: Sale): sale is DocumentedSale =>
  issuedDocumentOf(sale) !== undefined;

/** The days covered, inclusive: the policy's or those sold. */
export const coverOf = (sale: Sale): CoveragePeriod => policyOf(sale)?.period ?? sale.terms.period;

/** State of a contract on a day. */
export type Standing = 'to_begin' | 'in_force' | 'ended' | 'cancelled';

/** The state of a sale's contract on a day; undefined if there was no document. */
export const standingOn = (sale: Sale, day: CalendarDate): Standing | undefined => {
  if (issuedDocumentOf(sale) === undefined) return undefined;
  if (!isCertified(sale)) return 'cancelled';
  const { start, end } = coverOf(sale);
  if (day < start) return 'to_begin';
  return day > end ? 'ended' : 'in_force';
};

/**
 * Whether the insured waits for the insurer's policy. The proposal is made by the sale itself: the
 * channel receives it for the insurer.
 */
export const awaitsPolicy = (sale: Sale): boolean =>
  isUnpaid(sale) || (sale.status === 'paid' && sale.terms.payment.collectedBy === 'service');
