import { addDays, type CalendarDate } from '#domain';
import type { ListedCharge, ListedDays } from '../../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../../application/unavailable.ts';
import { type AskAsaas, PAGE_SIZE, REPEATABLE } from './asaas-api.ts';
import {
  type AsaasPayment,
  chargeIdOf,
  creationDayOf,
  isPayment,
  reportPayments,
} from './asaas-payments.ts';

/** More pages in one day than this are an error of Asaas: a list without end. */
const MAX_PAGES = 10_000;

/**
 * Payments of a page that the next page has again. If the next page has none of the payments seen,
 * so many were deleted meanwhile that payments not yet seen have moved to pages already read.
 */
const OVERLAP = 10;

/**
 * Lists the charges of an account day by day. `dateCreated` is a day in São Paulo. Charges that are
 * made or deleted meanwhile hide no other charge.
 *
 * @throws GatewayUnavailable if Asaas does not answer, or answers nonsense
 */
export async function* listCharges(
  ask: AskAsaas,
  { from, to }: ListedDays,
  today: CalendarDate,
): AsyncIterable<ListedCharge> {
  for (let day = from; day <= to; day = addDays(day, 1)) yield* chargesOf(ask, day, today);
}

/** A payment in installments may be on several pages: it is kept until the day is complete. */
async function* chargesOf(
  ask: AskAsaas,
  day: CalendarDate,
  today: CalendarDate,
): AsyncIterable<ListedCharge> {
  const inInstallments: AsaasPayment[] = [];
  for await (const payment of paymentsOf(ask, day)) {
    if (!isPayment(payment)) yield unreadable(payment, day);
    else if (payment.installment === undefined || payment.installment === null)
      yield listed([payment], day, today);
    else inInstallments.push(payment);
  }
  for (const purchase of Map.groupBy(inInstallments, chargeIdOf).values())
    yield listed(purchase, day, today);
}

/** Each payment of a day once. A page that does not overlap is read again from further back. */
async function* paymentsOf(ask: AskAsaas, day: CalendarDate): AsyncIterable<Item> {
  const seen = new Set<string>();
  let offset = 0;
  for (let page = 0, isMore = true; isMore; page += 1) {
    if (page >= MAX_PAGES) throw failed(day, offset, 'a list without end');
    const { items, hasMore } = await readPage(ask, day, offset);
    if (offset > 0 && !items.some(({ id }) => seen.has(id))) {
      offset = Math.max(0, offset - PAGE_SIZE);
      continue;
    }
    yield* items.filter(({ id }) => !seen.has(id));
    for (const { id } of items) seen.add(id);
    offset += Math.max(1, items.length - OVERLAP);
    isMore = hasMore;
  }
}

/** A payment that may not be readable. */
interface Item {
  readonly id: string;
  readonly externalReference?: unknown;
}

interface Page {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

const isItem = (value: unknown): value is Item =>
  typeof (value as { id?: unknown } | null)?.id === 'string';

const readPage = async (ask: AskAsaas, day: CalendarDate, offset: number): Promise<Page> => {
  const query = new URLSearchParams({
    'dateCreated[ge]': day,
    'dateCreated[le]': day,
    limit: String(PAGE_SIZE),
    offset: String(offset),
  });
  const reply = await ask({ ...REPEATABLE, method: 'GET', path: `/v3/payments?${query}` });
  if (typeof reply === 'string') throw failed(day, offset, `no answer (${reply})`);
  if (reply.status === 429)
    throw failed(day, offset, 'too many requests (429): wait, at most 12 hours');
  if (reply.status !== 200) throw failed(day, offset, `status ${reply.status}`);

  const { data, hasMore } = (reply.body ?? {}) as { data?: unknown; hasMore?: unknown };
  if (!Array.isArray(data) || !data.every(isItem)) throw failed(day, offset, 'no list');
  return { items: data, hasMore: hasMore === true && data.length > 0 };
};

const failed = (day: CalendarDate, offset: number, why: string): GatewayUnavailable =>
  new GatewayUnavailable(`Asaas did not list the charges of ${day} from ${offset + 1} on: ${why}`);

const listed = (
  payments: readonly AsaasPayment[],
  day: CalendarDate,
  today: CalendarDate,
): ListedCharge => {
  const [first] = payments as [AsaasPayment];
  const { externalReference: reference } = first;
  return {
    chargeId: chargeIdOf(first),
    ...(reference !== null && reference !== undefined && { reference }),
    createdOn: creationDayOf(first) ?? day,
    reports: reportPayments(payments, today),
  };
};

const unreadable = ({ id, externalReference }: Item, day: CalendarDate): ListedCharge => ({
  chargeId: id,
  ...(typeof externalReference === 'string' && { reference: externalReference }),
  createdOn: day,
  reports: [],
});
