import { type Instant, instantOf } from '#domain';
import type { AlertKind } from '../../../application/alerts/alerts.ts';
import type { LateSales, LegalClocks } from '../../../application/legal-clocks/legal-clocks.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { storingAlertsOf } from '../operations/alert-statements.ts';
import { IS_OWED } from './owed-refunds.ts';

/** Max sales that a statement examines or returns. */
const MAX_SALES = 1_000;

interface TakeValues {
  readonly before: Instant;
  readonly now: Instant;
  readonly limit: number;
}

interface Taken {
  /** How many sales the statement has looked at. */
  readonly examined: number;
  readonly late: readonly { readonly saleId: number; readonly since: string }[];
}

const LATE_AS_JSON = `
  coalesce((
    select json_agg(json_build_object('saleId', sale_id, 'since', since) order by sale_id) from taken
  ), '[]') as late`;

/** Parts of a statement: they store the alerts of the sales that were `taken` in it. */
const storingAlertsOfTaken = (kind: AlertKind): string => `
  overdue as (
    select '${kind}' as "kind", 'transaction/' || sale_id as "subject", sale_id as "saleId",
      jsonb_build_object('since',
        to_char(since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as "details",
      $now::timestamptz as "firstAt", $now::timestamptz as "lastAt", 1 as "times",
      null::text as "requestId"
    from taken
  ), ${storingAlertsOf('overdue')}`;

/**
 * Examines each sale once, when its 25 days are over, in the order of the numbers. `legal_clock`
 * has the last number that was examined; its row lock makes simultaneous callers take turns. So the
 * table of sales needs no further index, and the sale of a new one costs nothing more.
 */
export const takeLatePolicies = statement<TakeValues, Taken>(
  'take-late-policies',
  `
    with place as (
      select examined_to from legal_clock where clock = 'policy' for update
    ), batch as (
      select id, registered_at,
        case status when 'pending' then true when 'awaiting_payment' then true
          when 'paid' then terms#>>'{payment,collectedBy}' = 'service' else false end as is_late
      from sale where id > (select examined_to from place) order by id limit $limit
    ), examined as (
      select id, registered_at, is_late from batch where id < coalesce(
        (select min(id) from batch where registered_at >= $before::timestamptz), 9223372036854775807)
    ), moved as (
      update legal_clock set examined_to = (select max(id) from examined)
      where clock = 'policy' and exists (select from examined)
    ), taken as (
      insert into legal_alert (sale_id, clock, since, raised_at)
      select id, 'policy', registered_at, $now::timestamptz from examined where is_late
      on conflict do nothing returning sale_id, since
    ), ${storingAlertsOfTaken('policy_overdue')}
    select (select count(*)::integer from examined) as examined, ${LATE_AS_JSON}`,
  { isSlow: true },
);

/** Reads the partial indexes of mails that were not sent. */
export const takeLateCertificates = statement<TakeValues, Taken>(
  'take-late-certificates',
  `
    with unsent as (
      select sale_id, requested_at from mailing
      where (number = 0) and status = 'waiting' and requested_at < $before::timestamptz
      union all
      select sale_id, requested_at from mailing
      where number = 0 and status in ('handed_over', 'undelivered')
        and requested_at < $before::timestamptz
    ), taken as (
      insert into legal_alert (sale_id, clock, since, raised_at)
      select sale_id, 'certificate', requested_at, $now::timestamptz from unsent
      where not exists (
          select from legal_alert known
          where known.sale_id = unsent.sale_id and known.clock = 'certificate')
        and exists (
          select from sale where sale.id = unsent.sale_id and sale.status in ('paid', 'issued'))
        and not exists (
          select from mailing copy
          where copy.sale_id = unsent.sale_id and copy.number > 0 and copy.status = 'sent')
      limit $limit
      on conflict do nothing returning sale_id, since
    ), ${storingAlertsOfTaken('certificate_overdue')}
    select (select count(*)::integer from taken) as examined, ${LATE_AS_JSON}`,
  { isSlow: true },
);

/** A cancellation is looked at for so long. */
const LOOKED_AT_DAYS = 90;

/** Reads the cancelled sales of some weeks, channel by channel, by their index. */
export const takeLateRefunds = statement<TakeValues, Taken>(
  'take-late-refunds',
  `
    with recursive known as (
      (select channel_link from sale where cancelled_at is not null order by channel_link limit 1)
      union all
      select (
        select channel_link from sale
        where cancelled_at is not null and channel_link > known.channel_link
        order by channel_link limit 1
      ) from known where channel_link is not null
    ), owed as (
      select cancelled.id as sale_id, cancelled.cancelled_at
      from known cross join lateral (
        select id, cancelled_at from sale
        where channel_link = known.channel_link and cancelled_at is not null
          and cancelled_at < $before::timestamptz
          and cancelled_at >= $before::timestamptz - interval '${LOOKED_AT_DAYS} days'
          and ${IS_OWED}
          and not exists (select from late_refund where late_refund.sale_id = sale.id)
        limit $limit
      ) as cancelled
      limit $limit
    ), taken as (
      insert into late_refund (sale_id, since, raised_at)
      select sale_id, cancelled_at, $now::timestamptz from owed
      on conflict do nothing returning sale_id, since
    ), ${storingAlertsOfTaken('refund_unconfirmed')}
    select (select count(*)::integer from owed) as examined, ${LATE_AS_JSON}`,
  { isSlow: true },
);

export class DatabaseLegalClocks implements LegalClocks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  takeLatePolicies(before: Instant, now: Instant): Promise<LateSales> {
    return this.#take(takeLatePolicies, { before, now });
  }

  takeLateCertificates(before: Instant, now: Instant): Promise<LateSales> {
    return this.#take(takeLateCertificates, { before, now });
  }

  takeLateRefunds(before: Instant, now: Instant): Promise<LateSales> {
    return this.#take(takeLateRefunds, { before, now });
  }

  async #take(
    take: typeof takeLatePolicies,
    values: Omit<TakeValues, 'limit'>,
  ): Promise<LateSales> {
    const [row] = await this.#database.query(take, { ...values, limit: MAX_SALES });
    const { examined, late } = row as Taken;
    return {
      late: late.map(({ saleId, since }) => ({ saleId, since: instantOf(new Date(since)) })),
      isComplete: examined < MAX_SALES,
    };
  }
}
