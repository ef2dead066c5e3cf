import type { Offer } from '../catalogue/offer.ts';
import type { Cents } from '../money/money.ts';
import type { Quote } from '../pricing/quote.ts';
import type { Address } from '../values/address.ts';
import type { CalendarDate } from '../values/calendar.ts';
import type { Email, Phone } from '../values/contact.ts';
import type { JsonObject } from '../values/json.ts';
import type { TaxId } from '../values/tax-id.ts';
import type { CancellationRule } from './cancellation.ts';
import type { PaymentMethod } from './payment.ts';
import type { CoveragePeriod } from './period.ts';

/** The person or company protected. */
export interface Insured {
  readonly name: string;
  readonly socialName?: string;
  readonly taxId: TaxId;
  /** Of a company, its foundation. */
  readonly birthDate?: CalendarDate;
  readonly email: Email;
  readonly phone?: Phone;
  readonly address?: Address;
}

/** Another person whom the insurance protects. */
export interface AdditionalInsured {
  readonly name: string;
  readonly taxId: TaxId;
  readonly birthDate: CalendarDate;
  readonly email?: Email;
  readonly phone?: Phone;
}

/** A payment that the channel took before it registered the sale. */
export interface ChannelPayment {
  readonly collectedBy: 'channel';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
  /** In how many parts the channel takes it; absent where it did not say. */
  readonly installments?: number;
}

/** A payment that the service is to take. */
export interface ServicePayment {
  readonly collectedBy: 'service';
  readonly installments: number;
  /** Absent: the payer chooses on the gateway's page. */
  readonly method?: 'credit' | 'boleto';
  /** The first installment's; absent, the day of the sale. */
  readonly firstDueOn?: CalendarDate;
  /** Whether the contract has to be offered to the insurer before the insured is charged; absent, after. */
  readonly underwriting?: 'before_payment';
}

/** What was sold, to whom, on what terms. Frozen when the sale is made: a later change of the catalogue leaves it alone. */
export interface SaleTerms {
  readonly channelLink: string;
  /** As it was called then; absent in sales from before there were certificates. */
  readonly channelName?: string;
  readonly clientId: string;
  /** The channel's own name for the sale, where it gave one; no other sale of the channel has it. */
  readonly externalSaleId?: string;
  /** Its version says what of the product was sold: registration, names, limits; absent where nobody counted. */
  readonly product: {
    readonly id: number;
    readonly code: string;
    readonly line: string;
    readonly version?: number;
  };
  readonly plan: { readonly id: number; readonly code: string };
  readonly coverages: readonly { readonly id: number; readonly code: string }[];
  readonly insured: Insured;
  readonly additionalInsured?: readonly AdditionalInsured[];
  /** What is protected, in the product's own words: the event and ticket, the device, the trip. */
  readonly insuredObject: JsonObject;
  readonly insuredAmount?: Cents;
  readonly quote: Quote;
  readonly period: CoveragePeriod;
  readonly cancellation: CancellationRule;
  readonly payment: ChannelPayment | ServicePayment;
  readonly soldOn: CalendarDate;
  /** Absent: the certificate is mailed as soon as there is one. */
  readonly certificateMail?: 'on_request';
}

/** What an offer and its quote do not say yet of the terms of a sale. */
export type SoldTerms = Omit<SaleTerms, keyof ReturnType<typeof termsOfOffer> | 'quote'>;

/** The terms of a sale: of the catalogue, only what the sale must remember. */
export const saleTerms = (offer: Offer, quote: Quote, sold: SoldTerms): SaleTerms => ({
  ...sold,
  ...termsOfOffer(offer),
  quote,
});

const termsOfOffer = ({ product, plan, coverages, channelName }: Offer) => {
  const { id, code, line, version, cancellation, certificateMail } = product;
  return {
    ...(channelName !== undefined && { channelName }),
    product: { id, code, line, ...(version !== undefined && { version }) },
    plan: { id: plan.id, code: plan.code },
    coverages: coverages.map((coverage) => ({ id: coverage.id, code: coverage.code })),
    cancellation,
    ...(certificateMail === 'on_request' && { certificateMail }),
  } satisfies Partial<SaleTerms>;
};
