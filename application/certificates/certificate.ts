import {
  type AdditionalInsured,
  type Amounts,
  type CalendarDate,
  type Cents,
  type ChannelRole,
  type Cnpj,
  type Commission,
  type CoveragePeriod,
  type Deductible,
  formatDate,
  type Instant,
  type Insured,
  type IssuedDocument,
  type LegalPeriod,
  type PaymentMethod,
  type Premium,
  type SusepRegistration,
} from '#domain';
import type { ObjectField } from './insured-object.ts';

/** A coverage of a contract. */
export interface CertifiedCoverage {
  /** Absent if the catalogue has none. */
  readonly name?: string;
  /** The most that it pays, if known. */
  readonly limit?: Cents;
  readonly description?: string;
  readonly notCovered: readonly string[];
  /** The coverage's part of the premium. The parts sum exactly to the premium of the sale. */
  readonly premium: Amounts;
}

/** Conditions of the plan. Absent or empty: the catalogue says nothing of it. */
interface CertifiedConditions {
  readonly deductible?: Deductible;
  /** 0: there is no waiting period. */
  readonly waitingDays?: number;
  readonly exclusions: readonly string[];
  readonly claimDocuments: readonly string[];
  readonly claimContact?: string;
}

/**
 * The certificate that the insured receives (Lei 15.040/2024, art. 55; its fields follow the rules of
 * CNSP and SUSEP). A sale in one state always gives the same certificate.
 */
export interface Certificate extends IssuedDocument {
  /** Code and address of the public check that a certificate is genuine. */
  readonly verification: { readonly code: string; readonly url: string };
  readonly product: { readonly name: string; readonly plan: string };
  readonly registration: SusepRegistration;
  readonly insured: Insured;
  readonly additionalInsured: readonly AdditionalInsured[];
  readonly insuredObject: readonly ObjectField[];
  readonly coverages: readonly CertifiedCoverage[];
  /** Names of the product's coverages that the insured did not buy. */
  readonly coveragesNotBought: readonly string[];
  readonly conditions: CertifiedConditions;
  readonly period: CoveragePeriod;
  readonly premium: Premium;
  readonly payment: {
    readonly method?: PaymentMethod;
    readonly collectedBy: 'channel' | 'service';
    readonly paidOn: CalendarDate;
    readonly installments: number;
    /** Amount of each installment, if the service collects several. */
    readonly parts?: { readonly first: Cents; readonly others: Cents };
  };
  readonly channel: {
    readonly name: string;
    readonly cnpj?: Cnpj;
    readonly role?: ChannelRole;
    readonly commission: Commission;
  };
  /** Last day on which the insured may withdraw with a full refund. */
  readonly withdrawalUntil: CalendarDate;
  /** The time limits of the law on the day of the contract. */
  readonly legalPeriods: Readonly<Record<'withdrawal' | 'claim_decision', LegalPeriod>>;
}

/**
 * Renders documents.
 *
 * 1. A certificate becomes a PDF. Names in every script fit into it.
 * 2. The same certificate gives the same bytes.
 * 3. A report has its own pages first, then those of the certificate.
 */
export interface Documents {
  certificate(certificate: Certificate): Promise<Uint8Array>;
  report(report: Report, certificate?: Certificate): Promise<Uint8Array>;
}

/** What the service tells an authority about a sale. */
export interface Report {
  readonly title: string;
  readonly subtitle: string;
  /** Who answers for it. */
  readonly author: string;
  readonly at: Instant;
  readonly sections: readonly ReportSection[];
}

export interface ReportSection {
  readonly heading: string;
  readonly fields?: readonly (readonly [label: string, value: string])[];
  readonly tables?: readonly ReportTable[];
  readonly texts?: readonly string[];
}

export interface ReportTable {
  readonly heads: readonly string[];
  /** A cell for each head. */
  readonly rows: readonly (readonly string[])[];
}

/** A document and its file name, which holds no personal data. */
export interface NamedDocument {
  readonly fileName: string;
  readonly content: Uint8Array;
}

export const fileNameOf = ({ kind, number }: Pick<Certificate, 'kind' | 'number'>): string =>
  `${kind === 'bilhete' ? 'bilhete' : 'apolice'}-${number.replaceAll(/[^A-Za-z0-9-]+/g, '-')}.pdf`;

/** The contact for notices of claims: the plan's, or else the insurer's. */
export const claimContactOf = ({ conditions, registration }: Certificate): string | undefined =>
  conditions.claimContact ?? registration.insurer.customerService;

/** Both days are covered whole: `das 0h de 25/11/2026 às 24h de 24/11/2027`. */
export const describePeriod = ({ start, end }: CoveragePeriod): string =>
  `das 0h de ${formatDate(start)} às 24h de ${formatDate(end)}`;
