import { isRefusal, refuse } from '#domain';
import type { Clock } from '../../../../application/clock.ts';
import type { NotSellable } from '../../../../application/sales/sale-refusals.ts';
import type { QuotePrices } from '../../../../application/terms/quote-prices.ts';
import { invalidFields } from '../../contract/answer-error.ts';
import type { FieldFaults } from '../../contract/field-faults.ts';
import { refusalError } from '../../contract/refusal-answers.ts';
import { compileValidator } from '../../contract/validation.ts';
import { callerOf, type Handler } from '../../pipeline/context.ts';
import type { Route } from '../../pipeline/route.ts';
import { SELLING_REFUSALS } from '../../sales/create-sale.ts';
import { describeRefusals, isForbidden } from '../../sales/sale-refusals.ts';
import { COMPLAINTS, FIELDS } from './integration-dialect.ts';
import { presentQuote, quoteAnswer } from './quote-answers.ts';
import { findQuoteFaults, quoteBody, toQuoteRequest } from './quote-body.ts';

export interface QuoteRouteParts {
  readonly quotePrices: QuotePrices;
  readonly clock: Clock;
}

/** As in a sale, but for the day of the payment, which is that of the sale. */
const SHOWN = {
  fields: { ...FIELDS, paidOn: ['paymentDate'], soldOn: ['paymentDate'] },
  complaintOf: COMPLAINTS,
} as const;

const describe = (refusal: Pick<NotSellable, 'reasons' | 'attributeFaults'>): FieldFaults =>
  describeRefusals(refusal, SHOWN);

const quote = ({ quotePrices, clock }: QuoteRouteParts): Handler => {
  const validate = compileValidator(quoteBody);

  return async function quote(exchange) {
    const { channelLink } = callerOf(exchange);
    if (channelLink === null) throw refusalError(refuse('channel_not_own'));

    const { sound, faults: fieldFaults } = validate(exchange.request.body as object);
    const faults = { ...findQuoteFaults(sound, fieldFaults, clock.today()), ...fieldFaults };
    const request = toQuoteRequest(sound, faults, channelLink);
    const outcome = request && (await quotePrices(request));

    if (outcome !== undefined && isRefusal(outcome)) {
      const forbidden = outcome.reasons.find(isForbidden);
      if (forbidden !== undefined) throw refusalError(forbidden);
      throw invalidFields({ ...describe(outcome), ...faults });
    }
    if (outcome === undefined || Object.keys(faults).length > 0) throw invalidFields(faults);
    exchange.body = presentQuote(outcome, (reasons) => describe({ reasons, attributeFaults: [] }));
  };
};

/** @param shared the fields that all routes of the integration share, and the whole body */
export const createQuoteRoute = (
  parts: QuoteRouteParts,
  shared: Pick<Route, 'tag' | 'scope' | 'partnerCredentials' | 'body'>,
): Route => ({
  ...shared,
  method: 'post',
  path: '/private/integration/quotes',
  operationId: 'createQuote',
  summary: 'Cota os planos de um produto, sem dados de cliente; o preço vale por 24 horas',
  description:
    'Nada é gravado. Uma oferta por plano que pode ser vendido; not_offered diz por que os outros não podem. A venda com quoteId tem o preço da cotação, até valid_until, mesmo que o catálogo mude; o que ela diz deve ser igual ao cotado. Uma cotação serve para qualquer número de vendas do canal.',
  answers: {
    200: { description: 'Os preços', schema: quoteAnswer },
    403: SELLING_REFUSALS[403],
  },
  handle: quote(parts),
});
