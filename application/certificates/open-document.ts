import { isCertified, type Refusal, refuse } from '#domain';
import type { Clock } from '../clock.ts';
import type { Sales } from '../sales/sales.ts';
import { type Documents, fileNameOf, type NamedDocument } from './certificate.ts';
import type { ComposeCertificate } from './compose-certificate.ts';
import type { DocumentLinks } from './document-links.ts';

/** `contract_ended`: the contract was cancelled after the link was made. */
export type DocumentRefusal = Refusal<'link_unknown' | 'link_expired' | 'contract_ended'>;

interface Needs {
  readonly documentLinks: DocumentLinks;
  readonly documents: Documents;
  readonly sales: Sales;
  readonly clock: Clock;
  readonly composeCertificate: ComposeCertificate;
}

export type OpenDocument = (signed: string) => Promise<NamedDocument | DocumentRefusal>;

/** Opens the document of a link that has not expired. */
export const makeOpenDocument = ({
  documentLinks,
  documents,
  composeCertificate,
  sales,
  clock,
}: Needs): OpenDocument =>
  async function openDocument(signed) {
    const grant = documentLinks.read(signed);
    if (grant === undefined) return refuse('link_unknown');
    if (grant.until <= clock.now()) return refuse('link_expired');
    const sale = await sales.load(grant.saleId);
    if (sale === undefined) return refuse('link_unknown');
    if (!isCertified(sale)) return refuse('contract_ended');
    const certificate = await composeCertificate(sale);
    return { fileName: fileNameOf(certificate), content: await documents.certificate(certificate) };
  };
