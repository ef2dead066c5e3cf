import type { Certificate } from './certificate.ts';

/**
 * Makes documents of what they say.
 *
 * 1. A certificate becomes a PDF; whatever anybody is called, in whatever script, it has its place.
 * 2. The same certificate gives the same bytes.
 */
export interface Documents {
  certificate(certificate: Certificate): Promise<Uint8Array>;
}

/** A document with the name of its file, which says nothing of anybody. */
export interface NamedDocument {
  readonly fileName: string;
  readonly content: Uint8Array;
}

export const fileNameOf = ({ kind, number }: Pick<Certificate, 'kind' | 'number'>): string =>
  `${kind === 'bilhete' ? 'bilhete' : 'apolice'}-${number.replaceAll(/[^A-Za-z0-9-]+/g, '-')}.pdf`;
