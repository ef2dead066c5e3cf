import { businessDay, type CalendarDate, type Cents, type Sale } from '#domain';

/** A sale that its payer was asked to pay after the registration, by a link or a boleto. */
export interface CountedOffer {
  /** `taken_up`: the payer has paid. A sale that is taken up was offered, too. */
  readonly kind: 'offered' | 'taken_up';
  /** The business day of the registration, of both: so that shares are those of one day's offers. */
  readonly day: CalendarDate;
  /** The price, in cents. */
  readonly total: Cents;
}

const isOffered = ({ terms, payment }: Sale): boolean => {
  if (terms.payment.collectedBy === 'channel' || terms.payment.method === 'credit') return false;
  if (payment.status === 'declined') return payment.reason !== 'gateway_refused';
  return ['awaited', 'expired', 'approved'].includes(payment.status);
};

/** What of a sale is counted as offered, and as taken up. */
export const offersOf = (sale: Sale): readonly CountedOffer[] => {
  if (!isOffered(sale)) return [];
  const day = businessDay(sale.registeredAt);
  const { total } = sale.terms.quote.premium;
  const offered = { kind: 'offered', day, total } as const;
  const isPaid = 'bookedAt' in sale && sale.bookedAt !== undefined;
  return isPaid ? [offered, { ...offered, kind: 'taken_up' }] : [offered];
};
