import { isCertified } from '#domain';
import type { Clock } from '../clock.ts';
import type { Sales } from '../sales/sales.ts';
import type { ComposeCertificate } from './certificate.ts';
import type { DocumentLinks } from './document-links.ts';
import { type Documents, fileNameOf, type NamedDocument } from './documents.ts';

export interface OpenDocumentParts {
  readonly documentLinks: DocumentLinks;
  readonly documents: Documents;
  readonly composeCertificate: ComposeCertificate;
  readonly sales: Sales;
  readonly clock: Clock;
}

/** `ended`: the contract was cancelled since the link was given. */
export type OpenDocument = (
  signed: string,
) => Promise<NamedDocument | 'unknown' | 'expired' | 'ended'>;

/** The document that a link opens, as long as it does. */
export const openDocument =
  ({
    documentLinks,
    documents,
    composeCertificate,
    sales,
    clock,
  }: OpenDocumentParts): OpenDocument =>
  async (signed) => {
    const grant = documentLinks.read(signed);
    if (grant === undefined) return 'unknown';
    if (grant.until <= clock.now()) return 'expired';
    const sale = await sales.load(grant.saleId);
    if (sale === undefined) return 'unknown';
    if (!isCertified(sale)) return 'ended';
    const certificate = await composeCertificate(sale);
    return { fileName: fileNameOf(certificate), content: await documents.certificate(certificate) };
  };
