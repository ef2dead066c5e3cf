import type { Instant } from '#domain';

/** The request that caused a job, by which the logs and the traces of both are found. */
export interface Cause {
  readonly requestId: string;
  /** The request's place in its trace, as W3C Trace Context writes it; absent without traces. */
  readonly traceparent?: string;
}

/** A job in the queue. It runs at least once. */
export type Task = (
  | { readonly kind: 'resume_sale'; readonly saleId: number; readonly notBefore?: Instant }
  | { readonly kind: 'process_notice'; readonly noticeId: string; readonly gateway: string }
) & {
  /** The cause. Default: the request or job that stores the task. */
  readonly cause?: Cause;
};
