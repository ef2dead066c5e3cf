import type { CalendarDate, Instant } from '../values/calendar.ts';
import type { CoveragePeriod } from './period.ts';
import type { Policy } from './policy.ts';
import type { IssuedSale, NewSale, PaidSale, Sale } from './sale.ts';
import type { SaleTerms } from './terms.ts';

/** The paper that proves a contract: the insurer's policy, or the bilhete that a sale paid to the channel is by itself. */
export interface CertificatePaper {
  readonly kind: 'bilhete' | 'policy';
  readonly number: string;
  readonly issuedAt: Instant;
}

/** A sale whose insured holds a contract that has not been ended before its time. */
export type CertifiedSale = PaidSale | IssuedSale;

const isBilhete = ({ payment }: SaleTerms): boolean => payment.collectedBy === 'channel';

/** A sale paid to the channel is concluded by itself (bilhete, Código Civil, art. 759); any other by the insurer's policy. */
export const isCertified = <Some extends Sale | NewSale>(
  sale: Some,
): sale is Some & CertifiedSale =>
  sale.status === 'issued' || (sale.status === 'paid' && isBilhete(sale.terms));

/** Since when the insured is to have been mailed a certificate without asking for it; undefined where that is not so. */
export const certificateDueSince = (sale: Sale | NewSale): Instant | undefined => {
  if (!isCertified(sale) || sale.terms.certificateMail === 'on_request') return undefined;
  return sale.status === 'issued' ? sale.policy.issuedAt : sale.registeredAt;
};

const policyOf = (sale: Sale): Policy | undefined => ('policy' in sale ? sale.policy : undefined);

/** The paper that was issued for a sale, whatever has become of it since; undefined where there never was one. */
export const paperOf = (sale: Sale): CertificatePaper | undefined => {
  const policy = policyOf(sale);
  if (policy) return { kind: 'policy', number: policy.number, issuedAt: policy.issuedAt };
  if (!isBilhete(sale.terms)) return undefined;
  return {
    kind: 'bilhete',
    number: `B-${String(sale.id).padStart(9, '0')}`,
    issuedAt: sale.registeredAt,
  };
};

/** The days covered, both included: the policy's, or those that were sold. */
export const coverOf = (sale: Sale): CoveragePeriod => policyOf(sale)?.period ?? sale.terms.period;

/** How a contract stands on a day. */
export type Standing = 'to_begin' | 'in_force' | 'ended' | 'cancelled';

/** How the contract of a sale that has a paper stands on a day; undefined where there never was a paper. */
export const standingOn = (sale: Sale, day: CalendarDate): Standing | undefined => {
  if (paperOf(sale) === undefined) return undefined;
  if (!isCertified(sale)) return 'cancelled';
  const { start, end } = coverOf(sale);
  if (day < start) return 'to_begin';
  return day > end ? 'ended' : 'in_force';
};
