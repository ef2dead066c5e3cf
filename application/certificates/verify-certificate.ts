import {
  type CoveragePeriod,
  coverOf,
  type IssuedDocument,
  issuedDocumentOf,
  type Sale,
  type Standing,
  standingOn,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Sales } from '../sales/sales.ts';
import { productSold } from './compose-certificate.ts';

/** What the public check shows of a certificate to a person who has its code. */
export interface VerifiedCertificate {
  readonly document: IssuedDocument;
  readonly product: string;
  readonly insurer: string;
  readonly susepProcess: string;
  readonly period: CoveragePeriod;
  readonly standing: Standing;
  /** Initials of the insured: `M. d. S.` */
  readonly initials: string;
}

interface Needs {
  readonly sales: Sales;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Undefined: no certificate has that code. */
export type VerifyCertificate = (code: string) => Promise<VerifiedCertificate | undefined>;

export const makeVerifyCertificate = ({ sales, catalogue, clock }: Needs): VerifyCertificate =>
  async function verifyCertificate(code) {
    const sale = await sales.loadByTicket(code);
    const document = sale && issuedDocumentOf(sale);
    if (document === undefined || sale === undefined) return undefined;
    const { name, registration } = await productSold(catalogue, sale);
    return {
      ...{
        document,
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

/** The first user-perceived character of each word. */
const initialsOf = ({ terms: { insured } }: Sale): string =>
  (insured.socialName ?? insured.name)
    .split(/\s+/)
    .flatMap((word) => [...characters.segment(word)].slice(0, 1))
    .map(({ segment }) => `${segment}.`)
    .join(' ');

const characters = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' });
