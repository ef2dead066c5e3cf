import { certificateDueSince, type NewSale } from '#domain';
import { clientKeyOf, type Idempotency } from '../../../application/sales/sale-request.ts';
import type { Lease } from '../../../application/sales/sales.ts';
import type { Cause } from '../../../application/tasks.ts';
import { createBatcher } from '../engine/batcher.ts';
import type { Database } from '../engine/database.ts';
import type { Enqueue, Statement } from '../engine/statement.ts';
import { REGISTERED_COLUMNS, type SaleRegistration } from '../schema/sale-row.ts';

/**
 * The indexes by which a sale may have been stored before, by the names that a group's sales have.
 * PostgreSQL looks in each of them before it stores a row: a group of one kind costs a tenth less.
 */
const NAMES = {
  key: '(client_id, idempotency_key) where idempotency_key is not null',
  external: '(channel_link, external_sale_id) where external_sale_id is not null',
  any: '',
};

const columns = REGISTERED_COLUMNS.map(({ name }) => name).join(', ');

/** The parameters of a sale come after the first one, in the order of the columns. */
const parametersOfSale = (place: number): string =>
  REGISTERED_COLUMNS.map(
    ({ type }, index) => `$${place * REGISTERED_COLUMNS.length + index + 2}::${type}`,
  ).join(', ');

/**
 * Registers up to `places` sales, whose registration is to be told to partners; places that are left
 * over have no ticket. Returns the sales that were stored, which lacks those whose key had been used.
 * The certificates of the tickets in $1 are to be mailed.
 */
const registerStatement = (places: number, names: keyof typeof NAMES): Statement => ({
  name: `register-${places}-sales-by-${names}`,
  text: `
    with sold as (
      insert into sale (version, ${columns}) select 1, ${columns}
      from (values ${Array.from({ length: places }, (_, place) => `(${parametersOfSale(place)})`)})
        as given (${columns})
      where ticket is not null
      on conflict ${NAMES[names]} do nothing
      returning id, ticket, registered_at, channel_link
    ), told as (
      insert into new_registration (sale_ids) select array_agg(id) from sold having count(*) > 0
    ), mailed as (
      insert into mailing (sale_id, number, requested_at, status, channel_link)
      select id, 0, registered_at, 'waiting', channel_link from sold where ticket = any($1::text[])
    )
    select id::text, ticket from sold`,
});

/** The statements for 1, 2, 4 … 64 sales, because each statement is prepared on each connection. */
const statementsBy = (names: keyof typeof NAMES): readonly Statement[] =>
  Array.from({ length: 7 }, (_, power) => registerStatement(2 ** power, names));

const STATEMENTS = {
  key: statementsBy('key'),
  external: statementsBy('external'),
  any: statementsBy('any'),
};

/** Larger groups make each sale wait longer and save little: most of the cost is the commit. */
const MAX_SALES = 2 ** (STATEMENTS.any.length - 1);

/** A sale on its way into the table. */
interface WaitingSale {
  readonly ticket: string;
  /** The channel's `externalSaleId`, else the client's key, with its owner. */
  readonly uniqueName: string;
  readonly names: keyof typeof NAMES;
  /**
   * The values of `REGISTERED_COLUMNS`, made when the sale arrives, while the group before is
   * written.
   */
  readonly values: readonly unknown[];
  /** Whether its certificate is due at once, and so to be mailed. */
  readonly isMailed: boolean;
  readonly leasedUntil: Lease['until'] | undefined;
  /** The request of this sale: the group is stored for several. */
  readonly cause: Cause | undefined;
}

interface StoredName {
  readonly id: string;
  readonly ticket: string;
}

/**
 * Registers a sale.
 *
 * @returns its number; undefined where its key had been used before
 * @throws Unavailable
 */
export type RegisterOnce = (
  sale: NewSale,
  idempotency?: Idempotency,
  lease?: Lease,
) => Promise<number | undefined>;

/** `paid`: to the channel. `collected`: by the service, under a lease. */
type GroupKind = 'paid' | 'collected';

/** Called for each group with its sales and the time that its first sale has waited. */
export type ObserveGroup = (kind: GroupKind, sales: number, waitedMs: number) => void;

interface AroundRegistration {
  /** The request that registers a sale: sales of several are written together. */
  readonly currentCause?: () => Cause | undefined;
  readonly observer?: { readonly observeGroup: ObserveGroup } | undefined;
}

/**
 * Registers sales in groups (group commit): those that arrive while a statement runs go into the
 * next one. Sales under a lease are written in a transaction, together with the tasks that resume
 * them.
 */
export const createRegistration = (
  database: Database,
  enqueue: Enqueue,
  { currentCause = () => undefined, observer }: AroundRegistration = {},
): RegisterOnce => {
  const limits = { maxItems: MAX_SALES, maxConcurrent: 1 };
  const observing = (kind: GroupKind) => ({
    observe: observer?.observeGroup.bind(undefined, kind),
  });

  const registerPaid = createBatcher({
    ...limits,
    ...observing('paid'),
    work: async function writePaidSales(group: readonly WaitingSale[]) {
      const { statement, values } = registerTogether(group);
      return numbersOf(group, await database.run<StoredName>(statement, values));
    },
  });

  const registerLeased = createBatcher({
    ...limits,
    ...observing('collected'),
    work: function writeLeasedSales(group: readonly WaitingSale[]) {
      return database.transaction(async (inside) => {
        const { statement, values } = registerTogether(group);
        const { rows } = await inside.executeSql(statement.text, values);
        const numbers = numbersOf(group, rows as StoredName[]);
        // If this process dies, the tasks resume its sales when their leases are over.
        const tasks = resumeTasks(group, numbers);
        if (tasks.length > 0) await enqueue(tasks, inside);
        return numbers;
      });
    },
  });

  return function registerOnce(sale, idempotency, lease) {
    const register = lease === undefined ? registerPaid : registerLeased;
    return register(waitingSale({ sale, idempotency, lease }, currentCause()));
  };
};

const waitingSale = (registration: SaleRegistration, cause: Cause | undefined): WaitingSale => {
  const { sale, idempotency, lease } = registration;
  const { channelLink, clientId, externalSaleId } = sale.terms;
  const key = (idempotency && clientKeyOf(idempotency)) ?? '';
  return {
    ticket: sale.ticket,
    uniqueName:
      externalSaleId === undefined ? `${clientId} ${key}` : `${channelLink} ${externalSaleId}`,
    // A sale without any name cannot have been stored before: each kind fits.
    names: externalSaleId === undefined ? 'key' : key === '' ? 'external' : 'any',
    values: REGISTERED_COLUMNS.map(({ of }) => of(registration)),
    isMailed: certificateDueSince(sale) !== undefined,
    leasedUntil: lease?.until,
    cause,
  };
};

const registerTogether = (
  group: readonly WaitingSale[],
): { readonly statement: Statement; readonly values: unknown[] } => {
  const power = Math.ceil(Math.log2(group.length));
  const mailed = group.filter(({ isMailed }) => isMailed).map(({ ticket }) => ticket);
  // As PostgreSQL writes an array: pg would escape each ticket, which is made of letters and digits.
  const values: unknown[] = [`{${mailed.join(',')}}`];
  for (const sale of inLockOrder(group)) for (const value of sale.values) values.push(value);
  const parameters = 1 + 2 ** power * REGISTERED_COLUMNS.length;
  while (values.length < parameters) values.push(null);
  const [first] = group;
  const names = first && group.every((sale) => sale.names === first.names) ? first.names : 'any';
  return { statement: STATEMENTS[names][power] as Statement, values };
};

/**
 * Two processes that write the same names at the same time must lock them in the same order, or
 * they deadlock. A sale with two names is sorted by the channel's, as each repetition of it is. Two
 * processes can still deadlock over one client's key that came with different `externalSaleId`s:
 * then PostgreSQL ends one group, and the batcher writes it again in halves, at last one by one.
 * The sort is stable: of sales with one name, the first to arrive is stored.
 */
const inLockOrder = (group: readonly WaitingSale[]): readonly WaitingSale[] =>
  [...group].sort(({ uniqueName: one }, { uniqueName: other }) =>
    one < other ? -1 : one > other ? 1 : 0,
  );

/** The number of each sale of the group; undefined where it was not stored. */
const numbersOf = (
  group: readonly WaitingSale[],
  rows: readonly StoredName[],
): readonly (number | undefined)[] => {
  const numbers = new Map(rows.map(({ id, ticket }) => [ticket, Number(id)]));
  return group.map(({ ticket }) => numbers.get(ticket));
};

const resumeTasks = (
  group: readonly WaitingSale[],
  numbers: readonly (number | undefined)[],
): readonly Parameters<Enqueue>[0][number][] =>
  group.flatMap(({ leasedUntil: notBefore, cause }, index) => {
    const saleId = numbers[index];
    if (saleId === undefined) return [];
    const task = { kind: 'resume_sale' as const, saleId };
    return { ...task, ...(notBefore && { notBefore }), ...(cause && { cause }) };
  });
