import type { Instant } from '#domain';

/** Work to be done by whoever comes to it, at least once. */
export type Task =
  | { readonly kind: 'resume_sale'; readonly saleId: number; readonly notBefore?: Instant }
  | { readonly kind: 'process_notice'; readonly noticeId: string };
