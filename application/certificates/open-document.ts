import { isCertified } from '#domain';
import type { Ports } from '../ports.ts';
import { fileNameOf, type NamedDocument } from './certificate.ts';
import type { ComposeCertificate } from './compose-certificate.ts';

type Needs = Pick<Ports, 'documentLinks' | 'documents' | 'sales' | 'clock'> & {
  readonly composeCertificate: ComposeCertificate;
};

/** `ended`: the contract was cancelled after the link was made. */
export type OpenDocument = (
  signed: string,
) => Promise<NamedDocument | 'unknown' | 'expired' | 'ended'>;

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
    if (grant === undefined) return 'unknown';
    if (grant.until <= clock.now()) return 'expired';
    const sale = await sales.load(grant.saleId);
    if (sale === undefined) return 'unknown';
    if (!isCertified(sale)) return 'ended';
    const certificate = await composeCertificate(sale);
    return { fileName: fileNameOf(certificate), content: await documents.certificate(certificate) };
  };
