import { createHash } from 'node:crypto';
import type {
  KeptNotice,
  NoticeOutcome,
  Notices,
  UnreadableNotice,
} from '../../../application/payments/notices.ts';
import type { Database } from '../engine/database.ts';
import { type Enqueue, queryInside, statement } from '../engine/statement.ts';
import {
  columnNames,
  parameters,
  type RowOf,
  rowReader,
  rowWriter,
  selection,
} from '../schema/columns.ts';
import { PAYMENT_NOTICE, UNREADABLE_NOTICE } from '../schema/tables.ts';

type NoticeRow = RowOf<typeof PAYMENT_NOTICE>;

interface NoticeName {
  readonly gateway: string;
  readonly id: string;
}

const keepNotice = statement<Record<keyof NoticeRow, unknown>>(
  'keep-payment-notice',
  `
    insert into payment_notice (${columnNames(PAYMENT_NOTICE)})
    values (${parameters(PAYMENT_NOTICE)}) on conflict do nothing returning id`,
);

const findNotice = statement<NoticeName>(
  'find-payment-notice',
  `select ${selection(PAYMENT_NOTICE)} from payment_notice where gateway = $gateway and id = $id`,
);

const settleNotice = statement<NoticeName & { outcome: NoticeOutcome }>(
  'settle-payment-notice',
  'update payment_notice set outcome = $outcome where gateway = $gateway and id = $id',
);

const keepUnreadableNotice = statement<Record<keyof RowOf<typeof UNREADABLE_NOTICE>, unknown>>(
  'keep-unreadable-notice',
  `
    insert into unreadable_notice (${columnNames(UNREADABLE_NOTICE)})
    values (${parameters(UNREADABLE_NOTICE)}) on conflict do nothing returning digest`,
);

export class DatabaseNotices implements Notices {
  readonly #database: Database;
  readonly #enqueue: Enqueue;

  constructor(database: Database, enqueue: Enqueue) {
    this.#database = database;
    this.#enqueue = enqueue;
  }

  keep(kept: KeptNotice): Promise<'kept' | 'repeated'> {
    const row = writeRow(rowOf(kept));
    return this.#database.transaction(async (inside) => {
      if ((await queryInside(inside, keepNotice, row)).length === 0) return 'repeated';
      const { gateway, notice } = kept;
      await this.#enqueue([{ kind: 'process_notice', noticeId: notice.id, gateway }], inside);
      return 'kept';
    });
  }

  async find(gateway: string, id: string): Promise<KeptNotice | undefined> {
    const [row] = await this.#database.query(findNotice, { gateway, id });
    return row && noticeOf(readRow(row));
  }

  async keepUnreadable({ gateway, body, excerpt, receivedAt }: UnreadableNotice) {
    const digest = createHash('sha256').update(body).digest('hex');
    const row = { gateway, digest, excerpt, receivedAt };
    const kept = await this.#database.query(keepUnreadableNotice, row);
    return { kind: kept.length === 1 ? 'kept' : 'repeated', digest } as const;
  }

  async settle(gateway: string, id: string, outcome: NoticeOutcome): Promise<void> {
    await this.#database.query(settleNotice, { gateway, id, outcome });
  }
}

const readRow = rowReader(PAYMENT_NOTICE);
const writeRow = rowWriter(PAYMENT_NOTICE);

const rowOf = ({ gateway, notice, receivedAt, outcome }: KeptNotice): NoticeRow => {
  const { id, event, reference = null, chargeId = null } = notice;
  return { gateway, id, event, reference, chargeId, receivedAt, outcome };
};

const noticeOf = (row: NoticeRow): KeptNotice => {
  const { gateway, id, event, reference, chargeId, receivedAt, outcome } = row;
  const notice = {
    id,
    event,
    ...(reference !== null && { reference }),
    ...(chargeId !== null && { chargeId }),
  };
  return { gateway, notice, receivedAt, outcome };
};
