import type { Instant, MoneyNews, Sale } from '#domain';
import type { Mailing } from '../mail/mailings.ts';

/** The changes of a sale that partners learn of. */
export const SALE_EVENTS = [
  'sale.registered',
  'sale.awaiting_payment',
  'sale.paid',
  'sale.issued',
  'sale.refused',
  'sale.expired',
  'sale.cancelled',
  'sale.refunded',
  'sale.disputed',
  'sale.dispute_closed',
  'sale.refund_undone',
] as const;

/** The outcomes of mailing a certificate that partners learn of. */
export const CERTIFICATE_EVENTS = ['certificate.sent', 'certificate.undelivered'] as const;

/** Asked for by the partner, to test its endpoint. */
export const TEST_EVENT = 'webhook.test';

export const EVENT_TYPES = [...SALE_EVENTS, ...CERTIFICATE_EVENTS, TEST_EVENT] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Days for which events are kept. */
export const EVENT_DAYS = 90;

interface Numbered {
  /**
   * Its place in the feed of all channels. Events get their places after they are stored, one after
   * the other: a reader that sees a place sees all before it.
   */
  readonly place: number;
  /** `evt_` and 32 hexadecimal digits. */
  readonly id: string;
  readonly channelLink: string;
  /** When it happened. */
  readonly at: Instant;
}

/** A sale was registered, its status has changed, or its money moved. */
export interface SaleChanged extends Numbered {
  readonly type: (typeof SALE_EVENTS)[number];
  /** The sale after the change. */
  readonly sale: Sale;
}

/** A certificate was mailed to the insured, or finally not taken. */
interface CertificateMailed extends Numbered {
  readonly type: (typeof CERTIFICATE_EVENTS)[number];
  /** The sale at that time. */
  readonly sale: Sale;
  /** 0: the mail of the issue; higher: a second copy. */
  readonly mailingNumber: number;
  /** Code of the failure; only if undelivered. */
  readonly reason?: string;
}

interface WebhookTested extends Numbered {
  readonly type: typeof TEST_EVENT;
  readonly endpointId: string;
  /** It is signed with a secret that the endpoint does not know, and is to be refused. */
  readonly isWronglySigned?: true;
}

/** Something that a partner learns of. Its sale has personal data, which is not sent. */
export type PartnerEvent = SaleChanged | CertificateMailed | WebhookTested;

/**
 * The types of the events that the registration of a sale makes: a sale that was paid to the channel
 * is born paid.
 */
export const registrationEvents = ({ status }: Pick<Sale, 'status'>): readonly EventType[] =>
  status === 'paid' ? ['sale.registered', 'sale.paid'] : ['sale.registered'];

/** The type of the event that a change of status makes; undefined: none. */
export const changeEvent = (to: Sale['status']): SaleChanged['type'] | undefined =>
  to === 'pending' ? undefined : `sale.${to}`;

/** The type of the event that the end of a certificate's mailing makes; undefined: none. */
export const mailingEvent = ({
  number,
  status,
}: Pick<Mailing, 'number' | 'status'>): CertificateMailed['type'] | undefined =>
  number >= 0 && (status === 'sent' || status === 'undelivered')
    ? `certificate.${status}`
    : undefined;

const MONEY_EVENTS: Readonly<Partial<Record<MoneyNews['kind'], SaleChanged['type']>>> = {
  dispute_opened: 'sale.disputed',
  dispute_won: 'sale.dispute_closed',
  dispute_lost: 'sale.dispute_closed',
  refund_undone: 'sale.refund_undone',
};

/** The types of the events that news of the money make, each once. */
export const moneyEvents = (news: readonly MoneyNews[]): readonly SaleChanged['type'][] => [
  ...new Set(news.flatMap(({ kind }) => MONEY_EVENTS[kind] ?? [])),
];

export interface FeedQuery {
  readonly channelLink: string;
  /** Only events at later places. 0: from the oldest that is kept. */
  readonly after: number;
  readonly types: readonly EventType[];
  readonly limit: number;
}

export interface FeedPage {
  readonly events: readonly PartnerEvent[];
  /** The place after which a reader goes on. */
  readonly next: number;
  /** Whether there are more events already. */
  readonly hasMore: boolean;
}

/**
 * The events of all channels.
 *
 * 1. A registration, a change of a sale's status, news of its money and the outcome of a certificate's
 *    mail is an event once. A refunded sale whose refund is undone gets no second `sale.cancelled`. It is stored with the change or not at all. Its sale is as it was after the change.
 * 2. A channel reads its own events only, sorted by place. A reader that goes on after `next` gets
 *    each event once, however many processes write.
 * 3. `requestTest` adds an event for one endpoint, which may be one that is signed wrongly.
 * 4. Events that happened before a time are deleted, the oldest first. A reader that would go on
 *    after a place behind which events were deleted gets `deleted`.
 */
export interface PartnerEvents {
  read(query: FeedQuery): Promise<FeedPage | 'deleted'>;
  /** Returns the id of the event. */
  requestTest(
    channelLink: string,
    endpointId: string,
    at: Instant,
    signature?: 'right' | 'wrong',
  ): Promise<string>;
  /** Deletes up to `limit` events. Returns `limit` if more may be left. */
  deleteBefore(at: Instant, limit: number): Promise<number>;
}

/** What a partner gets of an event. The same event always has the same body. */
export interface EventBodies {
  /** The body, without personal data, to be written as JSON. */
  bodyOf(event: PartnerEvent): object;
}
