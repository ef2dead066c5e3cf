import Type from 'typebox';
import { addDays, type Instant, parseDate, parseInstant, SALE_STATUSES } from '#domain';
import { formatted, moment, nullableText, text } from '../../contract/formats.ts';
import { namedObject } from '../../contract/named-object.ts';
import { callerOf, type Handler } from '../../pipeline/context.ts';
import { answerList, isSerialNumber, listQuerySchema } from '../../pipeline/list-answers.ts';
import { channelTextFilters, readChannelTextFilters } from '../../sales/channel-texts.ts';
import { saleStatusShape } from '../../sales/sale-answer-parts.ts';
import { findLostMail, foundSaleData, presentFoundSale } from './integration-answers.ts';
import type { IntegrationRouteParts } from './integration-endpoints.ts';

export const salesQuery = listQuerySchema({
  from: Type.Optional(
    formatted('date-or-time', { description: 'Registradas a partir deste dia ou instante' }),
  ),
  to: Type.Optional(
    formatted('date-or-time', { description: 'Até este dia, inclusive, ou antes deste instante' }),
  ),
  updatedSince: Type.Optional(
    moment({ description: 'Registradas ou mudadas a partir deste instante' }),
  ),
  status: Type.Optional(
    Type.Array(saleStatusShape, {
      maxItems: SALE_STATUSES.length,
      description: 'Um ou mais: repetido, ou separados por vírgulas',
    }),
  ),
  productCode: Type.Optional(text(50, { description: 'Código do produto' })),
  ...channelTextFilters,
});

export const salesAnswer = namedObject('SaleList', {
  success: Type.Literal(true),
  data: Type.Array(foundSaleData),
  next_cursor: nullableText('Nulo na última página'),
});

/** Lists the channel's sales, the newest first. New sales do not change the pages that follow. */
export const listSales = ({ sales, mailings, clock }: IntegrationRouteParts): Handler => {
  /** The instant or, for a date, the start of the day that many days later. */
  const instantOf = (text: string | undefined, daysLater: number): Instant | undefined => {
    if (text === undefined) return undefined;
    const day = parseDate(text);
    return day === undefined ? parseInstant(text) : clock.startOf(addDays(day, daysLater));
  };
  return answerList(salesQuery, {
    read: async ({ query, limit, after }, ctx) => {
      const { channelLink } = callerOf(ctx);
      if (channelLink === null) return [];
      const { status: statuses, productCode } = query;
      const updatedSince = query.updatedSince && parseInstant(query.updatedSince);
      const filters = {
        channelLink,
        statuses,
        productCode,
        channelTexts: readChannelTextFilters(query),
        from: instantOf(query.from, 0),
        to: instantOf(query.to, 1),
        before: after === undefined ? undefined : Number(after),
        limit,
      };
      const found = await sales.list(updatedSince ? { ...filters, updatedSince } : filters);
      const lost = await findLostMail(mailings, found);
      return found.map((sale) => ({ sale, isMailLost: lost.has(sale.id) }));
    },
    placeOfItem: ({ sale }) => String(sale.id),
    isPlace: isSerialNumber,
    present: ({ sale, isMailLost }) => presentFoundSale(sale, clock.now(), isMailLost),
    wrap: (page) => ({ success: true, ...page }),
  });
};
