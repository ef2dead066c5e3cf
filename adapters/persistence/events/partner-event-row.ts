import { asRegistered, instantOf, type Sale } from '#domain';
import { type PartnerEvent, TEST_EVENT } from '../../../application/events/partner-events.ts';
import { rowReader, selection } from '../schema/columns.ts';
import { readAnswer, readSale, SALE_STATE } from '../schema/sale-row.ts';
import { type EventState, PARTNER_EVENT } from '../schema/tables.ts';

// Its name would be that of the sale's number.
const { id: _, ...EVENT } = PARTNER_EVENT;

/** For a SELECT from `partner_event as event left join sale on sale.id = event.sale_id`. */
export const SELECTED_EVENT = `
  ${selection(EVENT, 'event')}, event.id::text as "eventId", ${selection(SALE_STATE, 'sale')}`;

const readEvent = rowReader(EVENT);

/** Reads an event from a row of `SELECTED_EVENT`. */
export const readPartnerEvent = (stored: object): PartnerEvent => {
  const { place, channelLink, at, type, state, detail } = readEvent(stored);
  const { eventId } = stored as { readonly eventId: string };
  const numbered = { place, id: `evt_${eventId.replaceAll('-', '')}`, channelLink, at };
  if (type === TEST_EVENT) {
    const wrong = detail?.isWronglySigned === true && ({ isWronglySigned: true } as const);
    return { ...numbered, type, endpointId: detail?.endpointId ?? '', ...wrong };
  }

  const { idempotencyKey, ...known } = readSale(stored);
  const named = idempotencyKey === undefined ? {} : { idempotencyKey };
  const sale = { ...(state === null ? asRegistered(known) : saleAfter(known, state)), ...named };
  if (type !== 'certificate.sent' && type !== 'certificate.undelivered')
    return { ...numbered, type, sale };

  const { mailingNumber = 0, reason } = detail ?? {};
  const failed = typeof reason === 'string' ? { reason } : {};
  return { ...numbered, type, sale, mailingNumber, ...failed };
};

const saleAfter = (sale: Sale, { updatedAt, ...state }: EventState): Sale => ({
  ...readAnswer(sale, state),
  ...(updatedAt !== null && { updatedAt: instantOf(new Date(updatedAt)) }),
});
