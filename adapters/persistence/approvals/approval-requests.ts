import type { Instant } from '#domain';
import type {
  ApprovalRequest,
  ApprovalRequests,
} from '../../../application/approvals/approval-requests.ts';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { entryFor, entryJson } from '../operations/audit-log.ts';
import {
  columnName,
  columnNames,
  parameters,
  rowReader,
  rowWriter,
  selection,
} from '../schema/columns.ts';
import { APPROVAL_REQUEST } from '../schema/tables.ts';

const replaced = Object.keys(APPROVAL_REQUEST)
  .map(columnName)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

const openRequest = statement<
  { readonly [Name in keyof typeof APPROVAL_REQUEST]: unknown } & { readonly entry: string }
>(
  'open-approval-request',
  `
    with opened as (
      insert into approval_request as known (${columnNames(APPROVAL_REQUEST)})
      values (${parameters(APPROVAL_REQUEST)})
      on conflict (sale_id) do update set ${replaced}
      where known.sale_version <> excluded.sale_version or known.expires_at <= excluded.asked_at
      returning sale_id
    ), entry as (${entryFor('opened')})
    select sale_id from opened`,
);

const findRequest = statement<{ readonly saleId: number; readonly at: Instant }>(
  'find-approval-request',
  `select ${selection(APPROVAL_REQUEST)} from approval_request
  where sale_id = $saleId and expires_at > $at`,
);

const listRequests = statement<{ readonly at: Instant; readonly limit: number }>(
  'list-approval-requests',
  `select ${selection(APPROVAL_REQUEST)} from approval_request
  where expires_at > $at order by asked_at, sale_id limit $limit`,
);

const closeRequest = statement<{
  readonly saleId: number;
  readonly saleVersion: number;
  readonly entry: string;
}>(
  'close-approval-request',
  `
    with closed as (
      delete from approval_request where sale_id = $saleId and sale_version = $saleVersion
      returning sale_id
    ), entry as (${entryFor('closed')})
    select sale_id from closed`,
);

const forgetRequests = statement<{ readonly before: Instant }>(
  'forget-approval-requests',
  'delete from approval_request where expires_at < $before',
  { isSlow: true },
);

const readRow = rowReader(APPROVAL_REQUEST);
const writeRow = rowWriter(APPROVAL_REQUEST);

export class DatabaseApprovalRequests implements ApprovalRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(request: ApprovalRequest, entry: AuditEntry): Promise<'opened' | 'known'> {
    const values = { ...writeRow(request), entry: entryJson(entry) };
    const opened = await this.#database.query(openRequest, values);
    return opened.length > 0 ? 'opened' : 'known';
  }

  async find(saleId: number, at: Instant): Promise<ApprovalRequest | undefined> {
    const [found] = await this.#database.query(findRequest, { saleId, at });
    return found && readRow(found);
  }

  async list(at: Instant, limit: number): Promise<readonly ApprovalRequest[]> {
    return (await this.#database.query(listRequests, { at, limit })).map(readRow);
  }

  async close(
    { saleId, saleVersion }: ApprovalRequest,
    entry: AuditEntry,
  ): Promise<'closed' | 'gone'> {
    const values = { saleId, saleVersion, entry: entryJson(entry) };
    const closed = await this.#database.query(closeRequest, values);
    return closed.length > 0 ? 'closed' : 'gone';
  }

  async forget(before: Instant): Promise<void> {
    await this.#database.query(forgetRequests, { before });
  }
}
