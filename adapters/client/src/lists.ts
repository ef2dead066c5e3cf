import type { Answer, Query } from './answers.ts';
import type { CallOptions } from './options.ts';
import { type FoundPage, Pages } from './pages.ts';
import { segment } from './request.ts';
import type { Transport } from './transport.ts';
import { pause } from './waiting.ts';

export type FoundSale = Answer<'listSales'>['data'][number];
export type OwedRefund = Answer<'listOwedRefunds'>['data'][number];
export type PartnerEvent = Answer<'listEvents'>['data'][number];
export type Delivery = Answer<'listWebhookDeliveries'>['data'][number];

export interface FollowOptions {
  /** The pause before the feed is read again when it has no more events, ms. Default: 5,000. */
  readonly everyMs?: number;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
}

interface CursorAnswer<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

const pageOf = <Item>({ data, next_cursor: cursor }: CursorAnswer<Item>): FoundPage<Item> => ({
  items: data,
  cursor,
  hasMore: cursor !== null,
});

/** The lists, which are read page by page while they are iterated. */
export const listMethods = (transport: Transport) => {
  const get = <T>(path: string, query: object, options?: CallOptions) =>
    transport.send<T>({ method: 'GET', path, query, isRepeatable: true }, options);

  const readEvents = (query: Query<'listEvents'>, options?: CallOptions) => {
    // An empty cursor begins with the first event, as none does.
    const after = query.after || undefined;
    return get<Answer<'listEvents'>>('/private/integration/events', { ...query, after }, options);
  };

  return {
    /** What your channel has to return, from the oldest cancellation on. */
    listOwedRefunds(
      query: Query<'listOwedRefunds'> = {},
      options?: CallOptions,
    ): Pages<OwedRefund> {
      return new Pages(async (cursor) => {
        const path = '/private/integration/refunds-owed';
        return pageOf(await get<Answer<'listOwedRefunds'>>(path, { ...query, cursor }, options));
      }, query.cursor);
    },

    /** The sales of your channel, the newest first. */
    listSales(query: Query<'listSales'> = {}, options?: CallOptions): Pages<FoundSale> {
      return new Pages(async (cursor) => {
        const path = '/private/integration/sales';
        return pageOf(await get<Answer<'listSales'>>(path, { ...query, cursor }, options));
      }, query.cursor);
    },

    /**
     * The events of your channel after the cursor `after`, the oldest first, up to now. Store the
     * `cursor` of the list for the next call.
     *
     * @throws InsuranceError `cursor_expired` if events after the cursor were deleted (90 days)
     */
    listEvents(query: Query<'listEvents'> = {}, options?: CallOptions): Pages<PartnerEvent> {
      return new Pages(async (after) => {
        const answer = await readEvents(
          { ...query, ...(after !== undefined && { after }) },
          options,
        );
        return { items: answer.data, cursor: answer.next_cursor, hasMore: answer.has_more };
      }, query.after);
    },

    /**
     * Lists as `listEvents`, and then each new event until the signal aborts; throws its reason.
     */
    followEvents(query: Query<'listEvents'>, options: FollowOptions): Pages<PartnerEvent> {
      const { everyMs = 5_000, signal } = options;
      let isUpToDate = false;
      return new Pages(async (after) => {
        if (isUpToDate) await pause(everyMs, signal);
        const answer = await readEvents(
          { ...query, ...(after !== undefined && { after }) },
          options,
        );
        isUpToDate = !answer.has_more;
        return { items: answer.data, cursor: answer.next_cursor, hasMore: true };
      }, query.after);
    },

    /** What was sent to a webhook, the newest first. */
    listWebhookDeliveries(
      webhookId: string,
      query: Query<'listWebhookDeliveries'> = {},
      options?: CallOptions,
    ): Pages<Delivery> {
      return new Pages(async (cursor) => {
        const path = `/private/integration/webhooks/${segment(webhookId)}/deliveries`;
        const answer = await get<CursorAnswer<Delivery>>(path, { ...query, cursor }, options);
        return pageOf(answer);
      }, query.cursor);
    },
  };
};
