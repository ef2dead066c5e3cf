import {
  type AdditionalInsured,
  type BornSale,
  type CalendarDate,
  type Cents,
  type ChannelPayment,
  type CoveragePeriod,
  coveragePeriod,
  type DateRefusal,
  type DeclaredFigures,
  type FigureRefusal,
  figureRefusals,
  type InstallmentRefusal,
  type Insured,
  installments,
  isRefusal,
  newSale,
  type Offer,
  type OfferRefusal,
  type PeriodRefusal,
  type PriceRefusal,
  type ProductReference,
  type Quote,
  quote,
  type Reference,
  refuse,
  type SaleTerms,
  type ServicePayment,
  saleTerms,
} from '#domain';
import type { Clock } from '../clock.ts';
import { type Difference, differences } from '../differences.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Examination, ExamineSale } from './examine-sale.ts';
import type { EarlierSale, Idempotency, Lease, Sales } from './sales.ts';

/** A sale as a channel brings it, paid at its own checkout or to be paid to the service. */
export interface SaleRequest {
  /** The authenticated client and the channel it belongs to. */
  readonly seller: { readonly clientId: string; readonly channelLink: string | null };
  /** The channel that the request names; it must be the seller's own. */
  readonly channelLink: string;
  /** The line of business that is asked for; a product of another line is not on offer. */
  readonly line: string;
  readonly product: ProductReference;
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  readonly insured: Insured;
  readonly additionalInsured?: readonly AdditionalInsured[] | undefined;
  readonly insuredObject: Readonly<Record<string, string>>;
  readonly insuredAmount?: Cents | undefined;
  /** The price agreed with the insured; absent, the plan's tariff decides. */
  readonly declaredPrice?: Cents | undefined;
  /** Figures that the channel worked out itself, to be checked. */
  readonly declaredFigures?: DeclaredFigures | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly declaredPeriod?: CoveragePeriod | undefined;
  /** Absent: today. */
  readonly soldOn?: CalendarDate | undefined;
  readonly payment: ChannelPayment | ServicePayment;
  readonly idempotency?: Idempotency | undefined;
}

/** Why what was asked for cannot be sold on these terms. */
type TermsRefusal = OfferRefusal | DateRefusal | PriceRefusal | FigureRefusal | PeriodRefusal | InstallmentRefusal;

export type SaleRefusalKind = TermsRefusal | 'channel_not_own';

/** A reason with the amount that would have been right, where there is one. */
export interface SaleRefusal {
  readonly kind: SaleRefusalKind;
  readonly expected?: number;
}

export type RegistrationOutcome =
  | { readonly kind: 'registered'; readonly sale: BornSale }
  /** The client had used the key for the very same request. */
  | { readonly kind: 'repeated'; readonly earlier: EarlierSale }
  /** Every reason at once, at least one. */
  | { readonly kind: 'refused'; readonly reasons: readonly SaleRefusal[] }
  /** The client had used the key for a request that said something else. */
  | { readonly kind: 'conflict'; readonly saleId: number; readonly differences: readonly Difference[] };

export interface RegisterSaleParts {
  readonly sales: Sales;
  readonly examineSale: ExamineSale;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
}

/** `lease`: whose the sale is from the moment it is stored, where there is more to do with it. */
export type RegisterSale = (request: SaleRequest, lease?: Lease) => Promise<RegistrationOutcome>;

/** Registers a sale once: prices it, freezes its terms, stores it; a repeated key gets the first sale again. */
export const registerSale =
  ({ sales, examineSale, clock, identifiers }: RegisterSaleParts): RegisterSale =>
  async (request, lease) => {
    const { seller, idempotency } = request;
    if (request.channelLink !== seller.channelLink) return { kind: 'refused', reasons: [{ kind: 'channel_not_own' }] };

    const { payment, insured } = request;
    const paidTo = payment.collectedBy;
    const examination = await examineSale({ ...request, paidOn: paidOnIn(request), paidTo, birthDate: insured.birthDate });
    const terms = agreeTerms(examination, clock.today(), request);
    if ('reasons' in terms) {
      // A key once used keeps its answer, even if today the catalogue would refuse what it sold then.
      const earlier = idempotency && (await sales.findEarlier(seller.clientId, idempotency.key));
      return earlier && idempotency ? repeated(earlier, idempotency) : { kind: 'refused', reasons: terms.reasons };
    }

    const sale = newSale(identifiers.next(), clock.now(), terms);
    const registration = await sales.register(sale, idempotency, lease);
    if (registration.kind === 'registered') return registration;
    return repeated(registration.earlier, idempotency as Idempotency);
  };

/** What the service is to collect has not been paid yet. */
const paidOnIn = ({ payment }: SaleRequest): CalendarDate | undefined =>
  payment.collectedBy === 'channel' ? payment.paidOn : undefined;

type Disagreement = { readonly reasons: readonly SaleRefusal[] };

const agreeTerms = ({ offer, reasons }: Examination, today: CalendarDate, request: SaleRequest): SaleTerms | Disagreement => {
  if (offer === undefined || reasons.length > 0) return { reasons: reasons.map((kind) => ({ kind })) };
  const { insuredAmount, declaredPrice, eventOn, declaredPeriod, payment, soldOn = today } = request;
  const paidOn = paidOnIn(request);

  const quoted = quote(offer, { on: paidOn ?? soldOn, insuredAmount, declaredPrice });
  const period = coveragePeriod(offer.plan.period, { soldOn, ...given({ paidOn, eventOn, declared: declaredPeriod }) });
  const refusals: SaleRefusal[] = isRefusal(quoted)
    ? [quoted]
    : [...figureRefusals(request.declaredFigures ?? {}, quoted.premium)];
  if (isRefusal(period)) refusals.push(period);
  // What the service is to be paid for must still be able to happen (Lei 15.040/2024: no contract on a risk that has passed).
  else if (payment.collectedBy === 'service' && period.end < today) refusals.push(refuse('period_over'));
  const parts = isRefusal(quoted) ? undefined : partsOf(offer, quoted, payment, soldOn);
  if (isRefusal(parts)) refusals.push(parts);
  if (isRefusal(quoted) || isRefusal(period) || refusals.length > 0)
    return { reasons: refusals.map(({ kind, expected }) => ({ kind, ...given({ expected }) })) };

  const { channelLink, seller, insured, insuredObject, additionalInsured } = request;
  return saleTerms(offer, quoted, {
    ...{ channelLink, clientId: seller.clientId, insured, insuredObject, period, payment, soldOn },
    ...given({ insuredAmount, additionalInsured }),
  });
};

/** Whether what the service is to collect can be paid in so many installments. */
const partsOf = ({ plan }: Offer, { premium }: Quote, payment: SaleRequest['payment'], soldOn: CalendarDate) => {
  if (payment.collectedBy === 'channel') return undefined;
  const { installments: count, firstDueOn = soldOn, method } = payment;
  // A boleto is one, and paid at once.
  return installments(premium, { count, firstDueOn, offered: method === 'credit' ? plan.maxInstallments : 1 });
};

/** Only what is there. */
const given = <Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const repeated = (earlier: EarlierSale, received: Idempotency): RegistrationOutcome => {
  const found = differences(earlier.content, received.content);
  return found.length === 0 ? { kind: 'repeated', earlier } : { kind: 'conflict', saleId: earlier.sale.id, differences: found };
};
