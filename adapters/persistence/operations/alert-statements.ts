import type { Instant } from '#domain';
import type { AlertWay } from '../../../application/alerts/alert-notifications.ts';
import type { AlertQuery } from '../../../application/alerts/alert-records.ts';
import { ALERT_KINDS, type AlertKind } from '../../../application/alerts/alerts.ts';
import { type StatementOf, statement } from '../engine/statement.ts';
import { columnNames, recordFields, recordNames, selection } from '../schema/columns.ts';
import { ALERT, RAISED_ALERT } from '../schema/tables.ts';

/**
 * Parts of a statement, `numbered` and `stored`: they store the alerts that are rows of `source`
 * with the properties of `RAISED_ALERT`. The lock of the number's row makes statements that store
 * alerts wait for each other until they are committed, so numbers become visible in their order.
 */
export const storingAlertsOf = (source: string): string => `
  numbered as (
    update alert_numbering set number = number + 1
    where list = 'raises' and exists (select from ${source}) returning number
  ), stored as (
    insert into alert as known (${columnNames(RAISED_ALERT)}, status, raise_number)
    select ${recordNames(RAISED_ALERT, 'raised')}, 'open', numbered.number
    from numbered, ${source} as raised
    on conflict (kind, subject) where status = 'open' do update set
      sale_id = coalesce(excluded.sale_id, known.sale_id), details = excluded.details,
      last_at = excluded.last_at, times = known.times + excluded.times,
      request_id = coalesce(excluded.request_id, known.request_id),
      raise_number = excluded.raise_number
  )`;

export const storeAlerts = statement<{ readonly raised: string }>(
  'store-alerts',
  `
    with given as (
      select ${recordNames(RAISED_ALERT, 'given')}
      from json_to_recordset($raised::json) as given (${recordFields(RAISED_ALERT)})
    ), ${storingAlertsOf('given')}
    select 1`,
);

const FILTERS = {
  status: 'status = $status',
  kind: 'kind = $kind',
  saleId: 'sale_id = $saleId',
  before: 'id < $before',
};

/** A statement for the filters that are given, so that PostgreSQL chooses the index for them. */
export const listAlerts = (query: AlertQuery): StatementOf<AlertQuery, object> => {
  const filters = Object.entries(FILTERS).filter(
    ([name]) => query[name as keyof AlertQuery] !== undefined,
  );
  const where = filters.length > 0 ? `where ${filters.map(([, sql]) => sql).join(' and ')}` : '';
  return statement(
    ['list-alerts', ...filters.map(([name]) => name)].join('-'),
    `select ${selection(ALERT)} from alert ${where} order by alert.id desc limit $limit`,
  );
};

const KINDS = ALERT_KINDS.map((kind) => `('${kind}')`).join(', ');

/**
 * Claims a kind with alerts that operators were not notified of, if there is one. It asks the index
 * for the last raise of each kind, so that it is as fast with many open alerts.
 */
export const claimNotification = statement<
  {
    readonly way: AlertWay;
    readonly now: Instant;
    readonly toldBefore: Instant;
    readonly until: Instant;
  },
  { readonly kind: AlertKind; readonly toldUpTo: string; readonly failures: number }
>(
  'claim-alert-telling',
  `
    with raised as (
      select kinds.kind, newest.number
      from (values ${KINDS}) as kinds (kind), lateral (
        select raise_number as number from alert
        where alert.kind = kinds.kind and status = 'open' order by raise_number desc limit 1
      ) as newest
    ), due as (
      select raised.kind from raised
      left join alert_telling known on known.kind = raised.kind and known.way = $way
      where known.kind is null or (
        known.told_up_to < raised.number
        and (known.told_at is null or known.told_at <= $toldBefore)
        and (known.claimed_until is null or known.claimed_until <= $now))
      order by raised.kind limit 1
    )
    insert into alert_telling as known (kind, way, told_up_to, claimed_until, failures)
    select kind, $way, 0, $until, 0 from due
    on conflict (kind, way) do update set claimed_until = excluded.claimed_until
    where (known.told_at is null or known.told_at <= $toldBefore)
      and (known.claimed_until is null or known.claimed_until <= $now)
    returning kind, told_up_to::text as "toldUpTo", failures`,
);

export const listToTell = statement<
  { readonly kind: AlertKind; readonly toldUpTo: number; readonly limit: number },
  { readonly count: number; readonly upTo: string }
>(
  'list-alerts-to-tell',
  `
    select ${selection(ALERT)}, count(*) over ()::integer as count,
      (max(raise_number) over ())::text as "upTo"
    from alert where kind = $kind and status = 'open' and raise_number > $toldUpTo
    order by alert.id desc limit $limit`,
);

export const noteTold = statement<{
  readonly kind: AlertKind;
  readonly way: AlertWay;
  readonly at: Instant;
  readonly upTo: number;
}>(
  'alert-notes-told',
  `
    update alert_telling
    set told_at = $at, told_up_to = greatest(told_up_to, $upTo), claimed_until = null, failures = 0
    where kind = $kind and way = $way`,
);

export const noteNotificationFailed = statement<{
  readonly kind: AlertKind;
  readonly way: AlertWay;
  readonly until: Instant;
  readonly failures: number;
}>(
  'note-alert-telling-failed',
  `
    update alert_telling set claimed_until = $until, failures = $failures
    where kind = $kind and way = $way`,
);
