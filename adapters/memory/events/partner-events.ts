import type { Instant, Sale } from '#domain';
import {
  changeEvent,
  type FeedPage,
  type FeedQuery,
  mailingEvent,
  type PartnerEvent,
  type PartnerEvents,
  registrationEvents,
  type SaleChanged,
  TEST_EVENT,
} from '../../../application/events/partner-events.ts';
import type { Mailing } from '../../../application/mail/mailings.ts';

type Content<Event = PartnerEvent> = Event extends PartnerEvent
  ? Omit<Event, 'place' | 'id'>
  : never;

/** The events in memory. Each gets its place at once. */
export class MemoryPartnerEvents implements PartnerEvents {
  #events: readonly PartnerEvent[] = [];
  #followers: readonly ((event: PartnerEvent) => void)[] = [];
  #lastPlace = 0;
  #deletedPlace = 0;

  /** Calls back with each new event. */
  follow(follower: (event: PartnerEvent) => void): void {
    this.#followers = [...this.#followers, follower];
  }

  /** The events that are kept, oldest first. */
  get kept(): readonly PartnerEvent[] {
    return structuredClone(this.#events);
  }

  /** The first events after a place. */
  after(place: number, limit: number): readonly PartnerEvent[] {
    const from = this.#events.findIndex((event) => event.place > place);
    return from < 0 ? [] : structuredClone(this.#events.slice(from, from + limit));
  }

  noteRegistration(sale: Sale): void {
    for (const type of registrationEvents(sale))
      this.#add({ type, ...about(sale), at: sale.registeredAt } as Content);
  }

  noteChange(sale: Sale, at: Instant): void {
    const type = changeEvent(sale.status);
    if (type !== undefined) this.#add({ type, ...about(sale), at });
  }

  noteMoney(type: SaleChanged['type'], sale: Sale, at: Instant): void {
    this.#add({ type, ...about(sale), at });
  }

  noteMailing(sale: Sale, mailing: Mailing): void {
    const { number: mailingNumber, settledAt, reason } = mailing;
    const type = mailingEvent(mailing);
    if (settledAt === undefined || type === undefined) return;
    this.#add({
      ...{ type, ...about(sale), at: settledAt, mailingNumber },
      ...(reason !== undefined && { reason }),
    });
  }

  async requestTest(
    channelLink: string,
    endpointId: string,
    at: Instant,
    signature: 'right' | 'wrong' = 'right',
  ): Promise<string> {
    const wrong = signature === 'wrong' && ({ isWronglySigned: true } as const);
    return this.#add({ type: TEST_EVENT, channelLink, endpointId, at, ...wrong });
  }

  async read({ channelLink, after, types, limit }: FeedQuery): Promise<FeedPage | 'deleted'> {
    if (after > 0 && after < this.#deletedPlace) return 'deleted';
    const found = this.#events.filter(
      (event) =>
        event.channelLink === channelLink && event.place > after && types.includes(event.type),
    );
    const events = structuredClone(found.slice(0, limit));
    const hasMore = found.length > limit;
    return { events, hasMore, next: (hasMore && events.at(-1)?.place) || this.#lastPlace };
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const old = this.#events.slice(0, limit).filter((event) => event.at < at);
    this.#events = this.#events.filter((event) => !old.includes(event));
    this.#deletedPlace = Math.max(this.#deletedPlace, ...old.map(({ place }) => place));
    return old.length;
  }

  #add(content: Content): string {
    this.#lastPlace += 1;
    const place = this.#lastPlace;
    const id = `evt_${place.toString(16).padStart(32, '0')}`;
    const event = structuredClone({ ...content, place, id }) as PartnerEvent;
    this.#events = [...this.#events, event];
    for (const follower of this.#followers) follower(event);
    return id;
  }
}

/**
 * What an event keeps of a sale: no corrected e-mail addresses and none of the insurer's own words,
 * which may hold personal data.
 */
const about = ({ corrections, ...sale }: Sale) => {
  const { channelLink } = sale.terms;
  if (sale.issuance === undefined) return { channelLink, sale: sale as Sale };
  const { quotation, proposal, ...rest } = sale.issuance;
  const issuance = {
    ...{ quotation: withoutReason(quotation), ...rest },
    ...(proposal && { proposal: withoutReason(proposal) }),
  };
  return { channelLink, sale: { ...sale, issuance } as Sale };
};

const withoutReason = (document: object): object => {
  const { reason, ...rest } = document as { readonly reason?: string };
  return rest;
};
