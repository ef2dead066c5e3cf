import type { Instant } from '#domain';

/** What a gateway tells of its own accord: that something has become of a charge. What, the gateway is asked. */
export interface Notice {
  /** The gateway's own number: the same notice, told again, bears the same. */
  readonly id: string;
  readonly event: string;
  /** Of the sale; absent where the gateway does not say. */
  readonly reference?: string;
  readonly chargeId?: string;
}

/** `forged`: whoever sent it is not the gateway. `unreadable`: it is, and makes no sense. */
export type NoticeReading = Notice | 'forged' | 'unreadable';

/** Knows a gateway's notices: what they look like, and whether they are its own. */
export interface NoticeReader {
  /** The gateway's name, as it stands in the address that it notifies. */
  readonly gateway: string;
  /** Whether the gateway's word for an event says that a charge may have changed. */
  isOfInterest(event: string): boolean;
  read(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: string,
  ): NoticeReading;
}

/** What became of a notice. */
export type NoticeOutcome = 'received' | 'taken' | 'unchanged' | 'ignored' | 'of_nothing';

export interface KeptNotice {
  readonly gateway: string;
  readonly notice: Notice;
  readonly receivedAt: Instant;
  readonly outcome: NoticeOutcome;
}

/**
 * The notices that came in.
 *
 * 1. A notice is kept once, however often it comes; the first time, it is remembered as one to be worked on, in the same
 *    transaction.
 * 2. It is found again whole, with what became of it.
 */
export interface Notices {
  keep(notice: KeptNotice): Promise<'kept' | 'repeated'>;
  find(gateway: string, id: string): Promise<KeptNotice | undefined>;
  settle(gateway: string, id: string, outcome: NoticeOutcome): Promise<void>;
}
