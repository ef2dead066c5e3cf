import {
  type Cents,
  type CertificatePaper,
  type CertifiedSale,
  coverOf,
  isRefusal,
  lastDayOfWithdrawal,
  type Product,
  paperOf,
  type Sale,
  type SaleTerms,
  splitIntoInstallments,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Ports } from '../ports.ts';
import type { Certificate, CertifiedCoverage } from './certificate.ts';
import { objectFields } from './insured-object.ts';

type Needs = Pick<Ports, 'catalogue' | 'publicUrl'>;

export type ComposeCertificate = (sale: CertifiedSale) => Promise<Certificate>;

export const makeComposeCertificate = ({ catalogue, publicUrl }: Needs): ComposeCertificate =>
  async function composeCertificate(sale) {
    const { terms, ticket, payment } = sale;
    const product = await productSold(catalogue, sale);
    const channelName = await channelNameOf(catalogue, terms);
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

/** The name of the channel when it sold. Early sales do not store it: they get today's. */
export const channelNameOf = async (
  catalogue: Catalogue,
  { channelName, channelLink }: SaleTerms,
): Promise<string> =>
  channelName ?? (await catalogue.current()).channels.get(channelLink)?.name ?? channelLink;

/**
 * The product version that was sold. Early sales store no version: they get the version in force
 * when they were registered.
 *
 * @throws Error if the catalogue has lost the version.
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

/** Installments are equal, except that the first includes the cents left over. */
const partsOf = ({ payment, quote, soldOn }: SaleTerms): Pick<Certificate['payment'], 'parts'> => {
  if (payment.collectedBy === 'channel' || payment.installments === 1) return {};
  const { installments: count, firstDueOn = soldOn } = payment;
  const parts = splitIntoInstallments(quote.premium, { count, firstDueOn, offered: count });
  const [first, second] = isRefusal(parts) ? [] : parts;
  return first && second ? { parts: { first: first.total, others: second.total } } : {};
};

const planOf = ({ plans }: Product, code: string) => plans.find((each) => each.code === code);

/** The insured amount of the sale, up to the limit of the product. */
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
