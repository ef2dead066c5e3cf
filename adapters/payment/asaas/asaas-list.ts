import { addDays, type CalendarDate } from '#domain';
import {
  type ListedCharge,
  type ListedDays,
  partsOfReference,
} from '../../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../../application/unavailable.ts';
import { type AskAsaas, PAGE_SIZE, REPEATABLE } from './asaas-api.ts';
import {
  type AsaasPayment,
  chargeIdOf,
  creationDayOf,
  isPayment,
  reportPayments,
} from './asaas-payments.ts';

/** More payments in one day than this are an error of Asaas: a list without end. */
const MAX_PAGES = 10_000;

/**
 * Lists the charges of an account day by day, so that the pages of a past day do not move.
 * `dateCreated` is a day in São Paulo.
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
  const seen = new Set<string>();
  const inInstallments: AsaasPayment[] = [];
  for (let page = 0, isMore = true; isMore; page += 1) {
    const { payments, hasMore } = await readPage(ask, day, page);
    // A charge that is made meanwhile moves others to the next page.
    const fresh = payments.filter(({ id }) => !seen.has(id));
    for (const payment of fresh) {
      seen.add(payment.id);
      if (payment.installment === undefined || payment.installment === null)
        yield listed([payment], day, today);
      else inInstallments.push(payment);
    }
    isMore = hasMore;
  }
  for (const purchase of Map.groupBy(inInstallments, chargeIdOf).values())
    yield listed(purchase, day, today);
}

const readPage = async (
  ask: AskAsaas,
  day: CalendarDate,
  page: number,
): Promise<{ readonly payments: readonly AsaasPayment[]; readonly hasMore: boolean }> => {
  const query = new URLSearchParams({
    'dateCreated[ge]': day,
    'dateCreated[le]': day,
    limit: String(PAGE_SIZE),
    offset: String(page * PAGE_SIZE),
  });
  const reply = await ask({ ...REPEATABLE, method: 'GET', path: `/v3/payments?${query}` });
  if (typeof reply === 'string') throw failed(day, page, `no answer (${reply})`);
  if (reply.status === 429)
    throw failed(day, page, 'too many requests (429): wait, at most 12 hours');
  if (reply.status !== 200) throw failed(day, page, `status ${reply.status}`);

  const { data, hasMore } = (reply.body ?? {}) as { data?: unknown; hasMore?: unknown };
  if (!Array.isArray(data) || page >= MAX_PAGES) throw failed(day, page, 'no list');
  const payments = data.filter(isPayment);
  // Another system of the account may have payments that the service cannot read.
  const isUnreadable = (each: unknown): boolean => !isPayment(each) && isOurs(each);
  if (data.some(isUnreadable)) throw failed(day, page, 'a charge that cannot be read');
  return { payments, hasMore: hasMore === true && data.length > 0 };
};

const isOurs = (payment: unknown): boolean => {
  const { externalReference } = (payment ?? {}) as { externalReference?: unknown };
  return typeof externalReference === 'string' && partsOfReference(externalReference) !== undefined;
};

const failed = (day: CalendarDate, page: number, why: string): GatewayUnavailable =>
  new GatewayUnavailable(`Asaas did not list the charges of ${day}, page ${page + 1}: ${why}`);

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
