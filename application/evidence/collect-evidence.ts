import {
  grantedProducts,
  type IssuedDocument,
  isDocumented,
  issuedDocumentOf,
  type Product,
  type Sale,
} from '#domain';
import type { Actor, AuditLog } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Documents } from '../certificates/certificate.ts';
import { type ComposeCertificate, productSold } from '../certificates/compose-certificate.ts';
import type { Clock } from '../clock.ts';
import type { Mailing, Mailings } from '../mail/mailings.ts';
import { type Disclosure, discloseOffer } from '../selling/disclosure.ts';

/**
 * Signs evidence, so that everyone can check who made it and that it was not altered.
 *
 * 1. `sign` returns a compact JWS (RFC 7515). Its payload is the content, with issuer and time.
 * 2. The key that signs is among the published keys before `sign` resolves, and stays there.
 * 3. No evidence is accepted as an access token.
 * 4. `digest` is the SHA-256 of the bytes, in 64 lower-case hexadecimal digits.
 */
export interface EvidenceSeal {
  sign(content: object): Promise<string>;
  digest(bytes: Uint8Array): string;
}

/** What proves a sale: the sale itself, and what was made and sent because of it. */
export interface Evidence {
  readonly sale: Sale;
  /** The product as it was sold. */
  readonly product: Product;
  /** Undefined until a certificate is issued; kept after the contract has ended. */
  readonly certificate: CertifiedDocument | undefined;
  /** The mails of the certificate, the oldest first. */
  readonly mailings: readonly Mailing[];
  /**
   * What the customer may have seen: the disclosure of the plan, and that of the product. Empty if the
   * acceptance names none.
   */
  readonly disclosures: readonly Disclosure[];
}

interface CertifiedDocument extends IssuedDocument {
  /** SHA-256 of the PDF that the insured gets. */
  readonly sha256: string;
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  readonly mailings: Mailings;
  readonly evidenceSeal: EvidenceSeal;
  readonly composeCertificate: ComposeCertificate;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
}

export type CollectEvidence = (sale: Sale, actor: Actor) => Promise<Evidence>;

/** The latest mails; a sale with more has been copied every hour for weeks. */
const MOST_MAILS = 1_000;

/** The audit log names who reads it, because it identifies the insured. */
export const makeCollectEvidence = (parts: Needs): CollectEvidence => {
  const { catalogue, documents, mailings, evidenceSeal, composeCertificate, auditLog, clock } =
    parts;

  const certificateOf = async (sale: Sale): Promise<CertifiedDocument | undefined> => {
    if (!isDocumented(sale)) return undefined;
    const document = await documents.certificate(await composeCertificate(sale));
    return { ...(issuedDocumentOf(sale) as IssuedDocument), sha256: evidenceSeal.digest(document) };
  };

  return async function collectEvidence(sale, actor) {
    await auditLog.append({
      at: clock.now(),
      action: 'sale.evidence_read',
      actor,
      subject: `transaction/${sale.id}`,
      reason: null,
      changes: [],
    });
    const [product, certificate, mails] = await Promise.all([
      productSold(catalogue, sale),
      certificateOf(sale),
      mailings.list({ saleId: sale.id, limit: MOST_MAILS }),
    ]);
    const disclosures = await disclosuresOf(sale, product, catalogue);
    return { sale, product, certificate, mailings: mails.toReversed(), disclosures };
  };
};

const disclosuresOf = async (
  { terms }: Sale,
  product: Product,
  catalogue: Catalogue,
): Promise<readonly Disclosure[]> => {
  const { channelLink, channelVersion, acceptance, quote, soldOn } = terms;
  if (acceptance?.disclosureHash === undefined || channelVersion === undefined) return [];
  const channel = (await catalogue.channelVersion(channelLink, channelVersion))?.definition;
  const [granted] = grantedProducts([product], channel);
  if (channel === undefined || granted === undefined) return [];
  const { items, amount } = quote.commission;
  const ofProduct = granted.plans.map(({ commissions }) => commissions);
  return [
    discloseOffer(channel, product, [items], soldOn, amount),
    discloseOffer(channel, product, ofProduct, soldOn),
  ];
};
