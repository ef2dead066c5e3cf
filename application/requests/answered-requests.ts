import type { Instant } from '#domain';

/** Days for which the answers to requests are kept. */
export const REQUEST_DAYS = 30;

/** What the service answered to a request of a partner. It holds nothing of either body. */
export interface AnsweredRequest {
  /** `X-Request-Id`: the partner's own, which may name several requests, or one that was made. */
  readonly requestId: string;
  readonly channelLink: string;
  readonly clientId: string;
  /** When it was answered. */
  readonly at: Instant;
  readonly method: string;
  /** The pattern of the path: it holds no personal data. */
  readonly route: string;
  readonly status: number;
  /** The code of the error; null: it succeeded. */
  readonly code: string | null;
  /** The fields at fault, as in `X-Error-Fields`. */
  readonly fields: string | null;
  /** Time from the head of the request to the answer. */
  readonly ms: number;
  readonly saleId: number | null;
  /** Whether it was the answer to an earlier request with the same name. */
  readonly replayed: boolean;
}

/** A request that failed, with its place among the others. */
export interface FailedRequest extends AnsweredRequest {
  readonly number: number;
}

/**
 * The answers to requests that failed, or that made or changed a sale.
 *
 * 1. Added answers are found by the id of their request, the newest first, up to `limit`.
 * 2. A channel finds its own only.
 * 3. The requests of a channel that failed are listed, the newest first: only those before `before`.
 * 4. Answers that were given before a time are deleted, the oldest first.
 */
export interface AnsweredRequests {
  add(answered: readonly AnsweredRequest[]): Promise<void>;
  find(channelLink: string, requestId: string, limit: number): Promise<readonly AnsweredRequest[]>;
  listFailed(
    channelLink: string,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<readonly FailedRequest[]>;
  /** Deletes up to `limit` answers. Returns `limit` if more may be left. */
  deleteBefore(at: Instant, limit: number): Promise<number>;
}
