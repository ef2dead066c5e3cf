import type { Instant } from '#domain';

export interface WebhookMessage {
  readonly url: string;
  /** The id of the event, the same in each try. */
  readonly id: string;
  readonly sentAt: Instant;
  readonly body: string;
  /** `whsec_…`; the body is signed with each. */
  readonly secrets: readonly string[];
}

export type SendOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** `Retry-After`, as the time it names. */
      readonly retryAt?: Instant;
      /** The first 1,000 bytes. */
      readonly answer: string;
      readonly ms: number;
    }
  /** `reason`: a code. */
  | { readonly kind: 'unanswered'; readonly reason: string; readonly ms: number };

/**
 * Sends webhooks as Standard Webhooks says.
 *
 * 1. The message is signed with each secret, and the answer comes back with its status, whatever it
 *    is. Redirects are not followed.
 * 2. An address that is not allowed is not connected to: the check is made on the address that the
 *    connection uses.
 * 3. It answers within 15 seconds, however slow the endpoint is, and reads at most 1,000 bytes.
 */
export interface WebhookSender {
  send(message: WebhookMessage): Promise<SendOutcome>;
}

/** Seals the secrets of endpoints before they are stored. */
export interface SecretSeal {
  seal(secret: string): string;
  /** @throws Error if it was sealed with a key that is no longer known, or altered */
  open(sealed: string): string;
}
