import type { Cents, Rate, Rounding } from '../money/money.ts';
import type { CommissionRate } from '../pricing/commission.ts';
import type { IofClass } from '../pricing/iof.ts';
import type { PricingBasis } from '../pricing/premium.ts';
import type { FixedTariff, RateTariff, Tariff } from '../pricing/tariff.ts';
import type { CancellationRule } from '../rules/cancellation.ts';
import type { PeriodRule } from '../rules/period.ts';
import type { JsonObject } from '../values/json.ts';
import type { Cnpj } from '../values/tax-id.ts';

/** What the certificate says of a coverage. */
interface CoverageTexts {
  /** What it pays for, in one paragraph. */
  readonly description?: string;
  /** What it does not pay for, one item each: `furto simples`. */
  readonly notCovered?: readonly string[];
}

/** A coverage that everybody gets who buys the plan. */
export interface IncludedCoverage extends CoverageTexts {
  readonly name: string;
  /** Max indemnity in cents. Default: the limit of the plan. */
  readonly limit?: Cents;
  /** Its share of the plan's price. */
  readonly premiumShare: Rate;
}

/**
 * What the insured bears of each loss. `fixed`: an amount (franquia; 0: nothing). `rate`: a share of
 * the loss, and at least `minimum` cents (participação obrigatória).
 */
export type Deductible = FixedTariff | RateTariff;

/** One way to buy a product: its price, its period and its payment terms. */
export interface Plan {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly tariff: Tariff;
  readonly period: PeriodRule;
  /** Max number of installments. */
  readonly maxInstallments: number;
  /** The risk covered, in a few words for the certificate of a plan without `includes`. */
  readonly covers?: string;
  /** Max indemnity in cents. Default: the insured amount of the sale. */
  readonly limit?: Cents;
  /** Its coverages with their shares of the premium, together 1,000,000 ppm. */
  readonly includes?: readonly [IncludedCoverage, ...IncludedCoverage[]];
  readonly deductible?: Deductible;
  /** Days from the start of the cover without right to an indemnity (carência); 0: none. */
  readonly waitingDays?: number;
  /** Risks that no coverage of the plan covers. */
  readonly exclusions?: readonly string[];
  /** What the insured sends with the notice of a claim. */
  readonly claimDocuments?: readonly string[];
  /** Where to give notice of a claim, on one line. Default: the insurer's customer service. */
  readonly claimContact?: string;
}

/** An additional coverage, bought on top of a plan and priced on the product's pricing basis. */
export interface Coverage extends CoverageTexts {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly tariff: FixedTariff | RateTariff;
  /** Its share of the plan's price, if it has no price of its own (a tariff of 0). */
  readonly premiumShare?: Rate;
  /** Max indemnity in cents. Default: the insured amount of the sale. */
  readonly limit?: Cents;
}

/** The company that bears the risk, and its contacts. */
export interface Insurer {
  readonly name: string;
  readonly cnpj: Cnpj;
  readonly susepCode: string;
  /** Telephone, address or hours of customer service (SAC, Decreto 11.034/2022), on one line. */
  readonly customerService?: string;
  /** The same for the ombudsman (ouvidoria, Resolução CNSP 445/2022). */
  readonly ombudsman?: string;
}

/** The product's registration with the regulator (SUSEP). */
export interface SusepRegistration {
  /** `15414.NNNNNN/AAAA-DD`. */
  readonly susepProcess: string;
  readonly branchCode: string;
  readonly branchName: string;
  readonly insurer: Insurer;
}

export const CERTIFICATE_MAILS = ['on_issue', 'on_request'] as const;

export type CertificateMail = (typeof CERTIFICATE_MAILS)[number];

/** Who collects the premium: the channel, before it registers the sale, or the service. */
export type Collector = 'channel' | 'service';

/** A product is data: a new product is a new row, not a new class. */
export interface Product {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** Line of business. An endpoint sells one line: `event_ticket`, `artist`, `mobile_phone`… */
  readonly line: string;
  readonly pricingBasis: PricingBasis;
  readonly rounding: Rounding;
  readonly iofClass: IofClass;
  /** `either`: each sale names its collector. */
  readonly collectedBy: Collector | 'either';
  /** Max sum of all commissions of a sale, as a share of its net premium. */
  readonly commissionCap: Rate;
  /** How much premium is refunded when the insured cancels after the withdrawal period. */
  readonly cancellation: CancellationRule;
  readonly registration: SusepRegistration;
  /** JSON Schema (draft 2020-12) of the insured object. `{}` accepts any object. */
  readonly attributes: JsonObject;
  /** The first one is the default. */
  readonly plans: readonly [Plan, ...Plan[]];
  readonly coverages: readonly Coverage[];
  /** When to mail the certificate to the insured. Default: `on_issue`. */
  readonly certificateMail?: CertificateMail;
}

/** Permission for a channel to sell a product. Commissions of a plan replace the product's. */
export interface Grant {
  readonly productCode: string;
  readonly commissions: readonly CommissionRate[];
  readonly plans: readonly {
    readonly planCode: string;
    readonly commissions: readonly CommissionRate[];
  }[];
}

/**
 * What a channel is to the insurance: representative of the insurer (Resolução CNSP 431/2021),
 * broker (Lei 4.594/1964), or policyholder of a group (Decreto-Lei 73/1966, art. 21).
 */
export const CHANNEL_ROLES = ['representative', 'broker', 'policyholder'] as const;

export type ChannelRole = (typeof CHANNEL_ROLES)[number];

export interface Channel {
  readonly channelLink: string;
  readonly name: string;
  readonly cnpj?: Cnpj;
  readonly role?: ChannelRole;
  readonly active: boolean;
  readonly grants: readonly Grant[];
  /**
   * Origins of the channel's sites (`https://loja.example`, RFC 6454), to which a payment page may
   * lead back.
   */
  readonly returnOrigins?: readonly string[];
}
