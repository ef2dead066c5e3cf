import { certificateDueSince, type NewSale } from '#domain';
import type { Idempotency, Lease } from '../../application/sales/sales.ts';
import type { Database } from './database.ts';
import { grouped } from './grouped.ts';
import { insert } from './sale-statements.ts';
import type { Enqueue } from './statement.ts';

/** A sale on its way into the tables, as the statement reads it. */
interface Brought {
  readonly ticket: string;
  readonly lease_holder?: string;
  readonly leased_until?: Lease['until'];
  readonly [column: string]: unknown;
}

interface Sold {
  readonly id: string;
  readonly ticket: string;
}

/**
 * So many in one statement, at most: more make each of them wait longer, and cost hardly less. One statement at a time:
 * while it is written the next one gathers, and a commit of many costs as much as one of few.
 */
const GROUPS = { most: 64, atOnce: 1 };

/** Registers a sale: its number, or undefined where its name had been used before. @throws Unavailable */
export type RegisterOnce = (sale: NewSale, idempotency?: Idempotency, lease?: Lease) => Promise<number | undefined>;

/** Registers together what comes together; sales under a lease in transactions of their own, with what is to be done with them. */
export const registrations = (database: Database, enqueue: Enqueue): RegisterOnce => {
  const paid = grouped({
    ...GROUPS,
    work: async (group: readonly Brought[]) => numbersIn(group, await database.run<Sold>(insert, [inOrder(group)])),
  });
  const leased = grouped({
    ...GROUPS,
    work: (group: readonly Brought[]) =>
      database.transaction(async (inside) => {
        const { rows } = (await inside.executeSql(insert.text, [inOrder(group)])) as { rows: Sold[] };
        const numbers = numbersIn(group, rows);
        const tasks = group.flatMap(({ leased_until: notBefore }, index) => {
          const saleId = numbers[index];
          return saleId === undefined ? [] : { kind: 'resume_sale' as const, saleId, ...(notBefore && { notBefore }) };
        });
        // Together with the tasks that will see to them, should whoever registers them not come back.
        if (tasks.length > 0) await enqueue(tasks, inside);
        return numbers;
      }),
  });
  return (sale, idempotency, lease) => (lease === undefined ? paid : leased)(brought(sale, idempotency, lease));
};

const brought = (sale: NewSale, idempotency?: Idempotency, lease?: Lease): Brought => {
  const { ticket, registeredAt, terms, status, ...progress } = sale;
  return {
    ...{ ticket, status, terms, progress, registered_at: registeredAt },
    ...{ channel_link: terms.channelLink, client_id: terms.clientId, external_sale_id: terms.externalSaleId },
    idempotency_key: idempotency?.owner === 'client' ? idempotency.key : undefined,
    idempotency_content: idempotency?.content,
    ...(lease && { lease_holder: lease.holder, leased_until: lease.until }),
    booked_at: 'bookedAt' in sale ? sale.bookedAt : undefined,
    certificate_due: certificateDueSince(sale),
  };
};

/** The name that a sale may have in common with another: it has one at most. */
const nameOf = ({ client_id, idempotency_key, channel_link, external_sale_id }: Brought): string =>
  external_sale_id === undefined ? `${client_id} ${idempotency_key ?? ''}` : `${channel_link} ${external_sale_id}`;

/**
 * Two groups with the same names, each written by another process, would wait for one another for ever if one had them in
 * another order. Of the same name, what came first stays first.
 */
const inOrder = (group: readonly Brought[]): string =>
  JSON.stringify(
    group.length === 1 ? group : [...group].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)),
  );

const numbersIn = (group: readonly Brought[], rows: readonly Sold[]): readonly (number | undefined)[] => {
  const numbers = new Map(rows.map(({ id, ticket }) => [ticket, Number(id)]));
  return group.map(({ ticket }) => numbers.get(ticket));
};
