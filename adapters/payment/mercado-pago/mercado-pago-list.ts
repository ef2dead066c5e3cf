import { addDays, type CalendarDate } from '#domain';
import type { ListedCharge, ListedDays } from '../../../application/payments/payments.ts';
import { GatewayUnavailable } from '../../../application/unavailable.ts';
import type { Ask } from '../../kit/remote/provider-client.ts';
import { isOfPage, searchPayments } from './mercado-pago-api.ts';
import { creationDayOf, isPayment, reportPayment } from './mercado-pago-payments.ts';

/** More searches for one day than this are an error of Mercado Pago: a list without end. */
const MAX_SEARCHES = 10_000;

/**
 * Lists the payments of an account day by day, the oldest first: new ones come at the end. Pages that
 * wait for their payer are not listed before they are paid.
 *
 * @throws GatewayUnavailable if Mercado Pago does not answer, or answers nonsense
 */
export async function* listCharges(
  ask: Ask,
  { from, to }: ListedDays,
): AsyncIterable<ListedCharge> {
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const days = {
      begin_date: `${day}T00:00:00.000-03:00`,
      end_date: `${day}T23:59:59.999-03:00`,
    };
    const found = await searchPayments(ask, days, MAX_SEARCHES);
    if (found === 'unknown')
      throw new GatewayUnavailable(`Mercado Pago did not list the payments of ${day}`);
    yield* found.map((each) => listed(each, day));
  }
}

const listed = (paid: unknown, day: CalendarDate): ListedCharge => {
  const { id, external_reference: reference } = (paid ?? {}) as Record<string, unknown>;
  const about = {
    chargeId: String(id),
    ...(typeof reference === 'string' && { reference }),
  };
  if (!isPayment(paid)) return { ...about, createdOn: day, reports: [] };
  // A payment of a page is a part of its charge: only a look-up by the reference tells it.
  const reports = isOfPage(paid) ? [] : reportPayment(paid);
  return { ...about, createdOn: creationDayOf(paid), reports };
};
