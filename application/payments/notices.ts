import type { Instant } from '#domain';

/** A gateway's message that a charge may have changed. What changed is asked from the gateway. */
export interface Notice {
  /** The gateway's id of the notice; the same when it is sent again. */
  readonly id: string;
  readonly event: string;
  /** Reference of the sale; absent if the gateway does not send it. */
  readonly reference?: string;
  readonly chargeId?: string;
}

/** `forged`: not sent by the gateway. `unreadable`: sent by the gateway, but not understood. */
export type NoticeReading = Notice | 'forged' | 'unreadable';

/** Reads and authenticates a gateway's notices. */
export interface NoticeReader {
  /** The gateway's name in the webhook's address. */
  readonly gateway: string;
  /** Whether an event means that a charge may have changed. */
  isOfInterest(event: string): boolean;
  /** Whether an event means that a bank blocks money of the account: a person looks at it. */
  isBlock?(event: string): boolean;
  read(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): NoticeReading;
}

/** A notice that was sent by the gateway, but not understood. */
export interface UnreadableNotice {
  readonly gateway: string;
  /** Only its hash is stored. */
  readonly body: string;
  /** What of it may be stored: see `redactNotice`. */
  readonly excerpt: string;
  readonly receivedAt: Instant;
}

/** What a notice led to. */
export type NoticeOutcome = 'received' | 'taken' | 'unchanged' | 'ignored' | 'of_nothing';

export interface KeptNotice {
  readonly gateway: string;
  readonly notice: Notice;
  readonly receivedAt: Instant;
  readonly outcome: NoticeOutcome;
}

/**
 * Received notices.
 *
 * 1. A notice is stored once, however often it arrives. The first time, a job to process it is
 *    stored in the same transaction.
 * 2. It is found complete, with its outcome.
 * 3. Of unreadable notices with the same body, the first is stored, without the body itself.
 */
export interface Notices {
  keep(notice: KeptNotice): Promise<'kept' | 'repeated'>;
  find(gateway: string, id: string): Promise<KeptNotice | undefined>;
  /** `digest`: SHA-256 of the body in hexadecimal, under which the notice is stored. */
  keepUnreadable(
    notice: UnreadableNotice,
  ): Promise<{ readonly kind: 'kept' | 'repeated'; readonly digest: string }>;
  settle(gateway: string, id: string, outcome: NoticeOutcome): Promise<void>;
}

/** Whether the value is printable ASCII that is short enough to be stored. */
export const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value);
