import {
  type AdditionalInsured,
  type CalendarDate,
  type Cents,
  type CertificatePaper,
  type CertifiedSale,
  type Commission,
  type CoveragePeriod,
  coverOf,
  type Insured,
  isRefusal,
  lastDayOfWithdrawal,
  type PaymentMethod,
  type Premium,
  type Product,
  paperOf,
  type Sale,
  type SaleTerms,
  type SusepRegistration,
  splitIntoInstallments,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type ObjectField, objectFields } from './insured-object.ts';

/** One coverage of a contract, the plan's own without a name where the catalogue has none: what is paid at most, where that is known. */
interface CertifiedCoverage {
  readonly name?: string;
  readonly limit?: Cents;
}

/**
 * What the insured is given of a contract (bilhete: Decreto-Lei 73/1966, art. 10; its particulars as the rules of CNSP and
 * SUSEP ask for them). Two of the same sale say the same.
 */
export interface Certificate extends CertificatePaper {
  /** With it anybody can check that the certificate is genuine, at an address of the service. */
  readonly verification: { readonly code: string; readonly url: string };
  readonly product: { readonly name: string; readonly plan: string };
  readonly registration: SusepRegistration;
  readonly insured: Insured;
  readonly additionalInsured: readonly AdditionalInsured[];
  readonly insuredObject: readonly ObjectField[];
  readonly coverages: readonly CertifiedCoverage[];
  readonly period: CoveragePeriod;
  readonly premium: Premium;
  readonly payment: {
    readonly method?: PaymentMethod;
    readonly collectedBy: 'channel' | 'service';
    readonly paidOn: CalendarDate;
    readonly installments: number;
    /** What is paid each time, where it is paid in parts, and to the service. */
    readonly parts?: { readonly first: Cents; readonly others: Cents };
  };
  readonly channel: { readonly name: string; readonly commission: Commission };
  /** The last day on which the insured may withdraw and gets everything back. */
  readonly withdrawalUntil: CalendarDate;
}

export interface ComposeCertificateParts {
  readonly catalogue: Catalogue;
  /** The address of the service, without `/api`. */
  readonly publicUrl: string;
}

export type ComposeCertificate = (sale: CertifiedSale) => Promise<Certificate>;

export const composeCertificate =
  ({ catalogue, publicUrl }: ComposeCertificateParts): ComposeCertificate =>
  async (sale) => {
    const { terms, ticket, payment } = sale;
    const product = await productSold(catalogue, sale);
    const channelName =
      terms.channelName ?? (await catalogue.channel(terms.channelLink))?.name ?? terms.channelLink;
    const { method, paidOn } = payment;
    return {
      ...(paperOf(sale) as CertificatePaper),
      verification: { code: ticket, url: `${publicUrl}/verify/${ticket}` },
      product: {
        name: product.name,
        plan: planOf(product, terms.plan.code)?.name ?? terms.plan.code,
      },
      registration: product.registration,
      insured: terms.insured,
      additionalInsured: terms.additionalInsured ?? [],
      insuredObject: objectFields(terms.insuredObject, product.attributes),
      coverages: coveragesOf(sale, product),
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
      channel: { name: channelName, commission: terms.quote.commission },
      withdrawalUntil: lastDayOfWithdrawal({ soldOn: terms.soldOn, paidOn }),
    };
  };

/**
 * The product as it was sold. Sales from before versions were written down have the one that was in force when they were made.
 *
 * @throws Error where the catalogue has lost it: versions are kept for good.
 */
export const productSold = async (
  catalogue: Catalogue,
  { terms, registeredAt }: Sale,
): Promise<Product> => {
  const { code, version } = terms.product;
  const found = await (version === undefined
    ? catalogue.productAt(code, registeredAt)
    : catalogue.productVersion(code, version));
  if (found === undefined)
    throw new Error('a sale names a product that the catalogue does not have');
  return found.definition;
};

/** The parts are as large as one another, but for the first, which has the cents that are left over. */
const partsOf = ({ payment, quote, soldOn }: SaleTerms): Pick<Certificate['payment'], 'parts'> => {
  if (payment.collectedBy === 'channel' || payment.installments === 1) return {};
  const { installments: count, firstDueOn = soldOn } = payment;
  const parts = splitIntoInstallments(quote.premium, { count, firstDueOn, offered: count });
  const [first, second] = isRefusal(parts) ? [] : parts;
  return first && second ? { parts: { first: first.total, others: second.total } } : {};
};

const planOf = ({ plans }: Product, code: string) => plans.find((each) => each.code === code);

/** What is insured is the amount of the sale, as far as the product's own limit goes. */
const limited = (
  limit: Cents | undefined,
  insuredAmount: Cents | undefined,
): { readonly limit?: Cents } => {
  if (limit === undefined || insuredAmount === undefined) return given(limit ?? insuredAmount);
  return { limit: limit < insuredAmount ? limit : insuredAmount };
};

const given = (limit: Cents | undefined) => (limit === undefined ? {} : { limit });

const coveragesOf = ({ terms }: Sale, product: Product): readonly CertifiedCoverage[] => {
  const plan = planOf(product, terms.plan.code);
  const basic = {
    ...(plan?.covers !== undefined && { name: plan.covers }),
    ...limited(plan?.limit, terms.insuredAmount),
  };
  const additional = terms.coverages.map(({ code }) => {
    const found = product.coverages.find((each) => each.code === code);
    return { name: found?.name ?? code, ...limited(found?.limit, terms.insuredAmount) };
  });
  return [basic, ...additional];
};
