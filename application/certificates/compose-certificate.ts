import {
  coverOf,
  type DocumentedSale,
  findLegalPeriod,
  type IssuedDocument,
  installmentsOf,
  issuedDocumentOf,
  lastDayOfWithdrawal,
  type Plan,
  type Product,
  type Sale,
  type SaleTerms,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Certificate } from './certificate.ts';
import { findPlan, listCoverages, listCoveragesNotBought } from './certified-coverages.ts';
import { objectFields } from './insured-object.ts';

interface Needs {
  readonly catalogue: Catalogue;
  readonly publicUrl: string;
}

/** Composes the certificate that the insured got, also after the contract has ended. */
export type ComposeCertificate = (sale: DocumentedSale) => Promise<Certificate>;

export const makeComposeCertificate = ({ catalogue, publicUrl }: Needs): ComposeCertificate =>
  async function composeCertificate(sale) {
    const { terms, ticket, payment } = sale;
    const [product, channel] = await Promise.all([
      productSold(catalogue, sale),
      channelSold(catalogue, terms),
    ]);
    const plan = findPlan(product, terms.plan.code);
    const { method, paidOn } = payment;
    return {
      ...(issuedDocumentOf(sale) as IssuedDocument),
      verification: { code: ticket, url: `${publicUrl}/verify/${ticket}` },
      product: {
        name: product.name,
        plan: plan?.name ?? terms.plan.code,
      },
      registration: product.registration,
      insured: terms.insured,
      additionalInsured: terms.additionalInsured ?? [],
      insuredObject: objectFields(terms.insuredObject, product.attributes),
      coverages: listCoverages(terms, product),
      coveragesNotBought: listCoveragesNotBought(terms, product),
      conditions: conditionsOf(plan),
      period: coverOf(sale),
      premium: terms.quote.premium,
      payment: {
        ...{
          collectedBy: terms.payment.collectedBy,
          paidOn,
          installments: terms.payment.installments ?? 1,
        },
        ...(method && { method }),
        ...partsOf(terms),
      },
      channel: { ...channel, commission: terms.quote.commission },
      withdrawalUntil: lastDayOfWithdrawal({ soldOn: terms.soldOn, paidOn }),
      legalPeriods: {
        withdrawal: findLegalPeriod('withdrawal', terms.soldOn),
        claim_decision: findLegalPeriod('claim_decision', terms.soldOn),
      },
    };
  };

/** The name of the channel when it sold. */
export const channelNameOf = ({ channelName, channelLink }: SaleTerms): string =>
  channelName ?? channelLink;

/** The product version that was sold. @throws Error if the catalogue has lost the version */
export const productSold = async (catalogue: Catalogue, { terms }: Sale): Promise<Product> => {
  const { code, version } = terms.product;
  const found = version === undefined ? undefined : await catalogue.productVersion(code, version);
  if (found === undefined)
    throw new Error('a sale names a product that the catalogue does not have');
  return found.definition;
};

/** The channel as it was at the sale. */
const channelSold = async (
  catalogue: Catalogue,
  terms: SaleTerms,
): Promise<Omit<Certificate['channel'], 'commission'>> => {
  const { channelLink, channelVersion } = terms;
  const found =
    channelVersion === undefined
      ? undefined
      : await catalogue.channelVersion(channelLink, channelVersion);
  const { cnpj, role } = found?.definition ?? {};
  return {
    name: channelNameOf(terms),
    ...(cnpj !== undefined && { cnpj }),
    ...(role !== undefined && { role }),
  };
};

/** Installments are equal, except that the first includes the cents left over. */
const partsOf = (terms: SaleTerms): Pick<Certificate['payment'], 'parts'> => {
  const [first, second] = installmentsOf(terms);
  return first && second ? { parts: { first: first.total, others: second.total } } : {};
};

const conditionsOf = (plan: Plan | undefined): Certificate['conditions'] => {
  const { deductible, waitingDays, claimContact } = plan ?? {};
  return {
    ...(deductible !== undefined && { deductible }),
    ...(waitingDays !== undefined && { waitingDays }),
    exclusions: plan?.exclusions ?? [],
    claimDocuments: plan?.claimDocuments ?? [],
    ...(claimContact !== undefined && { claimContact }),
  };
};
