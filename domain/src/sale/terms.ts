import type { Offer } from '../catalogue/offer.ts';
import type { Cents } from '../money/money.ts';
import {
  type Installment,
  type InstallmentRule,
  splitIntoInstallments,
} from '../pricing/installments.ts';
import type { IofClass } from '../pricing/iof.ts';
import type { Quote } from '../quoting/quote.ts';
import { isRefusal } from '../refusals/refusal.ts';
import type { CancellationRule } from '../rules/cancellation.ts';
import type { CoveragePeriod } from '../rules/period.ts';
import type { Address } from '../values/address.ts';
import type { CalendarDate } from '../values/calendar.ts';
import type { Email, Phone } from '../values/contact.ts';
import type { JsonObject } from '../values/json.ts';
import type { TaxId } from '../values/tax-id.ts';
import type { Acceptance } from './acceptance.ts';
import type { ChannelTexts } from './channel-texts.ts';
import type { PaymentMethod } from './payment.ts';

/** The insured person or company. */
export interface Insured {
  readonly name: string;
  readonly socialName?: string;
  readonly taxId: TaxId;
  /** A company's foundation date. */
  readonly birthDate?: CalendarDate;
  readonly email: Email;
  readonly phone?: Phone;
  readonly address?: Address;
}

/** Another person covered by the insurance. */
export interface AdditionalInsured {
  readonly name: string;
  readonly taxId: TaxId;
  readonly birthDate: CalendarDate;
  readonly email?: Email;
  readonly phone?: Phone;
}

/** A payment that the channel collected before it registered the sale. */
export interface ChannelPayment {
  readonly collectedBy: 'channel';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
  /** Number of installments with the channel; absent if not declared. */
  readonly installments?: number;
}

/** A payment that the service collects. */
export interface ServicePayment {
  readonly collectedBy: 'service';
  readonly installments: number;
  /** Absent if the payer chooses on the gateway's page. */
  readonly method?: 'credit' | 'boleto';
  /** Due date of the first installment; by default the day of the sale. */
  readonly firstDueOn?: CalendarDate;
  /** Where the payment page leads the payer back to: an address of the channel's. */
  readonly returnUrl?: string;
  /** If set, the insurer must accept the proposal before the insured is charged. */
  readonly underwriting?: 'before_payment';
}

/**
 * What was sold, to whom and on what terms. Frozen at the sale: later changes of the catalogue do
 * not affect it.
 */
export interface SaleTerms extends ChannelTexts {
  readonly channelLink: string;
  /** The channel's name at the sale; absent in sales made before certificates existed. */
  readonly channelName?: string;
  /** The version of the channel at the sale; absent in sales made before certificates used it. */
  readonly channelVersion?: number;
  readonly clientId: string;
  /** The channel's own id of the sale, unique within the channel. */
  readonly externalSaleId?: string;
  /**
   * `version` identifies the product as sold (registration, texts, limits); absent in early sales.
   * `name` is the product's name at the sale, for the payment page; absent in earlier sales.
   */
  readonly product: {
    readonly id: number;
    readonly code: string;
    readonly line: string;
    readonly name?: string;
    readonly version?: number;
  };
  readonly plan: { readonly id: number; readonly code: string };
  readonly coverages: readonly { readonly id: number; readonly code: string }[];
  readonly insured: Insured;
  readonly additionalInsured?: readonly AdditionalInsured[];
  /** The insured object in the product's own fields: event and ticket, device, trip. */
  readonly insuredObject: JsonObject;
  readonly insuredAmount?: Cents;
  readonly quote: Quote;
  readonly period: CoveragePeriod;
  readonly cancellation: CancellationRule;
  readonly payment: ChannelPayment | ServicePayment;
  readonly soldOn: CalendarDate;
  /**
   * The class of the product, whose next rate ends the price. Absent if the channel collected, and
   * in early sales.
   */
  readonly iofClass?: IofClass;
  /** How the premium is divided. Absent with one installment; in early sales it means `net`. */
  readonly installmentRule?: InstallmentRule;
  /** Absent if the channel sent none. */
  readonly acceptance?: Acceptance;
  /** Without it, the certificate is mailed as soon as it exists. */
  readonly certificateMail?: 'on_request';
}

/** The terms that offer and quote do not contain. */
export type SoldTerms = Omit<SaleTerms, keyof ReturnType<typeof termsOfOffer> | 'quote'>;

/**
 * Builds the terms of a sale. Keeps of the catalogue only what the sale depends on.
 *
 * @example saleTerms(offer, quote, sold).product.code // 'INGRESSO'
 */
export const saleTerms = (offer: Offer, quote: Quote, sold: SoldTerms): SaleTerms => ({
  ...sold,
  ...termsOfOffer(offer),
  quote,
});

const termsOfOffer = ({ product, plan, coverages, channelName, channelVersion }: Offer) => {
  const { id, code, line, name, version, cancellation, certificateMail } = product;
  return {
    ...(channelName !== undefined && { channelName }),
    ...(channelVersion !== undefined && { channelVersion }),
    product: { id, code, line, name, ...(version !== undefined && { version }) },
    plan: { id: plan.id, code: plan.code },
    coverages: coverages.map((coverage) => ({ id: coverage.id, code: coverage.code })),
    cancellation,
    ...(certificateMail === 'on_request' && { certificateMail }),
  } satisfies Partial<SaleTerms>;
};

/** The installments of a sale that the service collects; none if the channel collected. */
export const installmentsOf = (terms: SaleTerms): readonly Installment[] => {
  const { payment, quote, soldOn, installmentRule: rule = 'net' } = terms;
  if (payment.collectedBy === 'channel') return [];
  const { installments: count, firstDueOn = soldOn } = payment;
  const split = { count, firstDueOn, offered: count, rule, paid: 'once' } as const;
  const parts = splitIntoInstallments(quote.premium, split);
  return isRefusal(parts) ? [] : parts;
};
