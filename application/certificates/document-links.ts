import { type Instant, instantOf, isCertified, type Sale } from '#domain';
import type { Clock } from '../clock.ts';

/** What a link opens, and until when. */
export interface DocumentGrant {
  readonly saleId: number;
  /** In whole seconds. */
  readonly until: Instant;
}

/**
 * Addresses that open one document for whoever has them.
 *
 * 1. What was signed is read again as it was; it holds no word of anybody's.
 * 2. What nobody signed, or somebody changed, is undefined.
 */
export interface DocumentLinks {
  sign(grant: DocumentGrant): string;
  read(signed: string): DocumentGrant | undefined;
}

export interface DocumentUrlParts {
  readonly documentLinks: DocumentLinks;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Seconds for which a link works. */
  readonly documentLinkTtl: number;
}

/** Where the certificate of a sale can be had for a while; null where there is none. */
export type DocumentUrl = (sale: Sale) => string | null;

export const documentUrl =
  ({ documentLinks, clock, publicUrl, documentLinkTtl }: DocumentUrlParts): DocumentUrl =>
  (sale) => {
    if (!isCertified(sale)) return null;
    const seconds = Math.floor(Date.parse(clock.now()) / 1_000) + documentLinkTtl;
    return `${publicUrl}/documents/${documentLinks.sign({ saleId: sale.id, until: instantOf(new Date(seconds * 1_000)) })}`;
  };
