import type { Instant } from '#domain';
import type {
  AnsweredRequest,
  AnsweredRequests,
  FailedRequest,
} from '../../../application/requests/answered-requests.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { arraysOf, columnNames, rowReader, selection, unnested } from '../schema/columns.ts';
import { ANSWERED_REQUEST } from '../schema/tables.ts';

// Arrays take two thirds of the time of JSON, and each sale is noted here. The commit waits for no
// disk, so that no sale waits behind it. If the server crashes, the notes of its last second are lost.
const addAnswers = statement<ReturnType<typeof arraysOf<typeof ANSWERED_REQUEST>>>(
  'add-answered-requests',
  `
    with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
    insert into answered_request (${columnNames(ANSWERED_REQUEST)})
    select ${columnNames(ANSWERED_REQUEST)} from unhurried, ${unnested(ANSWERED_REQUEST)}`,
);

const findAnswers = statement<
  { readonly channelLink: string; readonly requestId: string; readonly limit: number },
  object
>(
  'find-answered-requests',
  `
    select ${selection(ANSWERED_REQUEST)} from answered_request
    where channel_link = $channelLink and request_id = $requestId
    order by channel_link desc, request_id desc, id desc limit $limit`,
);

const listFailed = statement<
  { readonly channelLink: string; readonly before: number; readonly limit: number },
  object & { readonly number: string }
>(
  'list-failed-requests',
  `
    select id::text as number, ${selection(ANSWERED_REQUEST)} from answered_request
    where channel_link = $channelLink and code is not null and id < $before
    order by id desc limit $limit`,
);

/** The oldest ones: they are numbered in about the order of time. */
const deleteOld = statement<
  { readonly at: Instant; readonly limit: number },
  { readonly count: number }
>(
  'delete-old-answered-requests',
  `
    with gone as (
      delete from answered_request where at < $at::timestamptz
        and id in (select id from answered_request order by id limit $limit)
      returning id
    )
    select count(*)::int as count from gone`,
  { isSlow: true },
);

const readRow = rowReader(ANSWERED_REQUEST);

export class DatabaseAnsweredRequests implements AnsweredRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(answered: readonly AnsweredRequest[]): Promise<void> {
    await this.#database.query(addAnswers, arraysOf(ANSWERED_REQUEST, answered));
  }

  async find(
    channelLink: string,
    requestId: string,
    limit: number,
  ): Promise<readonly AnsweredRequest[]> {
    const found = await this.#database.query(findAnswers, { channelLink, requestId, limit });
    return found.map(readRow);
  }

  async listFailed(
    channelLink: string,
    { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
  ): Promise<readonly FailedRequest[]> {
    const found = await this.#database.query(listFailed, { channelLink, before, limit });
    return found.map(({ number, ...row }) => ({ ...readRow(row), number: Number(number) }));
  }

  async deleteBefore(at: Instant, limit: number): Promise<number> {
    const [gone] = await this.#database.query(deleteOld, { at, limit });
    return gone?.count ?? 0;
  }
}
