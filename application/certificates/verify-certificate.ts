import {
  type CertificatePaper,
  type CoveragePeriod,
  coverOf,
  paperOf,
  type Sale,
  type Standing,
  standingOn,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Sales } from '../sales/sales.ts';
import { productSold } from './certificate.ts';

/** What anybody may know of a certificate whose code he has. */
export interface VerifiedCertificate {
  readonly paper: CertificatePaper;
  readonly product: string;
  readonly insurer: string;
  readonly susepProcess: string;
  readonly period: CoveragePeriod;
  readonly standing: Standing;
  /** Of the name on the certificate: `M. d. S.` */
  readonly initials: string;
}

export interface VerifyCertificateParts {
  readonly sales: Sales;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Undefined: no certificate has that code. */
export type VerifyCertificate = (code: string) => Promise<VerifiedCertificate | undefined>;

export const verifyCertificate =
  ({ sales, catalogue, clock }: VerifyCertificateParts): VerifyCertificate =>
  async (code) => {
    const sale = await sales.loadByTicket(code);
    const paper = sale && paperOf(sale);
    if (paper === undefined || sale === undefined) return undefined;
    const { name, registration } = await productSold(catalogue, sale);
    return {
      ...{
        paper,
        product: name,
        insurer: registration.insurer.name,
        susepProcess: registration.susepProcess,
      },
      ...{
        period: coverOf(sale),
        standing: standingOn(sale, clock.today()) as Standing,
        initials: initialsOf(sale),
      },
    };
  };

/** Of each word its first character, as people see characters. */
const initialsOf = ({ terms: { insured } }: Sale): string =>
  (insured.socialName ?? insured.name)
    .split(/\s+/)
    .flatMap((word) => [...characters.segment(word)].slice(0, 1))
    .map(({ segment }) => `${segment}.`)
    .join(' ');

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });
