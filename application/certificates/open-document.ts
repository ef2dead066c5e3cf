import { isCertified, refuse } from '#domain';
import type { Ports } from '../ports.ts';
import type { DocumentRefusal } from '../refusals.ts';
import { fileNameOf, type NamedDocument } from './certificate.ts';
import type { ComposeCertificate } from './compose-certificate.ts';

type Needs = Pick<Ports, 'documentLinks' | 'documents' | 'sales' | 'clock'> & {
  readonly composeCertificate: ComposeCertificate;
};

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
