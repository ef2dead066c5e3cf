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
import { askGroups, type InGroups } from '../groups/in-groups.ts';
import type { Sales } from '../sales/sales.ts';
import { Unavailable } from '../unavailable.ts';
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
  readonly groupViews: InGroups<{ readonly sales: Pick<Sales, 'loadByTicket'> }>;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** Undefined: no certificate has that code. @throws Unavailable where a group that may have it is away */
export type VerifyCertificate = (code: string) => Promise<VerifiedCertificate | undefined>;

export const makeVerifyCertificate = ({ groupViews, catalogue, clock }: Needs): VerifyCertificate =>
  async function verifyCertificate(code) {
    const { found, incomplete } = await askGroups(groupViews(), ({ sales }) =>
      sales.loadByTicket(code),
    );
    const sale = [...found.values()].find((each) => each !== undefined);
    if (sale === undefined && incomplete.length > 0)
      throw new Unavailable('a group of channels is out of reach');
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
