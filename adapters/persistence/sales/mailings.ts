import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import { mailingEvent } from '../../../application/events/partner-events.ts';
import type {
  CopyKey,
  CopyOutcome,
  CopyRequest,
  Mailing,
  MailingQuery,
  MailingStatus,
  Mailings,
} from '../../../application/mail/mailings.ts';
import type { MailingName } from '../../../application/mailing-name.ts';
import type { Database } from '../engine/database.ts';
import { type Executor, queryInside } from '../engine/statement.ts';
import { entryJson } from '../operations/audit-log.ts';
import { type RowOf, rowReader } from '../schema/columns.ts';
import { MAILING } from '../schema/tables.ts';
import {
  addCopy,
  findByKey,
  findWaiting,
  handOverAccounts,
  handOverCancellations,
  handOverWaiting,
  listMailings,
  listRecentCopies,
  lockCopiesOfSale,
  statementsFor,
} from './mailing-statements.ts';

/**
 * The mailings. Those that wait are handed over to the job queue in the transaction that says so.
 */
export class DatabaseMailings implements Mailings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  requestCopy({ saleId, at, key, limit }: CopyRequest): Promise<CopyOutcome> {
    return this.#database.transaction(async (inside) => {
      await queryInside(inside, lockCopiesOfSale, { saleId });
      const repeated = key && (await findRepeated(inside, key));
      if (repeated)
        return repeated.saleId === saleId
          ? { kind: 'repeated', mailing: repeated }
          : conflictWith(repeated);

      const recent = await queryInside(inside, listRecentCopies, { saleId, ...limit });
      const earliest = recent.at(limit.most - 1);
      if (earliest)
        return { kind: 'too_many', earliest: MAILING.requestedAt.read(earliest.requestedAt) };

      const { clientId = null, key: idempotencyKey = null } = key ?? {};
      const request = { saleId, at, clientId, idempotencyKey };
      const [added] = await queryInside(inside, addCopy, request);
      if (added) return { kind: 'requested', mailing: readMailing(added) };
      // A request for another sale has used the key in the meantime.
      return conflictWith((await findRepeated(inside, key as CopyKey)) as Mailing);
    });
  }

  async find(name: MailingName): Promise<Mailing | undefined> {
    const { saleId, number } = name;
    const [row] = await this.#database.query(statementsFor(name).find, { saleId, number });
    return row && readMailing(row);
  }

  async noteFailure(name: MailingName, reason: string): Promise<void> {
    const { saleId, number } = name;
    await this.#database.query(statementsFor(name).noteFailure, { saleId, number, reason });
  }

  async settle(
    name: MailingName,
    status: MailingStatus,
    at: Instant,
    reason?: string,
  ): Promise<void> {
    const { saleId, number } = name;
    const event = mailingEvent({ number, status }) ?? null;
    const settled = { saleId, number, status, at, reason: reason ?? null, event };
    await this.#database.query(statementsFor(name).settle, settled);
  }

  async retry(name: MailingName, entry: AuditEntry): Promise<'waiting' | 'not_undelivered'> {
    const { saleId, number } = name;
    const request = { saleId, number, entry: entryJson(entry) };
    const changed = await this.#database.query(statementsFor(name).retry, request);
    return changed.length === 1 ? 'waiting' : 'not_undelivered';
  }

  async list({ status, saleId, before, limit }: MailingQuery): Promise<readonly Mailing[]> {
    const values = {
      status: status ?? null,
      saleId: saleId ?? null,
      beforeSale: before?.saleId ?? null,
      beforeNumber: before?.number ?? null,
      limit,
    };
    const { query, read } = this.#database;
    // Those of a single sale are few, and a change of the sale may have to know them.
    const rows = await (saleId === undefined
      ? read(listMailings, values)
      : query(listMailings, values));
    return rows.map(readMailing);
  }

  /**
   * Hands over up to `limit` mailings that wait: those about cancellations and refunds, second
   * copies, then new certificates.
   */
  async handOver(
    limit: number,
    take: (names: readonly MailingName[], inside: Executor) => Promise<void>,
  ): Promise<void> {
    if ((await this.#database.query(findWaiting, {})).length === 0) return;
    await this.#database.transaction(async (inside) => {
      const cancellations = await queryInside(inside, handOverCancellations, { limit });
      const left = limit - cancellations.length;
      const accounts = await queryInside(inside, handOverAccounts, { limit: left });
      const notices = [...cancellations, ...accounts];
      const rest = limit - notices.length;
      const certificates = await queryInside(inside, handOverWaiting, { limit: rest });
      const names = [...notices, ...certificates].map(({ saleId, number }) => ({
        saleId: Number(saleId),
        number,
      }));
      if (names.length > 0) await take(names, inside);
    });
  }
}

const findRepeated = async (
  inside: Executor,
  { clientId, key }: CopyKey,
): Promise<Mailing | undefined> => {
  const [row] = await queryInside(inside, findByKey, { clientId, key });
  return row && readMailing(row);
};

const conflictWith = ({ saleId }: Mailing): CopyOutcome => ({ kind: 'conflict', saleId });

const readRow = rowReader(MAILING);

const readMailing = (stored: object): Mailing => {
  const row: RowOf<typeof MAILING> = readRow(stored);
  const { saleId, number, requestedAt, status, failures, settledAt, reason } = row;
  return {
    saleId,
    number,
    requestedAt,
    status: status === 'handed_over' ? 'waiting' : status,
    failures,
    ...(settledAt !== null && { settledAt }),
    ...(reason !== null && { reason }),
  };
};
