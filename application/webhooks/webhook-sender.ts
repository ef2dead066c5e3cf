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

/**
 * Makes the secrets of endpoints, and seals them before they are stored.
 *
 * 1. No two secrets are equal. Each is `whsec_` and 32 random bytes in base64 (Standard Webhooks).
 * 2. A sealed secret shows nothing of the secret. It opens for its own endpoint, and for no other.
 * 3. It opens while the service knows the key that sealed it.
 */
export interface SecretSeal {
  makeSecret(): string;
  seal(secret: string, endpointId: string): string;
  /** Undefined: sealed for another endpoint, altered, or with a key that is no longer known. */
  open(sealed: string, endpointId: string): string | undefined;
}
