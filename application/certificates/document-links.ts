import { type Instant, instantOf, isCertified, type Refusal, refuse, type Sale } from '#domain';
import type { Clock } from '../clock.ts';
import type { Sales } from '../sales/sales.ts';
import { type Documents, fileNameOf, type NamedDocument } from './certificate.ts';
import type { ComposeCertificate } from './compose-certificate.ts';

/** Which certificate a link opens, and until when. */
export interface DocumentGrant {
  readonly saleId: number;
  /** The end of the time in which the link opens the document, in whole seconds. */
  readonly until: Instant;
}

/**
 * Links that open one document without further authentication.
 *
 * 1. A signed grant is read back unchanged. The link holds no personal data.
 * 2. A link that was not signed here, or was altered, reads as undefined.
 */
export interface DocumentLinks {
  sign(grant: DocumentGrant): string;
  read(signed: string): DocumentGrant | undefined;
}

interface Needs {
  readonly documentLinks: DocumentLinks;
  readonly documents: Documents;
  readonly sales: Sales;
  readonly clock: Clock;
  readonly composeCertificate: ComposeCertificate;
}

/** A temporary link to the certificate of a sale; null if the sale has none. */
export type DocumentUrl = (sale: Sale) => string | null;

export const makeDocumentUrl = ({
  documentLinks,
  clock,
  publicUrl,
  documentLinkSeconds,
}: Pick<Needs, 'documentLinks' | 'clock'> & {
  readonly publicUrl: string;
  readonly documentLinkSeconds: number;
}): DocumentUrl =>
  function documentUrl(sale) {
    if (!isCertified(sale)) return null;

    const seconds = Math.floor(Date.parse(clock.now()) / 1_000) + documentLinkSeconds;
    const until = instantOf(new Date(seconds * 1_000));
    return `${publicUrl}/documents/${documentLinks.sign({ saleId: sale.id, until })}`;
  };

/** `contract_ended`: the contract was cancelled after the link was made. */
export type DocumentRefusal = Refusal<'link_unknown' | 'link_expired' | 'contract_ended'>;

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
