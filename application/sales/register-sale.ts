import {
  asRegistered,
  type BornSale,
  type CalendarDate,
  type Cents,
  type ChannelPayment,
  coveragePeriod,
  type DateRefusal,
  type Insured,
  isRefusal,
  newSale,
  type OfferRefusal,
  type PeriodRefusal,
  type PriceRefusal,
  type ProductReference,
  quote,
  type SaleTerms,
  saleTerms,
} from '#domain';
import type { Clock } from '../clock.ts';
import { type Difference, differences } from '../differences.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Examination, ExamineSale } from './examine-sale.ts';
import type { EarlierSale, Idempotency, Sales } from './sales.ts';

/** A sale as a channel brings it: made and paid at the channel's own checkout. */
export interface SaleRequest {
  /** The authenticated client and the channel it belongs to. */
  readonly seller: { readonly clientId: string; readonly channelLink: string | null };
  /** The channel that the request names; it must be the seller's own. */
  readonly channelLink: string;
  /** The line of business that is asked for; a product of another line is not on offer. */
  readonly line: string;
  readonly product: ProductReference;
  readonly insured: Insured;
  readonly insuredObject: Readonly<Record<string, string>>;
  readonly insuredAmount: Cents;
  /** The price agreed with the insured; absent, the plan's tariff decides. */
  readonly declaredPrice?: Cents;
  readonly eventOn: CalendarDate;
  readonly payment: ChannelPayment;
  readonly idempotency?: Idempotency;
}

/** Why what was asked for cannot be sold on these terms. */
type TermsRefusal = OfferRefusal | DateRefusal | PriceRefusal | PeriodRefusal;

export type SaleRefusalKind = TermsRefusal | 'channel_not_own';

type SaleOutcome =
  | { readonly kind: 'registered'; readonly sale: BornSale; readonly replayed: boolean }
  /** Every reason at once, at least one. */
  | { readonly kind: 'refused'; readonly reasons: readonly SaleRefusalKind[] }
  /** The client had used the key for a request that said something else. */
  | { readonly kind: 'conflict'; readonly saleId: number; readonly differences: readonly Difference[] };

export interface RegisterSaleParts {
  readonly sales: Sales;
  readonly examineSale: ExamineSale;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
}

export type RegisterSale = (request: SaleRequest) => Promise<SaleOutcome>;

/** Registers a sale once: prices it, freezes its terms, stores it; a repeated key gets the first sale again. */
export const registerSale =
  ({ sales, examineSale, clock, identifiers }: RegisterSaleParts): RegisterSale =>
  async (request) => {
    const { seller, idempotency } = request;
    if (request.channelLink !== seller.channelLink) return { kind: 'refused', reasons: ['channel_not_own'] };

    const { channelLink, line, product, eventOn, payment, insured } = request;
    const examination = await examineSale({
      channelLink,
      line,
      product,
      eventOn,
      paidOn: payment.paidOn,
      birthDate: insured.birthDate,
    });
    const terms = agreeTerms(examination, clock.today(), request);
    if ('reasons' in terms) {
      // A key once used keeps its answer, even if today the catalogue would refuse what it sold then.
      const earlier = idempotency && (await sales.findEarlier(seller.clientId, idempotency.key));
      return earlier && idempotency ? replay(earlier, idempotency) : { kind: 'refused', reasons: terms.reasons };
    }

    const sale = newSale(identifiers.next(), clock.now(), terms);
    const registration = await sales.register(sale, idempotency);
    if (registration.kind === 'registered') return { ...registration, replayed: false };
    return replay(registration.earlier, idempotency as Idempotency);
  };

type Disagreement = { readonly reasons: readonly TermsRefusal[] };

const agreeTerms = ({ offer, reasons }: Examination, today: CalendarDate, request: SaleRequest): SaleTerms | Disagreement => {
  if (offer === undefined || reasons.length > 0) return { reasons };
  const { insuredAmount, declaredPrice, eventOn, payment } = request;

  const quoted = quote(offer, { on: payment.paidOn, insuredAmount, declaredPrice });
  if (isRefusal(quoted)) return { reasons: [quoted.kind] };
  const period = coveragePeriod(offer.plan.period, { soldOn: today, paidOn: payment.paidOn, eventOn });
  if (isRefusal(period)) return { reasons: [period.kind] };

  return saleTerms(offer, quoted, {
    channelLink: request.channelLink,
    clientId: request.seller.clientId,
    insured: request.insured,
    insuredObject: request.insuredObject,
    insuredAmount,
    period,
    payment,
    soldOn: today,
  });
};

const replay = ({ sale, content }: EarlierSale, received: Idempotency): SaleOutcome => {
  const found = differences(content, received.content);
  return found.length === 0
    ? { kind: 'registered', sale: asRegistered(sale), replayed: true }
    : { kind: 'conflict', saleId: sale.id, differences: found };
};
