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

type View = readonly [number, { readonly sales: Pick<Sales, 'loadByTicket'> }];

/** Looks in this group first: no other that hangs may delay it. @throws Unavailable */
const findSale = async (views: Iterable<View>, code: string) => {
  const [[, own], ...others] = [...views] as [View, ...View[]];
  const sale = await own.sales.loadByTicket(code);
  if (sale !== undefined || others.length === 0) return sale;
  const { found, incomplete } = await askGroups(new Map(others), (view) =>
    view.sales.loadByTicket(code),
  );
  const other = [...found.values()].find((each) => each !== undefined);
  if (other === undefined && incomplete.length > 0)
    throw new Unavailable('a group of channels is out of reach');
  return other;
};

export const makeVerifyCertificate = ({ groupViews, catalogue, clock }: Needs): VerifyCertificate =>
  async function verifyCertificate(code) {
    const sale = await findSale(groupViews(), code);
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
