import { instantOf, isCertified, type Sale } from '#domain';
import type { Clock } from '../clock.ts';
import type { DocumentLinks } from './document-links.ts';

interface Needs {
  readonly documentLinks: DocumentLinks;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly documentLinkSeconds: number;
}

/** A temporary link to the certificate of a sale; null if the sale has none. */
export type DocumentUrl = (sale: Sale) => string | null;

export const makeDocumentUrl = ({
  documentLinks,
  clock,
  publicUrl,
  documentLinkSeconds,
}: Needs): DocumentUrl =>
  function documentUrl(sale) {
    if (!isCertified(sale)) return null;

    const seconds = Math.floor(Date.parse(clock.now()) / 1_000) + documentLinkSeconds;
    const until = instantOf(new Date(seconds * 1_000));
    return `${publicUrl}/documents/${documentLinks.sign({ saleId: sale.id, until })}`;
  };
