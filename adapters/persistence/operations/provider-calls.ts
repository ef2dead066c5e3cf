import type { Instant } from '#domain';
import type { CountedCall, ProviderCalls } from '../../../application/providers/provider-calls.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import {
  columnNames,
  recordFields,
  recordNames,
  rowReader,
  rowWriter,
  selection,
} from '../schema/columns.ts';
import { PROVIDER_CALL } from '../schema/tables.ts';

/** Adds calls in the order of the key, so that two processes lock rows in the same order. */
const addCalls = statement<{ readonly calls: string }>(
  'add-provider-calls',
  `
    insert into provider_call as known (${columnNames(PROVIDER_CALL)})
    select ${recordNames(PROVIDER_CALL, 'call')}
    from json_to_recordset($calls::json) as call (${recordFields(PROVIDER_CALL)})
    order by call."saleId", call.provider, call.question, call.answer
    on conflict (sale_id, provider, question, answer) do update set
      times = known.times + excluded.times,
      first_at = least(known.first_at, excluded.first_at),
      last_at = greatest(known.last_at, excluded.last_at),
      last_ms = case
        when excluded.last_at < known.last_at then known.last_ms else excluded.last_ms end,
      request_id = case
        when excluded.last_at < known.last_at then known.request_id else excluded.request_id end`,
);

const listCalls = statement<{ readonly saleId: number; readonly limit: number }, object>(
  'list-provider-calls',
  `
    select ${selection(PROVIDER_CALL)} from provider_call
    where sale_id = $saleId order by last_at desc limit $limit`,
);

const deleteOld = statement<
  { readonly at: Instant; readonly limit: number },
  { readonly count: number }
>(
  'delete-old-provider-calls',
  `
    with gone as (
      delete from provider_call where ctid = any (array(
        select ctid from provider_call where last_at < $at::timestamptz
        order by last_at limit $limit for update skip locked
      ))
      returning sale_id
    )
    select count(*)::int as count from gone`,
  { isSlow: true },
);

const readRow = rowReader(PROVIDER_CALL);
const writeRow = rowWriter(PROVIDER_CALL);

export class DatabaseProviderCalls implements ProviderCalls {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(calls: readonly CountedCall[]): Promise<void> {
    await this.#database.query(addCalls, { calls: JSON.stringify(calls.map(writeRow)) });
  }

  async list(saleId: number, limit: number): Promise<readonly CountedCall[]> {
    const found = await this.#database.query(listCalls, { saleId, limit });
    return found.map(readRow);
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const [gone] = await this.#database.query(deleteOld, { at, limit });
    return gone?.count ?? 0;
  }
}
