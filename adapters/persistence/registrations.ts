import { certificateDueSince, type NewSale } from '#domain';
import type { Idempotency, Lease } from '../../application/sales/sales.ts';
import type { Database } from './database.ts';
import { grouped } from './grouped.ts';
import { MOST_SALES, register } from './sale-statements.ts';
import type { Enqueue } from './statement.ts';

/** A sale on its way into the tables. */
interface Brought {
  readonly ticket: string;
  /** The name that it may have in common with another: it has one at most. */
  readonly name: string;
  /** As the statement takes them: made when the sale comes, while the one before is being written. */
  readonly values: readonly unknown[];
  readonly leasedUntil: Lease['until'] | undefined;
}

interface Sold {
  readonly id: string;
  readonly ticket: string;
}

/**
 * So many in one statement, at most: more make each of them wait longer, and cost hardly less. One statement at a time:
 * while it is written the next one gathers, and a commit of many costs as much as one of few.
 */
const GROUPS = { most: MOST_SALES, atOnce: 1 };

/** Registers a sale: its number, or undefined where its name had been used before. @throws Unavailable */
export type RegisterOnce = (
  sale: NewSale,
  idempotency?: Idempotency,
  lease?: Lease,
) => Promise<number | undefined>;

/** Registers together what comes together; sales under a lease in transactions of their own, with what is to be done with them. */
export const registrations = (database: Database, enqueue: Enqueue): RegisterOnce => {
  const paid = grouped({
    ...GROUPS,
    work: async (group: readonly Brought[]) => {
      const { statement, values } = register(inOrder(group));
      return numbersIn(group, await database.run<Sold>(statement, values));
    },
  });
  const leased = grouped({
    ...GROUPS,
    work: (group: readonly Brought[]) =>
      database.transaction(async (inside) => {
        const { statement, values } = register(inOrder(group));
        const { rows } = (await inside.executeSql(statement.text, values)) as { rows: Sold[] };
        const numbers = numbersIn(group, rows);
        const tasks = group.flatMap(({ leasedUntil: notBefore }, index) => {
          const saleId = numbers[index];
          return saleId === undefined
            ? []
            : { kind: 'resume_sale' as const, saleId, ...(notBefore && { notBefore }) };
        });
        // Together with the tasks that will see to them, should whoever registers them not come back.
        if (tasks.length > 0) await enqueue(tasks, inside);
        return numbers;
      }),
  });
  return (sale, idempotency, lease) =>
    (lease === undefined ? paid : leased)(brought(sale, idempotency, lease));
};

const brought = (sale: NewSale, idempotency?: Idempotency, lease?: Lease): Brought => {
  const { ticket, registeredAt, terms, status, ...progress } = sale;
  const { channelLink, clientId, externalSaleId } = terms;
  const key = idempotency?.owner === 'client' ? idempotency.key : undefined;
  return {
    ticket,
    name:
      externalSaleId === undefined
        ? `${clientId} ${key ?? ''}`
        : `${channelLink} ${externalSaleId}`,
    values: [
      ...[ticket, channelLink, clientId, status, registeredAt, readable(terms), readable(progress)],
      ...[
        key,
        idempotency && JSON.stringify(idempotency.content),
        lease?.holder,
        lease?.until,
        externalSaleId,
      ],
      ...['bookedAt' in sale ? sale.bookedAt : undefined, certificateDueSince(sale)],
    ],
    leasedUntil: lease?.until,
  };
};

/** A NUL, or half a character, as JSON spells them. */
const UNREADABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** As it is stored. A column of `json` takes what nothing can be read from any more, and the books would stop at it. */
const readable = (part: object): string => {
  const text = JSON.stringify(part);
  if (text.includes('\\u') && UNREADABLE.test(text))
    throw new Error('a sale holds a NUL or half a character');
  return text;
};

/**
 * Two groups with the same names, each written by another process, would wait for one another for ever if one had them in
 * another order. Of the same name, what came first stays first.
 */
const inOrder = (group: readonly Brought[]): readonly (readonly unknown[])[] =>
  [...group]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ values }) => values);

const numbersIn = (
  group: readonly Brought[],
  rows: readonly Sold[],
): readonly (number | undefined)[] => {
  const numbers = new Map(rows.map(({ id, ticket }) => [ticket, Number(id)]));
  return group.map(({ ticket }) => numbers.get(ticket));
};
