import type { Instant } from '#domain';

/** A job in the queue. It runs at least once. */
export type Task =
  | { readonly kind: 'resume_sale'; readonly saleId: number; readonly notBefore?: Instant }
  | { readonly kind: 'process_notice'; readonly noticeId: string };
