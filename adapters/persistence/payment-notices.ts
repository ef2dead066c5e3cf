import { type Instant, instantOf } from '#domain';
import type { KeptNotice, NoticeOutcome, Notices } from '../../application/payments/notices.ts';
import type { Database } from './database.ts';
import type { Enqueue } from './statement.ts';

const keep = `
  insert into payment_notice (gateway, id, event, reference, charge_id, received_at, outcome)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`;

const find = {
  name: 'find-payment-notice',
  text: `
    select gateway, id, event, reference, charge_id, received_at, outcome from payment_notice where gateway = $1 and id = $2`,
};

const settle = {
  name: 'settle-payment-notice',
  text: 'update payment_notice set outcome = $3 where gateway = $1 and id = $2',
};

interface Row {
  readonly gateway: string;
  readonly id: string;
  readonly event: string;
  readonly reference: string | null;
  readonly charge_id: string | null;
  readonly received_at: Date | string;
  readonly outcome: NoticeOutcome;
}

export class DatabaseNotices implements Notices {
  readonly #database: Database;
  readonly #enqueue: Enqueue;

  constructor(database: Database, enqueue: Enqueue) {
    this.#database = database;
    this.#enqueue = enqueue;
  }

  keep({ gateway, notice, receivedAt, outcome }: KeptNotice): Promise<'kept' | 'repeated'> {
    const { id, event, reference = null, chargeId = null } = notice;
    return this.#database.transaction(async (inside) => {
      const { rows } = await inside.executeSql(keep, [
        gateway,
        id,
        event,
        reference,
        chargeId,
        receivedAt,
        outcome,
      ]);
      if (rows.length === 0) return 'repeated';
      await this.#enqueue([{ kind: 'process_notice', noticeId: id }], inside);
      return 'kept';
    });
  }

  async find(gateway: string, id: string): Promise<KeptNotice | undefined> {
    const [row] = await this.#database.run<Row>(find, [gateway, id]);
    return row && fromRow(row);
  }

  async settle(gateway: string, id: string, outcome: NoticeOutcome): Promise<void> {
    await this.#database.run(settle, [gateway, id, outcome]);
  }
}

const fromRow = ({
  gateway,
  id,
  event,
  reference,
  charge_id,
  received_at,
  outcome,
}: Row): KeptNotice => ({
  gateway,
  notice: {
    id,
    event,
    ...(reference !== null && { reference }),
    ...(charge_id !== null && { chargeId: charge_id }),
  },
  receivedAt: instantOf(new Date(received_at)) as Instant,
  outcome,
});
