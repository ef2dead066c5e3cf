import type {
  EndedByCancellation,
  FailedSale,
  Insured,
  IssuedSale,
  PaidSale,
  Product,
  SaleTerms,
} from '#domain';
import type { Catalogue } from '../../application/catalogue/catalogue.ts';
import type { Certificate } from '../../application/certificates/certificate.ts';
import { makeComposeCertificate } from '../../application/certificates/compose-certificate.ts';
import { makeComposeCancellationNotice } from '../../application/mail/compose-cancellation-notice.ts';
import { makeComposeFailureNotice } from '../../application/mail/compose-mail.ts';
import type {
  CancellationNotice,
  CertificateMail,
  FailureNotice,
  Mail,
} from '../../application/mail/mailer.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { AT, ISSUED, paidSale, terms } from './sales.ts';

const catalogueOf = (product: Product): Catalogue =>
  ({
    productVersion: async () => ({ definition: product, version: 1, updatedAt: AT }),
    channelVersion: async () => ({ definition: DEMO_CHANNEL, version: 1, updatedAt: AT }),
  }) as unknown as Catalogue;

const PUBLIC_URL = 'https://seguros.example';

/** The certificate of a demo product, with changes to the sale and the insured person. */
export const certificateOf = (
  over: Partial<SaleTerms> = {},
  insured: Partial<Insured> = {},
  { product = DEMO_PRODUCTS[0] as Product, issued = false } = {},
): Promise<Certificate> => {
  const { id, code, line, plans } = product;
  const usual = terms();
  const sold: SaleTerms = {
    ...usual,
    channelName: 'Canal de demonstração',
    channelVersion: 1,
    product: { id, code, line, version: 1 },
    plan: { id: plans[0].id, code: plans[0].code },
    insured: { ...usual.insured, name: 'Maria da Silva', socialName: 'Mari', ...insured },
    ...over,
  };
  const sale: PaidSale | IssuedSale = issued
    ? { ...ISSUED, terms: sold }
    : { ...paidSale(), terms: sold };
  const numbered = { ...sale, id: 123, ticket: '01M7YT3JAHDR4EX1NJJCGWCZ8P' };
  return makeComposeCertificate({ catalogue: catalogueOf(product), publicUrl: PUBLIC_URL })(
    numbered,
  );
};

/** The notice of a cancelled sale, of a demo product. */
export const noticeOf = (
  sale: EndedByCancellation,
  insured: Partial<Insured> = {},
  product = DEMO_PRODUCTS[0] as Product,
): Promise<CancellationNotice> => {
  const { id, code, line } = product;
  const terms: SaleTerms = {
    ...sale.terms,
    channelName: 'Canal de demonstração',
    product: { id, code, line, version: 1 },
    insured: { ...sale.terms.insured, ...insured },
  };
  return makeComposeCancellationNotice({ catalogue: catalogueOf(product) })({ ...sale, terms });
};

/** The notice of a purchase of a demo product that came to no contract. */
export const failureOf = (sale: FailedSale): Promise<FailureNotice> => {
  const { id, code, line } = DEMO_PRODUCTS[0] as Product;
  const product = { id, code, line, version: 1 };
  const terms = { ...sale.terms, channelName: 'Canal de demonstração', product };
  const catalogue = catalogueOf(DEMO_PRODUCTS[0] as Product);
  return makeComposeFailureNotice({ catalogue })({ ...sale, terms });
};

/** The mail with a certificate. @throws Error if no mail has one */
export const certificateMail = (mail: Mail | undefined): CertificateMail => {
  if (mail === undefined || !('certificate' in mail))
    throw new Error('the mail brings no certificate');
  return mail;
};
