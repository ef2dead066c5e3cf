import { registrationEvents } from '../../../application/events/partner-events.ts';

// The events of a registration are not written with it, because that would make the sale slower. A
// row of `registration_range` gives places to the sales of a whole step: two for each, so that the
// place of an event follows from the number of its sale.

/** Places that a registration has. */
export const PLACES_OF_REGISTRATION = 2;

/** Which events a registration has, by whether the sale is born paid: `(is_paid, turn, type)`. */
const MADE = (['paid', 'pending'] as const)
  .flatMap((status) =>
    registrationEvents({ status }).map(
      (type, turn) => `(${status === 'paid'}, ${turn}, '${type}')`,
    ),
  )
  .join(', ');

/**
 * A SELECT of the events that the registration of sales has made: their places, and the content of
 * `partner_event`. A sale that was paid to the channel was booked when it was registered; any other
 * is booked later.
 *
 * @param source an expression of FROM, with a table or subquery called `sale` that has these columns
 * @param range columns of the range of the sale
 */
export const registrationsOf = (
  source: string,
  range: { readonly firstPlace: string; readonly firstSale: string },
): string => `
  select ${range.firstPlace} + ${PLACES_OF_REGISTRATION} * (sale.id - ${range.firstSale}) + made.turn
      as place,
    md5(sale.ticket || ' ' || made.type)::uuid as id, sale.channel_link, made.type,
    sale.registered_at as at, sale.id as sale_id, null::jsonb as state, null::jsonb as detail
  from ${source} join (values ${MADE}) as made (is_paid, turn, type)
    on made.is_paid = (sale.booked_at is not distinct from sale.registered_at)`;
