import type { Cents, Rate, Rounding } from '../money/money.ts';
import type { CommissionRate } from '../pricing/commission.ts';
import type { IofClass } from '../pricing/iof.ts';
import type { PricingBasis } from '../pricing/premium.ts';
import type { FixedTariff, RateTariff, Tariff } from '../pricing/tariff.ts';
import type { CancellationRule } from '../sale/cancellation.ts';
import type { PeriodRule } from '../sale/period.ts';
import type { JsonObject } from '../values/json.ts';
import type { Cnpj } from '../values/tax-id.ts';

/** A way to buy a product: its price, its period, how it may be paid. */
export interface Plan {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly tariff: Tariff;
  readonly period: PeriodRule;
  /** The most installments in which it may be paid. */
  readonly maxInstallments: number;
  /** What it insures against, in a few words for people. */
  readonly covers?: string;
  /** The most that is paid under it; absent, whatever amount a sale insures. */
  readonly limit?: Cents;
}

/** An additional coverage that can be bought on top of a plan, priced on the product's pricing basis. */
export interface Coverage {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly tariff: FixedTariff | RateTariff;
  /** The most that is paid under it; absent, whatever amount a sale insures. */
  readonly limit?: Cents;
}

/** Who bears the risk, and how the insured reaches it. */
export interface Insurer {
  readonly name: string;
  readonly cnpj: Cnpj;
  readonly susepCode: string;
  /** Telephone, address or hours of its customer service (SAC, Decreto 11.034/2022), on one line. */
  readonly customerService?: string;
  /** The same of its ombudsman (ouvidoria, Resolução CNSP 445/2022). */
  readonly ombudsman?: string;
}

/** What the regulator (SUSEP) knows the product by. */
export interface Registration {
  /** `15414.NNNNNN/AAAA-DD`. */
  readonly susepProcess: string;
  readonly branchCode: string;
  readonly branchName: string;
  readonly insurer: Insurer;
}

export const CERTIFICATE_MAILS = ['on_issue', 'on_request'] as const;

export type CertificateMail = (typeof CERTIFICATE_MAILS)[number];

/** Who takes the insured's money: the channel before it registers the sale, or the service. */
export type Collector = 'channel' | 'service';

/** A product is data: another product is another row, not another class. */
export interface Product {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** The line of business, by which an endpoint knows what it sells: `event_ticket`, `artist`, `mobile_phone`, `travel`… */
  readonly line: string;
  readonly pricingBasis: PricingBasis;
  readonly rounding: Rounding;
  readonly iofClass: IofClass;
  /** `either`: each sale says who does. */
  readonly collectedBy: Collector | 'either';
  /** All commissions of a sale together are never more than this share of its net premium. */
  readonly commissionCap: Rate;
  /** What becomes of the premium when the insured cancels after the days of withdrawal. */
  readonly cancellation: CancellationRule;
  readonly registration: Registration;
  /** What may be said of the insured object: a JSON Schema (draft 2020-12). Empty, anything. */
  readonly attributes: JsonObject;
  /** The first one is the default. */
  readonly plans: readonly [Plan, ...Plan[]];
  readonly coverages: readonly Coverage[];
  /** When the insured is mailed the certificate: as soon as there is one (absent), or when somebody asks for it. */
  readonly certificateMail?: CertificateMail;
}

/** A channel's leave to sell a product, with its commissions; a plan may have some of its own. */
export interface Grant {
  readonly productCode: string;
  readonly commissions: readonly CommissionRate[];
  readonly plans: readonly {
    readonly planCode: string;
    readonly commissions: readonly CommissionRate[];
  }[];
}

export interface Channel {
  readonly channelLink: string;
  readonly name: string;
  readonly active: boolean;
  readonly grants: readonly Grant[];
}
