import type { Instant } from '#domain';

/** Which certificate a link opens, and until when. */
export interface DocumentGrant {
  readonly saleId: number;
  /** In whole seconds. */
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
