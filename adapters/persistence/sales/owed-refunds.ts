import type { Instant } from '#domain';
import { statement } from '../engine/statement.ts';
import { selection } from '../schema/columns.ts';
import { SALE_STATE } from '../schema/sale-row.ts';

/**
 * A sale whose channel still owes a refund: when all has gone back, its status is `refunded`. Joined
 * with the index of cancelled sales by channel and time.
 */
export const IS_OWED = `
  status = 'cancelled' and terms#>>'{payment,collectedBy}' = 'channel'
  and (progress#>>'{cancellation,refund,total}')::bigint > 0`;

export const listOwedRefunds = statement<
  {
    readonly channelLink: string;
    readonly after: Instant;
    readonly afterId: number;
    readonly limit: number;
  },
  object
>(
  'list-owed-refunds',
  `
    select ${selection(SALE_STATE)} from sale
    where channel_link = $channelLink and cancelled_at is not null
      and (cancelled_at, sale.id) > ($after::timestamptz, $afterId) and ${IS_OWED}
    order by sale.cancelled_at, sale.id limit $limit`,
);
