import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import { mailingEvent } from '../../../application/events/partner-events.ts';
import type {
  ClaimedMailing,
  CopyKey,
  CopyOutcome,
  CopyRequest,
  MailClaim,
  Mailing,
  MailingQuery,
  MailingResult,
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
  CERTIFICATE_KINDS,
  findByKey,
  findDue,
  findLostMail,
  type KINDS,
  listMailings,
  listRecentCopies,
  lockCopiesOfSale,
  lockPace,
  MONEY_KINDS,
  notePace,
  statementsFor,
} from './mailing-statements.ts';

/** The mailings, in a table for certificates and two for what tells of money. */
export class DatabaseMailings implements Mailings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  requestCopy({ saleId, at, key, limit, entry }: CopyRequest): Promise<CopyOutcome> {
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
      const request = { saleId, at, clientId, idempotencyKey, entry: entryJson(entry) };
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

  async claim({ now, until, limit, perMinute }: MailClaim): Promise<readonly ClaimedMailing[]> {
    if ((await this.#database.query(findDue, { now })).length === 0) return [];
    return this.#database.transaction(async (inside) => {
      const minute = startOfMinute(now);
      const pace = perMinute === undefined ? [] : await queryInside(inside, lockPace, { minute });
      const most = Math.min(limit, (perMinute ?? limit) - (pace[0]?.taken ?? 0));
      const claimed: ClaimedMailing[] = [];
      const take = async (kinds: typeof MONEY_KINDS, upTo: number): Promise<void> => {
        for (const { claim } of kinds) {
          const left = upTo - claimed.length;
          if (left <= 0) return;
          const rows = await queryInside(inside, claim, { now, until, limit: left });
          claimed.push(...rows.map(({ saleId, ...row }) => ({ ...row, saleId: Number(saleId) })));
        }
      };
      const half = Math.ceil(most / 2);
      await take(MONEY_KINDS, half);
      const mayHaveMore = claimed.length === half;
      await take(CERTIFICATE_KINDS, most);
      if (mayHaveMore) await take(MONEY_KINDS, most);
      if (perMinute !== undefined)
        await queryInside(inside, notePace, { minute, taken: claimed.length });
      return claimed;
    });
  }

  async renew(names: readonly MailingName[], until: Instant): Promise<void> {
    await this.#onEachTable(names, ({ renew }, own) =>
      this.#database.query(renew, { names: JSON.stringify(own), until }),
    );
  }

  async record(results: readonly MailingResult[], at: Instant): Promise<void> {
    const withEvents = results.map((each) => ({ ...each, event: mailingEvent(each) ?? null }));
    await this.#onEachTable(withEvents, ({ record }, own) =>
      this.#database.query(record, { results: JSON.stringify(own), at }),
    );
  }

  async #onEachTable<Named extends MailingName>(
    named: readonly Named[],
    run: (statements: (typeof KINDS)[number], own: readonly Named[]) => Promise<unknown>,
  ): Promise<void> {
    for (const [statements, own] of Map.groupBy(named, statementsFor)) await run(statements, own);
  }

  async retry(name: MailingName, entry: AuditEntry): Promise<'waiting' | 'not_undelivered'> {
    const { saleId, number } = name;
    const request = { saleId, number, entry: entryJson(entry) };
    const changed = await this.#database.query(statementsFor(name).retry, request);
    return changed.length === 1 ? 'waiting' : 'not_undelivered';
  }

  async lost(saleIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.#database.query(findLostMail, { saleIds });
    return new Set(rows.map(({ saleId }) => Number(saleId)));
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
    // The mailings of a single sale are few, and a change of the sale may have to know them.
    const rows = await (saleId === undefined
      ? read(listMailings, values)
      : query(listMailings, values));
    return rows.map(readMailing);
  }
}

const startOfMinute = (at: Instant): Instant =>
  `${at.slice(0, 'YYYY-MM-DDTHH:MM'.length)}:00.000Z` as Instant;

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
  const { saleId, number, requestedAt, status, failures, settledAt, reason, nextAt } = row;
  return {
    saleId,
    number,
    requestedAt,
    status: status === 'handed_over' ? 'waiting' : status,
    failures,
    ...(settledAt !== null && { settledAt }),
    ...(reason !== null && { reason }),
    ...(status === 'waiting' && nextAt !== null && { nextAt }),
  };
};
